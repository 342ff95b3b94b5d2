def f(s):
    return tuple(reversed(s))
