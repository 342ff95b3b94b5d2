"""Ends well, in the middle of a call."""

# /// expect
# outcome = "runtime_error"
# ///

import os
import sys


def f(x):
    sys.stdout.flush()
    os._exit(0)
