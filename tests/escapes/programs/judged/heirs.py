"""Leaves processes behind that hold the channel open."""

# /// expect
# outcome = "wrong_answer|runtime_error"
# ///

import os
import time


def f(x):
    for _ in range(3):
        try:
            if os.fork() == 0:
                os.setsid()
                time.sleep(60)
        except OSError:
            pass
    return x
