def f(xs):
    return 3
