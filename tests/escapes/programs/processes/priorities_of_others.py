"""Makes itself important and others unimportant."""

# /// expect
# each = "EPERM"
# ///

import ctypes
import os

say(attempt(lambda: os.nice(-5)))
for who in (0, *there["pids"]):
    say(attempt(lambda: os.setpriority(os.PRIO_PROCESS, who, 19)))
    say(syscall("ioprio_set", 1, who, 0))
    say(syscall("sched_setscheduler", who, 1, ctypes.byref(ctypes.c_int(50))))
    say(syscall("sched_setparam", who, ctypes.byref(ctypes.c_int(50))))
    say(syscall("sched_setattr", who, ctypes.create_string_buffer(64), 0))
    say(attempt(lambda: os.sched_setaffinity(who, {0})))
say(attempt(lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19)))
