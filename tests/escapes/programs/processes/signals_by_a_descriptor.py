"""Has the kernel send a signal of its choice, when a descriptor has something to read, to a process of its choice."""

# /// expect
# says = ["EPERM", "EPERM", "EPERM"]
# alone.seccomp.says = ["EPERM", "EPERM", "EPERM"]
# nothing.says = ["done", "done", "done|EPERM|ESRCH"]
# ///

import fcntl
import os
import struct

reader, writer = os.pipe()
F_SETSIG, F_SETOWN_EX = 10, 15
say(attempt(lambda: fcntl.fcntl(reader, F_SETSIG, 23)))  # SIGURG, which harms nobody, in the place of SIGKILL
say(attempt(lambda: fcntl.fcntl(reader, fcntl.F_SETOWN, os.getpid())))
say(attempt(lambda: fcntl.fcntl(reader, F_SETOWN_EX, struct.pack("ii", 1, there["engine"]))))
