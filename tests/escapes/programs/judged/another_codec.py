"""Puts its own code into the codec."""

# /// expect
# outcome = "wrong_answer|forbidden|runtime_error"
# ///

import sys

codec = sys._getframe(1).f_globals["codec"]
codec.flat = lambda value: b"\xff" * 100
codec.Encoder.encode = lambda self, value: b"\xff" * 100


def f(x):
    return x
