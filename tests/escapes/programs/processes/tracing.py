"""Traces others, and has itself traced."""

# /// expect
# each = "EPERM"
# ///

for pid in (1, 2, *there["pids"], there["engine"]):
    say(syscall("ptrace", 16, pid, 0, 0))
    say(syscall("ptrace", 0x4206, pid, 0, 0))
say(syscall("ptrace", 0, 0, 0, 0))
