def f(n):
    return [n >= 2, n]
