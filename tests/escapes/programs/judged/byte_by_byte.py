"""Sends a reply so slowly that whoever waits for one read at a time waits for ever."""

# /// expect
# outcome = "time_limit"
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
    import time

    say(b"\xff\0\0\0")
    for _ in range(200):
        say(b"\0")
        time.sleep(0.02)
