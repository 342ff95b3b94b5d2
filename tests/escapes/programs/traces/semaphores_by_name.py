"""Makes semaphores and shared memory by name, as multiprocessing does."""

# /// expect
# each = "done"
# L2.each = "EACCES|EPERM|ENOENT|ENOSYS"
# ///

import _multiprocessing
import _posixshmem
import os

say(attempt(lambda: _multiprocessing.SemLock(1, 1, 1, "/left", False)))
say(attempt(lambda: _posixshmem.shm_open("/left", os.O_CREAT | os.O_RDWR, mode=0o666)))
