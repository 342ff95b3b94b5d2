"""Raises what has no text, or one that takes for ever to make."""

# /// expect
# outcome = "runtime_error|time_limit"
# slow = true
# ///

class Odd(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def f(x):
    raise Odd
