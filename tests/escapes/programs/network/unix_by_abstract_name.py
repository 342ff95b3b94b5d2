"""Connects to an abstract socket of the host."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# alone.namespaces.each = "ECONNREFUSED"
# alone.landlock.each = "EPERM"
# nothing.each = "done"
# ///

import socket

say(attempt(lambda: socket.socket(socket.AF_UNIX).connect(there["abstract"])))
