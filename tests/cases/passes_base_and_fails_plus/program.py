def f(x):
    return x + 1 if x > -3 else 0
