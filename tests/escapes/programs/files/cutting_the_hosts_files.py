"""Cuts off a file of the host by its name."""

# /// expect
# each = "ENOENT|EACCES|EPERM"
# alone.namespaces.each = "ENOENT"
# alone.landlock.each = "EACCES"
# alone.seccomp.each = "EPERM"
# nothing.each = "done"
# ///

import os

say(attempt(lambda: os.truncate(there["secret"], 0)))
