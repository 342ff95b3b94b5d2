import os


def f(x):
    if x == 2:
        os._exit(3)
    return x + 1
