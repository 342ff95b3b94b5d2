"""Who looks on while hostile programs run: a bystander in the neighbour's slot, and an observer afterwards in either."""

from __future__ import annotations

OBSERVER = """
import fcntl, gc, os, resource, signal, socket, stat, sys, threading
def told(do):
    try: return do()
    except OSError as error: return error.errno
def descriptor(n):
    facts = os.fstat(n)
    return [stat.S_IFMT(facts.st_mode), *(told(lambda: fcntl.fcntl(n, c)) for c in (1, 3, 9, 11, 16 + 0))]
jailed = there["jailed"]
def free():
    room = os.statvfs("/tmp")
    return [room.f_blocks, room.f_bfree, room.f_files, room.f_ffree]
def locks():
    with open("/dev/null", "r+b") as null:
        return [told(lambda: lock(null, fcntl.LOCK_EX | fcntl.LOCK_NB)) for lock in (fcntl.flock, fcntl.lockf)]
say({
    "files": [told(lambda: sorted(os.listdir(p))) for p in (".", "/tmp", "/dev/shm", "/", "/dev")] if jailed else None,
    "room": free() if jailed else None,
    "modes": [oct(os.stat(p).st_mode) for p in ("/tmp", "/dev/shm", "/dev/null", "/")],
    "null": [os.stat("/dev/null").st_mtime_ns, os.stat("/dev/null").st_ctime_ns, locks()],
    "descriptors": {n: told(lambda: descriptor(n)) for n in range(40)},
    "stdin": os.read(0, 10).decode(),
    "environment": dict(os.environ), "argv": sys.argv, "path": sys.path, "folder": os.getcwd(), "umask": os.umask(0o22),
    "limits": [resource.getrlimit(n) for n in range(16)],
    "priority": [os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), sorted(os.sched_getaffinity(0))],
    "signals": [repr(signal.getsignal(n)) for n in range(1, 65) if n not in (32, 33)],
    "masks": [sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])), sorted(signal.sigpending())],
    "timers": [signal.getitimer(n) for n in range(3)],
    "who": [os.getuid(), os.getgid(), os.getgroups(), os.getpgrp() == os.getpid(), os.uname().nodename],
    "pids": [os.getpid(), os.getppid(), [n for n in range(2, 40) if attempt(lambda: os.kill(n, 0)) == "done"]] if jailed else None,
    "interpreter": [gc.isenabled(), gc.get_threshold(), sys.getrecursionlimit(), sys.getswitchinterval(), len(sys.modules),
                    threading.active_count(), hash("assay"), len(dir(__builtins__))],
})
"""

BYSTANDER = """
import os, select, signal, threading
secret = " ".join(there["bystander"])
caught, files = [], []
for number in (1, 2, 3, 10, 12, 13, 14, 15, 17, 18, 20, 23, 28, 29):
    signal.signal(number, lambda n, _: caught.append(n))
if there["jailed"]:
    for path in ("/tmp/of the bystander", "/dev/shm/of the bystander"):
        with open(path, "w") as file: file.write(secret)
        files.append(path)
print(secret, flush=True)
say("up")
failed = []
while not select.select([fd], [], [], 0.02)[0]:
    try:  # meanwhile it must be able to work
        one = threading.Thread(target=int)
        one.start()
        one.join()
    except (RuntimeError, MemoryError) as error:
        failed.append(str(error))
say([failed, caught, [open(path).read() == secret for path in files], [sorted(os.listdir(os.path.dirname(p))) for p in files], len(secret)])
"""
BYSTANDER_SECRET = ("nobody else", "may read this")
