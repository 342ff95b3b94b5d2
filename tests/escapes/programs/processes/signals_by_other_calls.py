"""Sends signals by the calls that nobody thinks of."""

# /// expect
# each = "EPERM|ESRCH"
# L2.each = "EPERM"
# ///

import ctypes

information = ctypes.create_string_buffer(128)
for pid in (*there["pids"], there["engine"], 2):
    say(syscall("tkill", pid, 9))
    say(syscall("rt_sigqueueinfo", pid, 9, information))
    say(syscall("rt_tgsigqueueinfo", pid, pid, 9, information))
    say(syscall("pidfd_open", pid, 0))
say(syscall("pidfd_send_signal", 0, 9, 0, 0))
