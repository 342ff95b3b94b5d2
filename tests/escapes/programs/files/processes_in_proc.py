"""Reads other processes, and itself, through /proc."""

# /// expect
# each = "ENOENT|EACCES"
# ///

import os

for pid in ("self", "thread-self", 1, 2, *there["pids"], there["engine"]):
    for name in ("environ", "mem", "maps", "cmdline", "status", "fd", "task", "root/etc/passwd", "cwd/x"):
        say(attempt(lambda: os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))))
