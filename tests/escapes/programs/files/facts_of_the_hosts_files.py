"""Asks for the size of a file that it may not open. Without namespaces it is told: nothing hides a name there."""

# /// expect
# each = "ENOENT"
# L2.each = "done"
# alone.namespaces.each = "ENOENT"
# nothing.each = "done"
# ///

import os

say(attempt(lambda: os.stat(there["secret"])))
