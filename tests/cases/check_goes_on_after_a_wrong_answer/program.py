def f(x):
    return 3 if x < 3 else x + 1
