"""Leaves a tree so deep that no path reaches its end."""

# /// expect
# each = "done"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import os


def dig():
    for _ in range(1500):
        os.mkdir("down")
        os.chdir("down")


say(attempt(dig))
