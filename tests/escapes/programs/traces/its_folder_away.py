"""Removes and moves what its folders are."""

# /// expect
# each = "EBUSY|EACCES|EPERM|EROFS|ENOENT|EXDEV"
# ///

import os

for do in (
    lambda: os.rmdir("/tmp"), lambda: os.rename("/tmp", "/dev/shm/tmp"), lambda: os.rmdir("/dev/shm"), lambda: os.rename("/dev/shm", "/tmp/shm"),
    lambda: os.symlink("/", "/tmp/../link"), lambda: os.unlink("/dev/stdin"), lambda: os.rename("/dev/null", "/tmp/null"),
):  # fmt: skip
    say(attempt(do))
