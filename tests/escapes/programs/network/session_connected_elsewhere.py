"""Takes its session's socket for other ends."""

# /// expect
# each = "EPERM|EISCONN|EINVAL|EOPNOTSUPP"
# ///

import socket

session = socket.socket(fileno=fd)
say(attempt(lambda: session.connect(there["abstract"])))
say(attempt(lambda: session.sendto(b"x", there["datagrams"])))
say(attempt(lambda: session.bind("\0mine")))
say(attempt(lambda: session.listen()))
say(attempt(lambda: session.accept()))
session.detach()
