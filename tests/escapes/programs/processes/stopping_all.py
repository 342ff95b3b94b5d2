"""Stops judge, server and neighbour, so that nobody watches it."""

# /// expect
# each = "ESRCH|EPERM|no parent"
# ///

import os
import signal

for number in (signal.SIGSTOP, signal.SIGTSTP):
    say("no parent" if os.getppid() == 0 else attempt(lambda: os.kill(os.getppid(), number)))
    for pid in sorted({*there["tried"], there["engine"]} - {os.getpid()}):
        say(attempt(lambda: os.kill(pid, number)))
