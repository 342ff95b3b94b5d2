"""Changes the times of files that it may write to: the host's own, and its device."""

# /// expect
# each = "ENOENT|EPERM|EROFS|EACCES"
# alone.namespaces.each = "ENOENT|EROFS"
# alone.seccomp.each = "EPERM"
# nothing.each = "done"
# ///

import os

say(attempt(lambda: os.utime(there["secret"])))
say(attempt(lambda: os.utime("/dev/null")))
with open("/dev/null", "r+b") as null:
    say(attempt(lambda: os.utime(null.fileno())))
