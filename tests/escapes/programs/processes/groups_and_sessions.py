"""Moves others into its group, takes a terminal, adopts orphans of others. (That it joins a group harms nobody: who can't signal has no use of one.)"""

# /// expect
# each = "EPERM|ESRCH|ENOTTY|EACCES"
# L2.each = "EPERM|ESRCH|ENOTTY|EACCES|done"
# ///

import fcntl
import os

for pid in {2, *there["pids"], there["engine"]} - {os.getpid()}:
    say(attempt(lambda: os.setpgid(pid, 0)))
    say(attempt(lambda: os.setpgid(0, pid)))
say(attempt(lambda: fcntl.ioctl(fd, 0x540E, 1)))
say(syscall("prctl", 36, 1, 0, 0, 0))
