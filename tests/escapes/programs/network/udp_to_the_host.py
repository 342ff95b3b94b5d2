"""Sends datagrams to the host's loopback."""

# /// expect
# each = "ENETUNREACH"
# L2.each = "EPERM"
# alone.namespaces.each = "ENETUNREACH"
# alone.seccomp.each = "EPERM"
# nothing.each = "done"
# ///

import socket

say(attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", there["udp"]))))
