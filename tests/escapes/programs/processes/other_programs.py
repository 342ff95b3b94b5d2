"""Starts programs other than the interpreter, or a copy of it."""

# /// expect
# each = "ENOENT|EACCES|EPERM|ENOEXEC"
# ///

import os
import shutil
import sys

open_place = attempt(lambda: (shutil.copy(sys.executable, "/dev/shm/program"), os.chmod("/dev/shm/program", 0o755)))
for path in ("/bin/sh", "/bin/true", "/usr/bin/env", "/usr/bin/python3-config", os.__file__, "/dev/shm/program", "/tmp/none"):
    say(attempt(lambda: os.execv(path, [path])))
