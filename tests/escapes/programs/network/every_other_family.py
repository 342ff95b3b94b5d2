"""Tries the number of every family that the kernel may know."""

# /// expect
# each = "EPERM"
# ///

import socket

families = {*range(48)} - {socket.AF_INET, socket.AF_INET6}
for word in {attempt(lambda: socket.socket(family, kind, 1)) for family in families for kind in (1, 2, 3, 5)}:
    say(word)
