"""Where this process is among the cgroups, and the last wall that can be built there (see `wall`).

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os

from assay.sandbox.inside.cgroup1 import OneRoundAll
from assay.sandbox.inside.cgroup2 import Leaves
from assay.sandbox.inside.clone import Cloner
from assay.sandbox.inside.protocol import Spawn
from assay.sandbox.inside.wall import Wall

_SMALL = Spawn(0, 0, 1.0, 1.0, 1.0, 64, 1, 1, 1, 8)


def build(slots: int, engine: int) -> Wall:
    """The last wall for a server with so many slots, whose engine has that pid. Raises OSError where none can be built."""
    with open("/proc/self/cgroup") as lines:
        groups = [line.rstrip("\n").split(":", 2) for line in lines]
    for _, controllers, path in groups:
        if "memory" in controllers.split(","):
            return OneRoundAll(_mounted("cgroup", "memory", path), slots)
    unified = [path for number, controllers, path in groups if number == "0" and not controllers]
    if not unified:
        raise FileNotFoundError(2, "this process is in no memory cgroup")
    return Leaves(_mounted("cgroup2", "", unified[0]), slots, engine)


def try_it(engine: int) -> None:
    """Builds a wall, has a process live in it, and removes it again."""
    made = build(1, engine)
    try:
        if made.leaves:
            made.take(os.getpid(), os.geteuid())
        else:
            _take_a_child(made)  # this process itself could not be moved out again, and the cgroup not be removed
        made.open()
        made.fit(_SMALL)
        made.look(0, alone=True)
        if made.leaves:
            _live_in(made.leaves[0])
    finally:
        made.remove()


def _take_a_child(made: Wall) -> None:
    waits, ends = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ends)
        os.read(waits, 1)
        os._exit(0)
    try:
        made.take(pid, os.geteuid())
    finally:
        os.close(waits)
        os.close(ends)
        os.waitpid(pid, 0)


def _live_in(leaf: int) -> None:
    cloner = Cloner(0, leaf=leaf)
    pid = cloner.clone()
    if pid == 0:
        os._exit(0)
    if pid < 0:
        raise OSError(-pid, f"clone3 into a cgroup: {os.strerror(-pid)}")
    os.close(cloner.pidfd)
    os.waitpid(pid, 0)


def _mounted(kind: str, option: str, path: str) -> str:
    with open("/proc/self/mountinfo") as mounts:
        for line in mounts:
            fields, _, tail = line.partition(" - ")
            words = tail.split()
            if words[0] == kind and (not option or option in words[2].split(",")):
                root, place = fields.split()[3:5]
                return os.path.normpath(f"{place}/{os.path.relpath(path, root)}")
    raise FileNotFoundError(2, f"no {kind} file system with {option or 'its controllers'} is mounted")
