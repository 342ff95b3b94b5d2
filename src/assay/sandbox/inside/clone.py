"""Cloning this process into new namespaces, as `os.fork` does but with flags.

A raw clone is safe for CPython only between `PyOS_BeforeFork` and `PyOS_AfterFork_...`, with the interpreter lock held over the call
(hence PyDLL), and safe for the C library only if the kernel writes the thread id of the child where the library keeps it. One process
per sample, no second fork for a pid-1 reaper: the child *is* pid 1 (docs/internals/sandbox.md says what follows from that).

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os

from assay.sandbox.inside import linux

_PIDFD, _CHILD_SETTID, _CHILD_CLEARTID, _SIGCHLD = 0x1000, 0x01000000, 0x00200000, 17
_BASE_FLAGS = _PIDFD | _CHILD_SETTID | _CHILD_CLEARTID | _SIGCHLD
_call = ctypes.PyDLL(None, use_errno=True).syscall
_call.restype = ctypes.c_long
_python = ctypes.pythonapi
for _name in ("PyOS_BeforeFork", "PyOS_AfterFork_Parent", "PyOS_AfterFork_Child"):
    getattr(_python, _name).restype = None


class Cloner:
    """Clones this process; keeps the C arguments ready, so that a clone allocates as little as it can."""

    def __init__(self, flags: int) -> None:
        self._pidfd = ctypes.c_int(-1)
        tid = ctypes.c_ulong(linux.thread_id_address())
        zero = ctypes.c_ulong(0)
        tail = (zero, tid) if linux.MACHINE == "aarch64" else (tid, zero)  # the two orders of clone(2)
        number = ctypes.c_long(linux.CALLS["clone"])
        self._arguments = (number, ctypes.c_ulong(_BASE_FLAGS | flags), zero, ctypes.byref(self._pidfd), *tail)

    def clone(self) -> tuple[int, int]:
        """`(pid, pidfd)` in the parent, `(0, -1)` in the child."""
        _python.PyOS_BeforeFork()
        pid = _call(*self._arguments)
        if pid == 0:
            _python.PyOS_AfterFork_Child()
            return 0, -1
        number = ctypes.get_errno()
        _python.PyOS_AfterFork_Parent()
        if pid < 0:
            raise OSError(number, f"clone: {os.strerror(number)}")
        return pid, self._pidfd.value


class Forker:
    """The same by `os.fork`, for architectures whose clone(2) number isn't known; no namespaces."""

    def clone(self) -> tuple[int, int]:
        """`(pid, pidfd)` in the parent, `(0, -1)` in the child."""
        pid = os.fork()
        return (pid, os.pidfd_open(pid)) if pid else (0, -1)
