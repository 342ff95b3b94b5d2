"""Renames, links and removes what lies on the host."""

# /// expect
# each = "ENOENT|EACCES|EPERM|EXDEV|EROFS"
# ///

import os

folder, secret = there["folder"], there["secret"]
for do in (
    lambda: os.rename(secret, f"{folder}/other"),
    lambda: os.link(secret, f"{folder}/other"),
    lambda: os.link(secret, "/tmp/other"),
    lambda: os.link(os.__file__, "/tmp/other"),
    lambda: os.symlink("x", f"{folder}/other"),
    lambda: os.unlink(secret),
    lambda: os.rmdir(f"{folder}/folder"),
    lambda: os.mkfifo(f"{folder}/fifo"),
    lambda: os.rename("/tmp", "/away"),
    lambda: os.rename(os.__file__, "/tmp/os.py"),
    lambda: os.unlink("/etc/passwd"),
):
    say(attempt(do))
