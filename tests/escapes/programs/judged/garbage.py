"""Writes bytes that are no frame of the codec."""

# /// expect
# outcome = "forbidden"
# ///

import os


def say(data):
    for number in range(3, 20):
        try:
            os.write(number, data)
        except OSError:
            pass


def f(x):
    say(b"\x07\0\0\0garbage")
    return x
