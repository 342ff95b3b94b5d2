def f(x):
    x[:] = sorted(x)
