"""Waits for others to talk to it: a neighbour shares its network."""

# /// expect
# each = "EPERM"
# alone.landlock.each = "EACCES|done"
# alone.seccomp.each = "EPERM"
# nothing.each = "done"
# ///

import socket

say(attempt(lambda: socket.socket().bind(("127.0.0.1", 0))))
say(attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).bind(("127.0.0.1", 0))))
say(attempt(lambda: socket.socket().listen()))
