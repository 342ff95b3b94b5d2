"""Has the kernel give half of a pair an abstract name, at which a neighbour could send to it."""

# /// expect
# each = "EPERM|EISCONN|EINVAL|no name"
# ///

import socket

for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):

    def named():
        half, other = socket.socketpair(socket.AF_UNIX, kind)
        half.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        half.send(b"x")
        say(f"has the name {half.getsockname()}" if half.getsockname() else "no name")
        half.bind("")

    say(attempt(named))
