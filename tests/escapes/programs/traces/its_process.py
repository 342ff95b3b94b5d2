"""Changes everything about its process that it can, and ends."""

# /// expect
# each = "done|EPERM|EACCES|ValueError|EINVAL|ENOENT"
# ///

import builtins
import gc
import os
import resource
import signal
import sys

for do in (
    lambda: os.umask(0), lambda: os.chdir("/dev"), lambda: os.environ.update(LD_PRELOAD="/tmp/x", PATH="/tmp"), lambda: sys.path.insert(0, "/tmp"),
    lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN), lambda: signal.alarm(1), lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)),
    lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)), lambda: os.nice(5), lambda: sys.setrecursionlimit(50), gc.disable,
    lambda: setattr(builtins, "len", None), lambda: sys.modules.clear(), lambda: os.setpgid(0, 0), lambda: os.sched_setaffinity(0, {0}),
    lambda: os.dup2(1, 0), lambda: sys.settrace(lambda *_: None),
):  # fmt: skip
    say(attempt(do))
