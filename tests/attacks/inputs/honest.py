def f(n):
    return list(map(lambda k: k * k, range(n))), not n % 2
