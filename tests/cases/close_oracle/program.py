def f(x):
    return [x * 0.3 if x != 2 else 0.6001]
