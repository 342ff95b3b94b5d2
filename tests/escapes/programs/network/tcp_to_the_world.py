"""Talks to addresses outside, also without waiting for an answer."""

# /// expect
# each = "ENETUNREACH|EACCES"
# L2.each = "EPERM"
# ///

import socket

for address in ("10.0.0.1", "169.254.169.254", "192.168.0.1", "203.0.113.1"):
    say(attempt(lambda: socket.create_connection((address, 80), 1)))


def without_waiting():
    with socket.socket() as one:
        one.setblocking(False)
        one.connect(("203.0.113.1", 443))


say(attempt(without_waiting))
