"""Makes packets of its own, and streams of protocols that are hardly used."""

# /// expect
# each = "EPERM"
# ///

import socket

for protocol in (1, 58, 255):
    say(attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol)))
for kind, protocol in ((socket.SOCK_DGRAM, 1), (socket.SOCK_STREAM, 132), (socket.SOCK_DGRAM, 136), (socket.SOCK_STREAM, 262)):
    say(attempt(lambda: socket.socket(socket.AF_INET, kind, protocol)))
