"""Closes its end, and goes on."""

# /// expect
# outcome = "runtime_error|time_limit"
# ///

import os


def f(x):
    os.close(3)
    return x
