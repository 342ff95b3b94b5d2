def f(n):
    return [i * (2**61 - 1) for i in range(n * 20_000)]
