"""Announces more than any reply may have: that goes by unkept, and there is no end of it."""

# /// expect
# outcome = "time_limit|forbidden"
# slow = true
# ///

import os


def say(data):
    for number in range(3, 20):
        try:
            os.write(number, data)
        except OSError:
            pass


def f(x):
    say(b"\xff\xff\xff\xff")
    return x
