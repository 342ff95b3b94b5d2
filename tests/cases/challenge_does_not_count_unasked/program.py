def f(x):
    return int(x) + 1
