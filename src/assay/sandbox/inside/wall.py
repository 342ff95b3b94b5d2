"""What the last wall is to a server: a memory cgroup round its samples, behind the limits of single processes.

A sample's processes, shared mappings, files on its tmpfs and what the kernel keeps for it all count there. The counters tell that the
kernel ended somebody inside, not for whose memory: it ends whoever is largest, and counts a kill for a full machine or a full container
there too. So a kill is held against a sample only where nobody else was at work inside the wall, its birth left room for all that it may
use, and this very wall was full at its end (`is_own`). Where each slot has a cgroup of its own (cgroup2.py) nobody else ever is; with one
round all (cgroup1.py) only where the engine says so.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import NamedTuple, Protocol

from assay.sandbox.inside.protocol import Spawn

MIB = 1 << 20
PREFIX = "assay-"
BASE_MIB = 1024
"""Room beside the samples' own: for the servers, and for memory of the kernel's (descriptors, pipes, sockets in flight) that comes back a
while after a bomb has ended. With too little of it the next sample runs into the wall.
"""
SPARE_MIB = 64
_TURNS = 50


class Look(NamedTuple):
    """A wall at one moment: processes that were killed inside, charges that it refused, and how much it has left (-1: not looked at)."""

    kills: int
    refusals: int
    room_bytes: int


class Wall(Protocol):
    """The last wall. The launcher builds it, `take`s the server in and in the end `remove`s it; the server does the rest."""

    leaves: tuple[int, ...]
    """Descriptors of the cgroups that the children of each slot are born into; none where they are born into the zygote's."""

    def take(self, pid: int, uid: int) -> None:
        """Moves the server in, which runs as that uid of the host; what it will start is in with it."""

    def open(self) -> None:
        """Opens, in the server, what it works with."""

    def fit(self, spawn: Spawn) -> None:
        """Makes room for a sample in its slot."""

    def look(self, slot: int, *, alone: bool) -> Look:
        """What the kernel counts round a slot; `alone`: nobody else is at work in the other slots."""

    def end(self, slot: int) -> None:
        """Ends what is left in a slot whose sample has ended, where that can be told from others."""

    def remove(self) -> None:
        """Removes all that was made, once the last process has gone."""


def may_use_mib(spawn: Spawn) -> int:
    """Memory and files together."""
    return spawn.memory_mib + spawn.disk_mib


def is_own(before: Look, after: Look, most_mib: int) -> bool:
    """Whether a kill between two looks was for memory of those who began to work at the first one, where nobody else did."""
    return after.kills > before.kills and after.refusals > before.refusals and before.room_bytes >= most_mib * MIB


def sweep(parent: int) -> None:
    """Removes what launchers left in that open directory that were killed themselves."""
    for name in os.listdir(parent):
        number = name[len(PREFIX) :]
        if name.startswith(PREFIX) and number.isdigit():
            try:
                os.kill(int(number), 0)
            except ProcessLookupError:
                dissolve(name, parent, turns=1)
            except PermissionError:
                continue  # somebody else's


def dissolve(name: str, parent: int, turns: int = _TURNS) -> None:
    """Removes a cgroup with those in it; the kernel lets go of the last process a little after it was waited for, so it is tried often."""
    for _ in range(turns):
        with contextlib.suppress(FileNotFoundError):
            fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)
            with contextlib.suppress(OSError):
                for inner in [entry.name for entry in os.scandir(fd) if entry.is_dir(follow_symlinks=False)]:
                    os.rmdir(inner, dir_fd=fd)
            os.close(fd)
        with contextlib.suppress(FileNotFoundError, OSError):
            os.rmdir(name, dir_fd=parent)
        if not _exists(name, parent):
            return
        time.sleep(0.02)


def _exists(name: str, parent: int) -> bool:
    try:
        os.stat(name, dir_fd=parent)
    except FileNotFoundError:
        return False
    return True
