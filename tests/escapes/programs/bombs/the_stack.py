"""Recurses through C until the stack ends."""

# /// expect
# ends = "signal 11|exit 1|exit 0|memory"
# slow = true
# ///

import sys

sys.setrecursionlimit(1 << 30)


def deeper(_=None):
    return max([1, 2], key=deeper)


deeper()
