"""Talks to a server on the host's loopback."""

# /// expect
# each = "ENETUNREACH|EADDRNOTAVAIL|EACCES"
# L2.each = "EPERM"
# alone.namespaces.each = "ENETUNREACH|EADDRNOTAVAIL"
# alone.landlock.each = "EACCES"
# alone.seccomp.each = "EPERM"
# nothing.each = "done"
# ///

import socket

say(attempt(lambda: socket.create_connection(("127.0.0.1", there["tcp"]), 1)))
