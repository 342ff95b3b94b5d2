"""The last wall in version 2 of cgroups: a cgroup a slot, into which its samples are born, where a cgroup is delegated to us.

    ours (delegated)            what assay was started in; a process may not stay where controllers are given on (but in the machine's root)
     +- assay-outside           where everything that was in it is meanwhile: engine, launchers, the shell that assay was started from
     +- assay-<pid>             one a launcher; the root of its server's cgroup namespace, whose limits nobody inside may change
         +- server              the server and its zygote, with a limit of their own
         +- slot-0, slot-1 ...  a sample each: its limits on memory, swap and processes; out of memory, all of it ends at once

A sample is born into its cgroup (CLONE_INTO_CGROUP), which costs nothing; a move would wait for all processors. Its limit
stands on top of what still lies in its cgroup, so that a kill there is for its own memory. Who arranges a delegated cgroup holds a lock on
its directory; the last launcher to go puts everything back.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

from assay.sandbox.inside.limits import IDLE_THREADS
from assay.sandbox.inside.protocol import Spawn
from assay.sandbox.inside.wall import BASE_MIB, MIB, PREFIX, SPARE_MIB, Look, dissolve, may_use_mib, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTSIDE = f"{PREFIX}outside"
_STEP_MIB = 16
"""Memory that lies in a slot's cgroup without a sample is looked at in steps of this, so that its limit is seldom written anew."""
_TURNS = 50
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_SERVERS = ("cgroup.procs", "memory.max", "pids.max", "cgroup.kill")
"""What the server needs to write in its slots."""


class Leaves:
    """The cgroups of one server. Raises OSError where they can't be made. This process is inside from then on, until it takes the server
    in: a server's cgroup namespace has its root where its parent is, and it may give birth below that only.

    Args:
        place: The directory of this process's cgroup.
        slots: How many.
        engine: The pid of the process that assay is, which is moved out of the way with all that are of its tree.
    """

    def __init__(self, place: str, slots: int, engine: int) -> None:
        self._ours = os.open(os.path.dirname(place) if os.path.basename(place) == OUTSIDE else place, _DIRECTORY)
        self._name = f"{PREFIX}{os.getpid()}"
        self._slots = slots
        self._names = ["server", *(f"slot-{slot}" for slot in range(slots))]
        self._limits: list[tuple[int, int]] = [(0, 0)] * slots
        self.leaves: tuple[int, ...] = ()
        with _locked(self._ours):
            sweep(self._ours)
            self._moved = _arrange(self._ours, engine)
            os.mkdir(self._name, dir_fd=self._ours)
        try:
            self._enter()
        except OSError:
            self.remove()
            raise

    def _enter(self) -> None:
        self._fd = os.open(self._name, _DIRECTORY, dir_fd=self._ours)
        for name in self._names:
            os.mkdir(name, dir_fd=self._fd)
        self._server, *leaves = (os.open(name, _DIRECTORY, dir_fd=self._fd) for name in self._names)
        self.leaves = tuple(leaves)
        self._home = os.open(
            f"{OUTSIDE}/cgroup.procs" if self._moved else "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self._ours
        )
        _write(self._fd, "cgroup.procs", "0")

    def take(self, pid: int, uid: int) -> None:
        """Moves the server in and this process out; only then can controllers be given on."""
        _write(self._server, "cgroup.procs", str(pid))
        os.write(self._home, b"0")
        _write(self._fd, "cgroup.subtree_control", "+memory")
        with contextlib.suppress(OSError):
            _write(self._fd, "cgroup.subtree_control", "+pids")
        _write(self._server, "memory.max", str(BASE_MIB * MIB))
        for leaf in self.leaves:
            _write(leaf, "memory.oom.group", "1")
            with contextlib.suppress(OSError):  # without it a sample could grow into swap, where it isn't looked for
                _write(leaf, "memory.swap.max", "0")
        if uid != os.geteuid():
            self._hand_over(uid)

    def open(self) -> None:
        """Opens, in the server, what it works with."""
        self._most = self._open_each("memory.max", os.O_WRONLY)
        self._events = self._open_each("memory.events", os.O_RDONLY)
        self._used = self._open_each("memory.current", os.O_RDONLY)
        try:
            self._processes = self._open_each("pids.max", os.O_WRONLY)
        except OSError:
            self._processes = []

    def fit(self, spawn: Spawn) -> None:
        """Holds a slot to what its next sample may use, beside what still lies there of the one before."""
        slot = spawn.slot
        left_mib = -(-self._used_bytes(slot) // (_STEP_MIB * MIB)) * _STEP_MIB
        wanted = (left_mib + may_use_mib(spawn) + SPARE_MIB, spawn.processes + IDLE_THREADS)
        if wanted == self._limits[slot]:
            return
        self._limits[slot] = wanted
        os.pwrite(self._most[slot], str(wanted[0] * MIB).encode(), 0)
        if self._processes:
            os.pwrite(self._processes[slot], str(wanted[1]).encode(), 0)

    def look(self, slot: int, *, alone: bool) -> Look:  # noqa: ARG002 (every sample is, in its cgroup)
        """What the kernel counts in the slot's cgroup now."""
        words = os.pread(self._events[slot], 4096, 0).split()
        kills, refusals = (int(words[words.index(word) + 1]) for word in (b"oom_kill", b"oom"))
        return Look(kills, refusals, self._limits[slot][0] * MIB - self._used_bytes(slot))

    def end(self, slot: int) -> None:
        """Ends whatever is left in the slot."""
        _write(self.leaves[slot], "cgroup.kill", "1")

    def remove(self) -> None:
        """Removes the cgroups, once the last process has gone; the last of several launchers puts back what was moved out of the way."""
        with contextlib.suppress(OSError, AttributeError):
            os.write(self._home, b"0")
        dissolve(self._name, self._ours)
        with _locked(self._ours), contextlib.suppress(OSError):
            if self._moved and not _others(self._ours):
                _put_back(self._ours)

    def _hand_over(self, uid: int) -> None:
        """The server may be another uid: what it writes to becomes its own, also above its slots, or it may give birth to nobody there."""
        os.chown("cgroup.procs", uid, -1, dir_fd=self._fd)
        for leaf in self.leaves:
            for name in _SERVERS:
                with contextlib.suppress(FileNotFoundError):  # no pids controller; a kernel before 5.14
                    os.chown(name, uid, -1, dir_fd=leaf)

    def _open_each(self, name: str, mode: int) -> list[int]:
        return [os.open(name, mode | os.O_CLOEXEC, dir_fd=leaf) for leaf in self.leaves]

    def _used_bytes(self, slot: int) -> int:
        return int(os.pread(self._used[slot], 64, 0))


def _arrange(ours: int, engine: int) -> bool:
    """Has the delegated cgroup give its memory controller on; whether processes had to be moved out of the way for that."""
    if "memory" not in _read(ours, "cgroup.controllers").split():
        raise PermissionError(1, f"{_path(ours)} was given no memory controller")
    if not _exists(ours, "cgroup.type"):  # the machine's root: there processes may stay
        _write(ours, "cgroup.subtree_control", "+memory +pids")
        return False
    if "memory" in _read(ours, "cgroup.subtree_control").split():
        return True
    with contextlib.suppress(FileExistsError):
        os.mkdir(OUTSIDE, dir_fd=ours)
    try:
        _move_out(ours, engine)
        _write(ours, "cgroup.subtree_control", "+memory")
    except OSError as error:
        who = _who(ours)
        _put_back(ours)
        raise PermissionError(1, f"{_path(ours)} can't give its memory controller on: {who or error}") from error
    with contextlib.suppress(OSError):
        _write(ours, "cgroup.subtree_control", "+pids")
    return True


def _move_out(ours: int, engine: int) -> None:
    """Moves everything that is ours to move; in a container's whole tree that is all there is."""
    whole = os.path.ismount(_path(ours))
    for _ in range(_TURNS):
        pids = [pid for pid in _pids(ours) if whole or _are_kin(pid, engine)]
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                _write(ours, f"{OUTSIDE}/cgroup.procs", str(pid))


def _put_back(ours: int) -> None:
    """Takes the controllers away again, and moves all that were moved back to where they were."""
    with contextlib.suppress(OSError):
        _write(ours, "cgroup.subtree_control", "-memory -pids")
    for _ in range(_TURNS):
        for pid in _pids(ours, OUTSIDE):
            with contextlib.suppress(OSError):
                _write(ours, "cgroup.procs", str(pid))
        with contextlib.suppress(OSError):
            os.rmdir(OUTSIDE, dir_fd=ours)
            return
        time.sleep(0.01)


def _who(ours: int) -> str:
    """Who is left in the delegated cgroup: processes that are not ours to move."""
    names = sorted({name for pid in _pids(ours) for name in _name_of(pid)})
    return f"processes that are not assay's are in it: {', '.join(names[:5])}" if names else ""


def _name_of(pid: int) -> list[str]:
    try:
        with open(f"/proc/{pid}/comm") as name:
            return [name.read().strip()]
    except OSError:
        return []


def _are_kin(pid: int, engine: int) -> bool:
    """Whether a process was started by the engine, or one of those that started the engine."""
    return engine in _line_of(pid) or pid in _line_of(engine)


def _line_of(pid: int) -> list[int]:
    """A process, who started it, who started that, as far as it can be seen."""
    line: list[int] = []
    while pid > 0 and pid not in line:
        line.append(pid)
        try:
            with open(f"/proc/{pid}/stat", "rb") as stat:
                pid = int(stat.read().rpartition(b")")[2].split()[1])
        except OSError:
            break
    return line


def _others(ours: int) -> bool:
    """Whether a launcher is still there."""
    return any(name.startswith(PREFIX) and name[len(PREFIX) :].isdigit() for name in os.listdir(ours))


@contextlib.contextmanager
def _locked(directory: int) -> Iterator[None]:
    fcntl.flock(directory, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(directory, fcntl.LOCK_UN)


def _pids(directory: int, name: str = ".") -> list[int]:
    """The processes in a cgroup; what lies in another pid namespace has no number here."""
    return [int(pid) for pid in _read(directory, f"{name}/cgroup.procs").split() if pid != "0"]


def _path(directory: int) -> str:
    return os.readlink(f"/proc/self/fd/{directory}")


def _exists(directory: int, name: str) -> bool:
    return os.access(name, os.F_OK, dir_fd=directory)


def _read(directory: int, name: str) -> str:
    fd = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=directory)
    with os.fdopen(fd) as file:
        return file.read()


def _write(directory: int, name: str, text: str) -> None:
    fd = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
