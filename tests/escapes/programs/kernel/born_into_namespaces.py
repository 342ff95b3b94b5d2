"""Starts a process in namespaces of its own."""

# /// expect
# each = "EPERM"
# ///

for flag in (0x10000000, 0x10020000, 0x00020000, 0x04000000, 0x08000000, 0x20000000, 0x40000000, 0x02000000, 0x80):
    say(syscall("clone", flag | 17, 0, 0, 0, 0))
