"""Sends datagrams to everybody near."""

# /// expect
# each = "ENETUNREACH|EACCES|EPERM|EADDRNOTAVAIL|ENODEV"
# ///

import socket


def broadcast():
    one = socket.socket(type=socket.SOCK_DGRAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    one.sendto(b"x", ("255.255.255.255", 9))


say(attempt(broadcast))
say(attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("224.0.0.251", 5353))))
say(attempt(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("ff02::1", 9, 0, 1))))
