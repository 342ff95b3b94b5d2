"""Changes what can be changed about descriptor 0: flags, owner, signal, lease, times."""

# /// expect
# each = "done|EPERM|EROFS|EINVAL|ENOTTY|EACCES|ENOTDIR"
# ///

import fcntl
import os

for command, value in (
    (fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND), (fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC), (fcntl.F_SETOWN, os.getpid()), (10, 12),
    (fcntl.F_SETLEASE, 0), (fcntl.F_NOTIFY, 1), (1036, 0), (1033, 1),
):  # fmt: skip
    say(attempt(lambda: fcntl.fcntl(0, command, value)))
say(attempt(lambda: os.utime(0)))
say(attempt(lambda: os.lseek(0, 100, os.SEEK_SET)))
for request in (0x5421, 0x5452, 0x8901, 0x5451):
    say(attempt(lambda: fcntl.ioctl(0, request, b"\1\0\0\0")))
