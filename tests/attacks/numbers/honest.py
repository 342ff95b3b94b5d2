def f(x):
    return 0.5 * x
