def f(x):
    return [n + 1 for n in x]
