"""Sends data with the first packet of a connection."""

# /// expect
# each = "ENETUNREACH|EPERM|EOPNOTSUPP"
# ///

import socket

say(attempt(lambda: socket.socket().sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", there["tcp"]))))
