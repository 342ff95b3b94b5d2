"""Begins a reply and never ends it: the judge waits as long as the sample may take."""

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
    say(b"\x64\0\0\0abc")
    import time

    time.sleep(60)
