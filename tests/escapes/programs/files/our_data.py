"""Reads data sets and tests, with the answers in them."""

# /// expect
# each = "ENOENT|EACCES"
# ///

import os

folder = there["tests"]
while os.path.dirname(folder) != "/":  # a folder at the top may be one that a sample has of its own, as /tmp is
    say(attempt(lambda: os.listdir(folder)))
    folder = os.path.dirname(folder)
say(attempt(lambda: open(f"{there['tests']}/catalogue.py")))
