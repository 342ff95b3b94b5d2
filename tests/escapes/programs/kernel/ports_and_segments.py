"""Talks to devices, and changes what addresses mean."""

# /// expect
# each = "EPERM"
# ///

say(syscall("iopl", 3))
say(syscall("ioperm", 0, 1, 1))
say(syscall("modify_ldt", 0, 0, 0))
say(syscall("personality", 0x0400000))
say(syscall("uselib", "/tmp/x"))
say(syscall("ustat", 0, 0))
say(syscall("lookup_dcookie", 0, 0, 0))
