"""Makes more files than there are numbers for, and names for one file."""

# /// expect
# each = "ENOSPC|EMLINK"
# L2.each = "EACCES|EPERM"
# ///

import os


def fill():
    for number in range(1_000_000):
        os.mknod(f"/tmp/{number:0200}")


say(attempt(fill))


def link():
    for number in range(1_000_000):
        os.link(f"/tmp/{0:0200}", f"/tmp/l{number:0200}")


say(attempt(link))
