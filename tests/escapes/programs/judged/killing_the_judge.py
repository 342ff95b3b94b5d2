"""Kills and stops whatever it can name."""

# /// expect
# outcome = "wrong_answer"
# ///

import os
import signal


def f(x):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        for pid in {*range(-1, 400), os.getppid()} - {-1, 0, 1, os.getpid()}:
            try:
                os.kill(pid, number)
            except OSError:
                pass
    return x
