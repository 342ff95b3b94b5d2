"""A pair of raw UNIX sockets is one of datagram sockets."""

# /// expect
# each = "EPERM"
# ///

import socket


def send(name):
    half, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    half.sendto(b"x", name)


say(attempt(lambda: send(there["datagrams"])))
say(attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)))
