"""Writes a file without end, and one that is mostly holes."""

# /// expect
# each = "EFBIG|ENOSPC"
# L2.each = "EACCES|EPERM"
# ///

import os


def fill():
    with open("/tmp/one", "wb") as file:
        while True:
            file.write(bytes(1 << 18))
            file.flush()


say(attempt(fill))
say(attempt(lambda: os.truncate("/tmp/one", 1 << 40)))
say(attempt(lambda: os.posix_fallocate(os.open("/dev/shm/two", os.O_RDWR | os.O_CREAT), 0, 1 << 40)))
