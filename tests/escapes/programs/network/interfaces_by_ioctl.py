"""Asks a socket, or a pair's half, for the machine's interfaces."""

# /// expect
# each = "ENOTTY|EPERM"
# ///

import fcntl
import socket

pair = socket.socketpair()
for request in (0x8912, 0x8927, 0x8915, 0x8914, 0x89A0, 0x8933):
    say(attempt(lambda: fcntl.ioctl(pair[0], request, bytes(64))))
    say(attempt(lambda: fcntl.ioctl(socket.socket(), request, bytes(64))))
