import os


def f(x):
    for fd in range(3, 16):
        try:
            os.write(fd, b'\x07\0\0\0garbage')
        except OSError:
            pass
    return x + 1
