"""Returns an iterator that has no end."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden|time_limit"
# ///

import itertools


def f(x):
    return itertools.count()
