"""Holds the kernel up in the middle of its work."""

# /// expect
# each = "EPERM"
# ///

say(syscall("userfaultfd", 0))
say(syscall("userfaultfd", 1))
