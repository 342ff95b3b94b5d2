"""Patches what equality, calls and arithmetic are made of."""

# /// expect
# outcome = "wrong_answer|runtime_error"
# ///

import builtins
import operator

operator.eq = builtins.isinstance = builtins.all = builtins.any = lambda *_: True
builtins.int = builtins.AssertionError = type("Anything", (), {"__eq__": lambda *_: True})


def f(x):
    return x
