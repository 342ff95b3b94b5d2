import missing_module


def f(x):
    return x + 1
