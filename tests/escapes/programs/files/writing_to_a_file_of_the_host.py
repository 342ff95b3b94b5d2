"""Writes into a file and a folder of the host that everybody may write to."""

# /// expect
# each = "ENOENT|EACCES|EPERM"
# alone.namespaces.each = "ENOENT"
# alone.landlock.each = "EACCES"
# nothing.each = "done"
# ///

import os

say(attempt(lambda: open(there["secret"], "a")))
say(attempt(lambda: os.mkdir(f"{there['folder']}/made")))
