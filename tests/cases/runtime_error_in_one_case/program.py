def f(x):
    if x == 2:
        raise KeyError(x)
    return x + 1
