"""Leaves folders that their owner himself may not enter, and a /tmp that nobody may."""

# /// expect
# each = "done|EPERM"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

import os

for name in ("/tmp/closed", "/dev/shm/closed"):
    say(attempt(lambda: (os.mkdir(name), open(f"{name}/file", "w"), os.mkdir(f"{name}/inner"), os.chmod(f"{name}/inner", 0), os.chmod(name, 0))))
for name in ("/tmp", "/dev/shm"):
    say(attempt(lambda: os.chmod(name, 0)))
