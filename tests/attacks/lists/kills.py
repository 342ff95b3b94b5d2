# runtime_error wrong_answer
# It signals everybody: its parent, its group, all.

import os
import signal


def f(x):
    for pid in (os.getppid(), 1, -1, 0):
        for number in (signal.SIGTERM, signal.SIGSTOP):
            try:
                os.kill(pid, number)
            except (OSError, ProcessLookupError):
                pass
    return []
