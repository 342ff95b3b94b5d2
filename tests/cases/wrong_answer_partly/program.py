def f(x):
    return abs(x) + 1
