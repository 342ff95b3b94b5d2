"""Leaves files everywhere that it may write to."""

# /// expect
# each = "done"
# L2.each = "EACCES|EPERM|ENOENT|EROFS"
# ///

import os
import tempfile

for name in ("/tmp/one", "/dev/shm/two", "three", "/tmp/.hidden", "/dev/shm/.stdin", "/dev/shm/.stdout", "/tmp/solution.py"):
    say(attempt(lambda: open(name, "w").write("left")))
say(attempt(lambda: os.makedirs("/tmp/a/b/c")).replace("FileNotFoundError", "ENOENT"))
say(attempt(tempfile.mkdtemp))
