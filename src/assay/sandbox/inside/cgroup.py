"""One memory cgroup round a server, where one can be made: the last wall behind the limits of single processes.

A sample's processes, shared mappings, files on its tmpfs and what the kernel keeps for it all count here. The cgroup's counters tell that
the kernel ended somebody in it, not for whose memory: it ends whoever is largest, and counts a kill for a full machine or a full container
here too. So a kill is held against a sample only where it was alone at work, its birth left room for all that it may use, and this
very cgroup was full at its end (`is_own`). Version 1 is tested on every run of ours as root; **version 2 is written from the
kernel's documentation and unverified**. Opened before the root changes, used by descriptors from then on.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import NamedTuple

_MIB = 1 << 20
_PREFIX = "assay-"
_FILES = (
    ("memory.limit_in_bytes", "memory.oom_control", "memory.usage_in_bytes"),
    ("memory.max", "memory.events", "memory.current"),
)
_BASE_MIB = 1024
"""Room beside the samples' own: for the servers, and for memory of the kernel's (descriptors, pipes, sockets in flight) that comes back a
while after a bomb has ended. With too little of it the next sample runs into the wall, and whoever is largest dies of it: its neighbour, or
the process that samples are cloned from.
"""
_SPARE_MIB = 64
_PATIENCE_S = 2.0
"""So long a sample that is to be alone waits for memory of others to come back."""


class Look(NamedTuple):
    """The wall at one moment: processes that were killed in it, charges that it refused, and how much it has left."""

    kills: int
    refusals: int
    room_bytes: int


def is_own(before: Look, after: Look, may_use_mib: int) -> bool:
    """Whether a kill between two looks was for memory of those who began to work at the first one, where nobody else did."""
    return after.kills > before.kills and after.refusals > before.refusals and before.room_bytes >= may_use_mib * _MIB


class MemoryCgroup:
    """A new cgroup below this process's own. Raises OSError where it can't be made."""

    def __init__(self) -> None:
        parent, version = _own_directory()
        self._name = f"{_PREFIX}{os.getpid()}"
        self._parent = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        _sweep(self._parent)
        os.mkdir(self._name, dir_fd=self._parent)
        try:
            self._fd = os.open(self._name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._parent)
            limit, events, used = _FILES[version - 1]
            self._limit = self._open(limit, os.O_WRONLY)
            self._events = self._open(events, os.O_RDONLY)
            self._used = self._open(used, os.O_RDONLY)
            self._refusals = self._events if version == 2 else self._open("memory.failcnt", os.O_RDONLY)
            self._procs = self._open("cgroup.procs", os.O_WRONLY)
        except OSError:
            self.remove()
            raise
        self._sample_mib = 0
        self._size_bytes = 0

    def take(self, pid: int) -> None:
        """Moves a process in; what it will start is in with it."""
        os.write(self._procs, str(pid).encode())

    def fit(self, slots: int, memory_mib: int, disk_mib: int) -> None:
        """Makes room for so many samples of that size at once; never less than before."""
        if memory_mib + disk_mib > self._sample_mib:
            self._sample_mib = memory_mib + disk_mib
            self._size_bytes = (_BASE_MIB + slots * (self._sample_mib + _SPARE_MIB)) * _MIB
            os.pwrite(self._limit, str(self._size_bytes).encode(), 0)

    def kills(self) -> int:
        """How many processes the wall has killed so far."""
        words = os.pread(self._events, 4096, 0).split()
        return int(words[words.index(b"oom_kill") + 1])

    def look(self) -> Look:
        """What the kernel counts here now."""
        return Look(self.kills(), self._count_refusals(), self._size_bytes - int(os.pread(self._used, 64, 0)))

    def await_room(self, may_use_mib: int) -> None:
        """Waits a while for memory of others to come back: the kernel frees much of its own only after those who held it are gone."""
        end = time.monotonic() + _PATIENCE_S
        while self.look().room_bytes < may_use_mib * _MIB and time.monotonic() < end:
            time.sleep(0.02)

    def remove(self) -> None:
        """Removes the cgroup, once its last process has gone."""
        for _ in range(50):
            with contextlib.suppress(OSError):
                os.rmdir(self._name, dir_fd=self._parent)
                return
            time.sleep(0.02)  # the kernel lets go of the last process a little after it was waited for

    def _count_refusals(self) -> int:
        words = os.pread(self._refusals, 4096, 0).split()
        return int(words[words.index(b"oom") + 1] if b"oom" in words else words[0])

    def _open(self, name: str, mode: int) -> int:
        return os.open(name, mode | os.O_CLOEXEC, dir_fd=self._fd)


def try_it() -> None:
    """Makes a memory cgroup, and removes it again."""
    made = MemoryCgroup()
    made.fit(1, 64, 0)
    made.kills()
    made.remove()


def _sweep(parent: int) -> None:
    """Removes what launchers left that were killed themselves."""
    for name in os.listdir(parent):
        if name.startswith(_PREFIX):
            try:
                os.kill(int(name[len(_PREFIX) :]), 0)
            except ProcessLookupError:
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=parent)


def _own_directory() -> tuple[str, int]:
    """`(directory of this process's memory cgroup, version)`."""
    with open("/proc/self/cgroup") as lines:
        groups = [line.rstrip("\n").split(":", 2) for line in lines]
    for _, controllers, path in groups:
        if "memory" in controllers.split(","):
            return _mounted("cgroup", "memory", path), 1
    unified = [path for number, controllers, path in groups if number == "0" and not controllers]
    if not unified:
        raise FileNotFoundError(2, "this process is in no memory cgroup")
    directory = _mounted("cgroup2", "", unified[0])
    with open(f"{directory}/cgroup.subtree_control") as enabled:
        if "memory" not in enabled.read().split():
            raise PermissionError(1, f"{directory} doesn't give its memory controller on")
    return directory, 2


def _mounted(kind: str, option: str, path: str) -> str:
    with open("/proc/self/mountinfo") as mounts:
        for line in mounts:
            fields, _, tail = line.partition(" - ")
            words = tail.split()
            if words[0] == kind and (not option or option in words[2].split(",")):
                root, place = fields.split()[3:5]
                return os.path.normpath(f"{place}/{os.path.relpath(path, root)}")
    raise FileNotFoundError(2, f"no {kind} file system with {option or 'its controllers'} is mounted")
