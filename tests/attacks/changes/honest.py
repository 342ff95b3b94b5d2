def f(x):
    return list(sorted(x))
