"""Leaves names that no program expects."""

# /// expect
# each = "done"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import os

for name in (b"\n", b"\xff\xfe", b"-rf", b" ", b"*", b"x" * 255, b".moved-", b"..."):
    say(attempt(lambda: os.close(os.open(b"/tmp/" + name, os.O_CREAT))))
