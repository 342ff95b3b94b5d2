"""Becomes somebody else."""

# /// expect
# each = "EPERM"
# ///

import os

say(syscall("setuid", 0))
say(syscall("setgid", 0))
say(syscall("setresuid", 0, 0, 0))
say(syscall("setresgid", 0, 0, 0))
say(syscall("setgroups", 0, 0))
say(syscall("setfsuid", 0))
say(syscall("capset", 0, 0))
say(attempt(lambda: os.setreuid(0, 0)))
say(attempt(lambda: os.setresuid(there["user"], there["user"], there["user"])))
