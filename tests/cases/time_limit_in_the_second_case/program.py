def f(x):
    while x == 2:
        pass
    return x + 1
