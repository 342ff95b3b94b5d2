"""Enters namespaces of others."""

# /// expect
# each = "EPERM"
# ///

say(syscall("setns", fd, 0))
say(syscall("setns", 0, 0x00020000))
say(syscall("setns", 1, 0x40000000))
