"""Locks the device that all share, by its own descriptor 0 and by one of its own, and goes."""

# /// expect
# each = "done|EPERM|EBADF|EACCES"
# ///

import fcntl

say(attempt(lambda: fcntl.flock(0, fcntl.LOCK_EX | fcntl.LOCK_NB)))
say(attempt(lambda: fcntl.lockf(0, fcntl.LOCK_SH | fcntl.LOCK_NB)))
