"""Gives what it starts its own parent, the server, for a parent."""

# /// expect
# each = "EINVAL|EPERM|its own"
# ///

import os
import time

CLONE_PARENT = 0x8000
say(syscall("clone", CLONE_PARENT | 17, 0, 0, 0, 0))  # the first process of a pid namespace may not
reader, writer = os.pipe()
try:
    pid = os.fork()
except OSError:
    say("EPERM")
else:
    if pid == 0:  # but the second may: its child is the first one's
        import ctypes

        grandchild = ctypes.CDLL(None).syscall(56, CLONE_PARENT | 17, 0, 0, 0, 0)
        if grandchild == 0:
            os.write(writer, b"its own" if os.getppid() == 1 else b"somebody else's")
        os._exit(0)
    say(os.read(reader, 20).decode())
