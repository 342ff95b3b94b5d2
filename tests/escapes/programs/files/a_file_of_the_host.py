"""Reads a file that everybody on the host may read."""

# /// expect
# each = "ENOENT|EACCES"
# alone.namespaces.each = "ENOENT"
# alone.landlock.each = "EACCES"
# nothing.each = "done"
# ///

say(attempt(lambda: open(there["secret"])))
