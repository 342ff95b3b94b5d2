"""Gives files away, and their attributes."""

# /// expect
# each = "EPERM"
# ///

import os

for path in ("/dev/null", there["secret"]):
    say(attempt(lambda: os.chown(path, os.getuid(), os.getgid())))
    say(attempt(lambda: os.setxattr(path, "user.mark", b"x")))
    say(attempt(lambda: os.removexattr(path, "user.mark")))
