"""Sets options of sockets that only administrators need, filters among them."""

# /// expect
# each = "EPERM"
# ///

import socket
import struct

levels = {socket.IPPROTO_IP: 41, socket.IPPROTO_IPV6: 41, socket.IPPROTO_UDP: 103, 255: 1, 263: 1, 284: 1}


def option(level, name, value):
    socket.socket().setsockopt(level, name, value)


for level, name in levels.items():
    say(attempt(lambda: option(level, name, 1)))
for name in (26, 50, 51, 52):  # SO_ATTACH_FILTER and its like: programs for the kernel to run
    say(attempt(lambda: option(socket.SOL_SOCKET, name, struct.pack("HxxxxxxP", 1, 0))))
