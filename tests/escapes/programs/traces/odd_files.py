"""Leaves pipes, links to themselves, links to the host, holes, and a file with many names."""

# /// expect
# each = "done|EPERM"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import os

for make in (
    lambda: os.mkfifo("/tmp/fifo"), lambda: os.symlink("loop", "/tmp/loop"), lambda: os.symlink("/usr/lib", "/tmp/outside"),
    lambda: os.symlink("/slots/1/tmp", "/tmp/neighbour"), lambda: os.close(os.open("/tmp/holes", os.O_CREAT | os.O_RDWR)),
    lambda: os.truncate("/tmp/holes", 1 << 20), lambda: os.link("/tmp/holes", "/dev/shm/holes"), lambda: os.link("/tmp/holes", "/tmp/again"),
):  # fmt: skip
    say(attempt(make).replace("EXDEV", "done"))
