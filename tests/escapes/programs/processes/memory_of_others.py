"""Reads and writes the memory of others without tracing them."""

# /// expect
# each = "EPERM|ENOENT|EACCES"
# ///

import ctypes
import os

room = ctypes.create_string_buffer(64)
own = (ctypes.c_void_p * 2)(ctypes.addressof(room), 64)
for pid in (*there["pids"], there["engine"]):
    say(syscall("process_vm_readv", pid, own, 1, own, 1, 0))
    say(syscall("process_vm_writev", pid, own, 1, own, 1, 0))
    say(syscall("process_madvise", pid, own, 1, 4, 0))
