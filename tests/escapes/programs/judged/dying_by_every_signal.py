"""Ends itself by a signal in the middle of a call."""

# /// expect
# outcome = "runtime_error"
# ///

import os
import signal


def f(x):
    os.kill(os.getpid(), {1: signal.SIGKILL, 2: signal.SIGSEGV, -1: signal.SIGABRT}[x])
    raise OSError
