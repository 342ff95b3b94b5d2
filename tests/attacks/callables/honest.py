def f(g, x):
    return list(map(g, x))
