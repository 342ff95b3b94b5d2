"""Connects half of a pair of stream sockets to the host once more, and sends through it to an address."""

# /// expect
# each = "EPERM|EISCONN|EINVAL|ECONNREFUSED|ENOENT|EOPNOTSUPP"
# ///

import socket

half, _ = socket.socketpair()
say(attempt(lambda: half.connect(there["stream"])))
say(attempt(lambda: half.connect(there["abstract"])))
say(attempt(lambda: half.sendto(b"x", there["datagrams"])))
say(attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)))
