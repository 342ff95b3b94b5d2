"""Fills pipes, whose memory is the kernel's."""

# /// expect
# says = ["EMFILE"]
# ///

import fcntl
import os

kept = []


def fill():
    while True:
        reader, writer = os.pipe()
        kept.append((reader, writer))
        os.set_blocking(writer, False)
        attempt(lambda: fcntl.fcntl(writer, 1031, 1 << 20))
        attempt(lambda: os.write(writer, bytes(1 << 20)))


say(attempt(fill))
