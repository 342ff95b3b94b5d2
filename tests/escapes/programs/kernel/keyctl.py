"""Keeps secrets in the kernel's keyrings, where a later sample could find them."""

# /// expect
# each = "EPERM"
# ///

say(syscall("keyctl", 0, -3, 1, 0, 0))
say(syscall("keyctl", 1, "ring", 0, 0, 0))
say(syscall("add_key", "user", "name", "secret", 6, -3))
say(syscall("add_key", "user", "name", "secret", 6, -4))
say(syscall("request_key", "user", "name", 0, -3))
