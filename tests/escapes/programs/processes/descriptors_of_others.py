"""Takes descriptors out of other processes, or compares them with its own."""

# /// expect
# each = "EPERM"
# ///

for pid in (1, *there["pids"], there["engine"]):
    say(syscall("pidfd_getfd", 0, 0, 0))
    say(syscall("kcmp", 1, pid, 0, 0, 0))
