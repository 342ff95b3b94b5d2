"""Moves pages instead of copying them."""

# /// expect
# each = "EPERM"
# ///

say(syscall("splice", 0, 0, 1, 0, 1, 0))
say(syscall("tee", 1, 1, 1, 0))
say(syscall("vmsplice", 1, 0, 0, 0))
