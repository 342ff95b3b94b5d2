"""Puts key presses into the terminal that assay may have been started from."""

# /// expect
# each = "ENOTTY|EPERM"
# ///

import fcntl

for descriptor in (0, 1, 2, 3):
    for request in (0x5412, 0x541C, 0x540E, 0x5423, 0x541D):  # TIOCSTI TIOCLINUX TIOCSCTTY TIOCSETD TIOCCONS
        say(attempt(lambda: fcntl.ioctl(descriptor, request, b"x")))
