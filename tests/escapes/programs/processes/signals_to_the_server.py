"""Signals its parent, the server and the engine by every number that it can think of."""

# /// expect
# each = "ESRCH|EPERM|no parent"
# alone.namespaces.each = "ESRCH|no parent"
# alone.seccomp.each = "EPERM"
# nothing.each = "done|EPERM|ESRCH"
# ///

import os

say("no parent" if os.getppid() == 0 else attempt(lambda: os.kill(os.getppid(), 0)))
for pid in {*there["pids"], there["engine"]} - {os.getpid()}:
    say(attempt(lambda: os.kill(pid, 0)))
