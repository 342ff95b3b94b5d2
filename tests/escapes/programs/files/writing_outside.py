"""Writes where it may not: next to the library, into settings, to the root."""

# /// expect
# each = "ENOENT|EACCES|EPERM|EROFS|EISDIR"
# ///

import os

for path in ("/x", "/usr/lib/x", "/usr/x", "/etc/passwd", "/etc/x", "/dev/x", "/slots/x", "/slots/1/tmp/x", "/proc/x", "/lib/x", os.__file__, os.__file__ + "c"):
    say(attempt(lambda: open(path, "a")))
