"""Comes to the host's file by dots, by links and by an open directory."""

# /// expect
# each = "ENOENT|EACCES|EPERM|ELOOP|EXDEV"
# ///

import os

path = there["secret"]
for way in ("/tmp/" + "../" * 30 + path, f"/usr/lib/../../..{path}", f"/dev/fd/../..{path}", f"/proc/self/root{path}", f"/proc/1/cwd{path}"):
    say(attempt(lambda: open(way)))
for start in ("/", ".", "/usr", "/dev", "/etc"):
    try:
        folder = os.open(start, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        continue
    say(attempt(lambda: os.open("../" * 20 + path[1:], os.O_RDONLY, dir_fd=folder)))
say(attempt(lambda: (os.symlink(path, "/tmp/link"), open("/tmp/link"))))
