def g(x):
    return x + 1
