"""Forks in a call, and both go on to answer."""

# /// expect
# outcome = "forbidden|wrong_answer|runtime_error"
# slow = true
# ///

import os


def f(x):
    try:
        os.fork()
    except OSError:
        pass
    return x
