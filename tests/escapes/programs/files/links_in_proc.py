"""Follows the links of other processes without opening anything."""

# /// expect
# each = "ENOENT|EACCES|EPERM"
# ///

import os

for pid in (1, *there["pids"], there["engine"]):
    for name in ("exe", "cwd", "root", "fd/0", "fd/3", "ns/pid"):
        say(attempt(lambda: os.readlink(f"/proc/{pid}/{name}")))
