def f(x):
    if x == 2:
        raise ValueError('no twos')
    return x + 1 if x < 6 else 0
