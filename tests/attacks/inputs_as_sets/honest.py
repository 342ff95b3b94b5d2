def f(x):
    return list(dict.fromkeys(x))
