"""Has the kernel tell what happens in folders of the host."""

# /// expect
# each = "EPERM"
# ///

import fcntl
import os

folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
say(attempt(lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_CREATE | fcntl.DN_ACCESS | fcntl.DN_MULTISHOT)))
say(syscall("inotify_init"))
say(syscall("inotify_init1", 0))
say(syscall("fanotify_init", 0, 0))
