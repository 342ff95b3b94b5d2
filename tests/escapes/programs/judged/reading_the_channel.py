"""Reads the requests itself, so that nobody answers."""

# /// expect
# outcome = "time_limit|runtime_error"
# slow = true
# ///

import os


def f(x):
    while True:
        os.read(3, 65536)
