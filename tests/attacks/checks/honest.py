def f(n):
    return [*range(1, n + 1)]
