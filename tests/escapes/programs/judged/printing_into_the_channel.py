"""Makes its output the channel."""

# /// expect
# outcome = "time_limit|forbidden"
# slow = true
# ///

import os


def f(x):
    os.dup2(3, 1)
    print("x" * 1000, flush=True)
    return x
