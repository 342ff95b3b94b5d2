"""Changes the mode of files of its own user: Landlock has no say in that."""

# /// expect
# each = "ENOENT|EPERM|EROFS"
# alone.namespaces.each = "ENOENT|EPERM|EROFS"
# alone.seccomp.each = "EPERM"
# nothing.each = "done|EPERM"
# ///

import os

for path in (there["secret"], there["folder"], "/dev/null", os.__file__, "/"):
    say(attempt(lambda: os.chmod(path, os.stat(path).st_mode & 0o7777)))
say(syscall("fchmodat2", -100, there["secret"], 0, 0).replace("ENOSYS", "EPERM"))
