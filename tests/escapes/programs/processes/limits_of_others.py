"""Reads and changes the limits of other processes."""

# /// expect
# each = "EPERM|ESRCH|PermissionError"
# ///

import resource

for pid in (1, 2, *there["pids"], there["engine"]):
    say(attempt(lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))).replace("ProcessLookupError", "ESRCH"))
