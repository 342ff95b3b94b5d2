def f(x):
    if x == 2:
        return len(bytearray(1 << 46))
    return x + 1
