"""Makes a program that would run as another user, and starts it."""

# /// expect
# each = "EPERM|EACCES"
# ///

import os
import shutil
import sys


def start():
    shutil.copyfile(sys.executable, "/tmp/program")
    os.chmod("/tmp/program", 0o6755)
    os.execv("/tmp/program", ["program", "-c", "pass"])


say(attempt(start))
for path in ("/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/bin/mount", "/bin/sh", "/usr/bin/newuidmap"):
    say(attempt(lambda: os.execv(path, [path])).replace("ENOENT", "EACCES"))
