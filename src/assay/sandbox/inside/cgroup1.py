"""The last wall in version 1 of cgroups: one memory cgroup round a server and all its samples.

A cgroup a slot would cost each sample a move, which waits for all processors to have looked up; in version 1 nobody can be born elsewhere
than where its parent is. Tested on every run of ours as root. Opened before the root changes, used by descriptors from then on.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import time

from assay.sandbox.inside.protocol import Spawn
from assay.sandbox.inside.wall import BASE_MIB, MIB, PREFIX, SPARE_MIB, Look, dissolve, may_use_mib, sweep

_PATIENCE_S = 2.0
"""So long a sample that is to be alone waits for memory of others to come back."""


class OneRoundAll:
    """A new cgroup below the directory `parent`. Raises OSError where it can't be made."""

    leaves: tuple[int, ...] = ()

    def __init__(self, parent: str, slots: int) -> None:
        self._slots = slots
        self._name = f"{PREFIX}{os.getpid()}"
        self._parent = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        sweep(self._parent)
        os.mkdir(self._name, dir_fd=self._parent)
        try:
            self._fd = os.open(self._name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._parent)
            self._limit = self._open("memory.limit_in_bytes", os.O_WRONLY)
            self._events = self._open("memory.oom_control", os.O_RDONLY)
            self._used = self._open("memory.usage_in_bytes", os.O_RDONLY)
            self._refused = self._open("memory.failcnt", os.O_RDONLY)
            self._procs = self._open("cgroup.procs", os.O_WRONLY)
        except OSError:
            self.remove()
            raise
        self._sample_mib = 0
        self._size_bytes = 0

    def take(self, pid: int, uid: int) -> None:  # noqa: ARG002 (any uid may be in a cgroup of root's)
        """Moves the server in; what it will start is in with it."""
        os.write(self._procs, str(pid).encode())

    def open(self) -> None:
        """All is open."""

    def fit(self, spawn: Spawn) -> None:
        """Makes room for so many samples of that size at once; never less than before. One that is to be alone waits for its room."""
        if may_use_mib(spawn) > self._sample_mib:
            self._sample_mib = may_use_mib(spawn)
            self._size_bytes = (BASE_MIB + self._slots * (self._sample_mib + SPARE_MIB)) * MIB
            os.pwrite(self._limit, str(self._size_bytes).encode(), 0)
        if spawn.alone:
            self._await_room(may_use_mib(spawn))

    def look(self, slot: int, *, alone: bool) -> Look:  # noqa: ARG002 (the slots are not told apart)
        """What the kernel counts here now."""
        words = os.pread(self._events, 4096, 0).split()
        kills = int(words[words.index(b"oom_kill") + 1])
        if not alone:
            return Look(kills, 0, -1)
        return Look(kills, int(os.pread(self._refused, 64, 0)), self._room_bytes())

    def end(self, slot: int) -> None:
        """Nothing: the slots are not told apart."""

    def remove(self) -> None:
        """Removes the cgroup, once its last process has gone."""
        dissolve(self._name, self._parent)

    def _room_bytes(self) -> int:
        return self._size_bytes - int(os.pread(self._used, 64, 0))

    def _await_room(self, most_mib: int) -> None:
        """The kernel frees much of its own memory only a while after those who held it are gone."""
        end = time.monotonic() + _PATIENCE_S
        while self._room_bytes() < most_mib * MIB and time.monotonic() < end:
            time.sleep(0.02)

    def _open(self, name: str, mode: int) -> int:
        return os.open(name, mode | os.O_CLOEXEC, dir_fd=self._fd)
