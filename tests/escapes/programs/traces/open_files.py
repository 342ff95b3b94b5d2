"""Ends with files open that have no name any more, and with one mapped."""

# /// expect
# each = "done"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import mmap
import os

kept = []


def leave(name):
    kept.append(os.open(name, os.O_RDWR | os.O_CREAT))
    os.truncate(kept[-1], 1 << 20)
    kept.append(mmap.mmap(kept[-1], 1 << 20))
    kept[-1][:] = b"x" * (1 << 20)
    os.unlink(name)


for name in ("/tmp/gone", "/dev/shm/gone"):
    say(attempt(lambda: leave(name)))
