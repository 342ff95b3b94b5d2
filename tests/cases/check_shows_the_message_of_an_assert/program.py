def f(x):
    return x + 1 if x != 2 else 0
