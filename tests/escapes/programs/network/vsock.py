"""Talks past all namespaces to the machine's host."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# nothing.each = "done|EPERM|EAFNOSUPPORT|ENODEV|EPROTONOSUPPORT|ESOCKTNOSUPPORT"
# ///

import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
    say(attempt(lambda: socket.socket(socket.AF_VSOCK, kind)))
