"""Connects to a socket file of the host."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# alone.namespaces.each = "ENOENT"
# nothing.each = "done"
# ///

import socket

say(attempt(lambda: socket.socket(socket.AF_UNIX).connect(there["stream"])))
