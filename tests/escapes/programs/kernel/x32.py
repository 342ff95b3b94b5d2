"""Calls the kernel by the numbers of another table."""

# /// expect
# says = []
# ends = "signal 31"
# alone.seccomp.ends = "signal 31"
# nothing.says = ["alive"]
# nothing.ends = "exit 0"
# ///

import ctypes

ctypes.CDLL(None).syscall(0x40000000 + 39)
say("alive")
