"""Kills every process that it can name, its group and everybody else."""

# /// expect
# each = "ESRCH|EPERM|no parent"
# ///

import os
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
say("no parent" if os.getppid() == 0 else attempt(lambda: os.kill(os.getppid(), 9)))
for pid in sorted({*there["tried"], there["engine"]} - {os.getpid()}):
    for number in (signal.SIGKILL, signal.SIGTERM):
        say(attempt(lambda: os.kill(pid, number)))
for group in (-1, 0):
    attempt(lambda: os.kill(group, signal.SIGTERM))
for pid in there["pids"]:
    say(attempt(lambda: os.killpg(pid, signal.SIGHUP)) if pid != os.getpid() else "ESRCH")
