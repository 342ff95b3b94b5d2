"""Leaves no number for another file."""

# /// expect
# each = "ENOSPC"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import os


def fill():
    for number in range(100_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT))


say(attempt(fill))
