"""Reads data sets and tests, with the answers in them."""

# /// expect
# each = "ENOENT|EACCES"
# ///

import os

folder = there["tests"]
while len(folder) > 1:
    say(attempt(lambda: os.listdir(folder)))
    folder = os.path.dirname(folder)
say(attempt(lambda: open(f"{there['tests']}/catalogue.py")))
