"""Asks the kernel for its network interfaces."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# nothing.each = "done|ESOCKTNOSUPPORT"
# ///

import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
    say(attempt(lambda: socket.socket(socket.AF_NETLINK, kind)))
