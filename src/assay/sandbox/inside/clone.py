"""Cloning this process into new namespaces, as `os.fork` does but with flags.

A raw clone is safe for CPython where the process has one thread, which holds the interpreter lock over the call (hence PyDLL): then no
lock can be found taken, and there is nothing for `PyOS_AfterFork_Child` to mend. Calling it all the same would run what modules have
registered for a fork (`random` seeds itself anew), at 60 page faults a child; a sample that forks by `os.fork` still gets all of that. It
is safe for the C library only if the kernel writes the thread id of the child where the library keeps it. One process per sample, no
second fork for a pid-1 reaper: the child *is* pid 1 (docs/internals/sandbox.md says what follows from that).

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os
from typing import ClassVar

from assay.sandbox.inside import linux

_PIDFD, _CHILD_SETTID, _CHILD_CLEARTID, _SIGCHLD = 0x1000, 0x01000000, 0x00200000, 17
_BASE_FLAGS = _PIDFD | _CHILD_SETTID | _CHILD_CLEARTID
CLONE_PARENT, _CLONE_INTO_CGROUP = 0x8000, 0x200000000


class _Arguments(ctypes.Structure):
    """`struct clone_args`."""

    _fields_: ClassVar = [
        (name, ctypes.c_uint64)
        for name in "flags pidfd child_tid parent_tid exit_signal stack stack_size tls set_tid set_tid_size cgroup".split()
    ]


class Cloner:
    """Clones this process; keeps the C arguments ready, so that a clone allocates as little as it can. Children are born into the cgroup
    whose directory `leaf` is open on, else into this process's own.
    """

    def __init__(self, flags: int, pidfd: ctypes.c_int | None = None, leaf: int | None = None) -> None:
        self._pidfd = ctypes.c_int(-1) if pidfd is None else pidfd
        tid = linux.thread_id_address()
        self._call = self._plain(flags, tid) if leaf is None else self._into(leaf, flags, tid)

    def _plain(self, flags: int, tid: int) -> linux.Call:
        address = ctypes.c_ulong(tid)
        tail = (0, address) if linux.MACHINE == "aarch64" else (address, 0)  # the two orders of clone(2)
        return linux.prepare(
            "clone", ctypes.c_ulong(_BASE_FLAGS | flags | _SIGCHLD), 0, ctypes.byref(self._pidfd), *tail
        )

    def _into(self, leaf: int, flags: int, tid: int) -> linux.Call:
        arguments = _Arguments(
            flags=_BASE_FLAGS | flags | _CLONE_INTO_CGROUP,
            pidfd=ctypes.addressof(self._pidfd),
            child_tid=tid,
            exit_signal=0 if flags & CLONE_PARENT else _SIGCHLD,  # a sibling has its parent's
            cgroup=leaf,
        )
        return linux.prepare("clone3", ctypes.byref(arguments), ctypes.sizeof(arguments))

    def clone(self) -> int:
        """The child's pid in the parent, whose `pidfd` it then has; 0 in the child; in the parent a negative errno if there is none."""
        pid: int = linux.raw_syscall(*self._call)
        return pid if pid >= 0 else -linux.last_error()

    @property
    def pidfd(self) -> int:
        """The descriptor of the last child."""
        return self._pidfd.value


def clone(flags: int) -> tuple[int, int]:
    """Clones this process once: `(pid, pidfd)` in the parent, `(0, -1)` in the child; OSError if there is none."""
    cloner = Cloner(flags)
    pid = cloner.clone()
    if pid < 0:
        raise OSError(-pid, f"clone: {os.strerror(-pid)}")
    return pid, cloner.pidfd if pid else -1
