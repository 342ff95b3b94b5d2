"""Starts fork servers: one interpreter for all that are alike, so that what each of them would load is loaded once.

An interpreter is started by exec, so that this works in a thread, under asyncio and in a daemonic process. It becomes the launcher of the
first server, and clones that of each further one when it has loaded what both need. A clone is a child of this process as well: it lives
and ends by itself, and tells its number first of all.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import math
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from assay.records import Record
from assay.sandbox.inside import BOOT
from assay.sandbox.interpreter import FLAGS, find_sites, real_interpreter

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGE = Path(__file__).parent.parent
_GUEST = _PACKAGE / "guest" / "agent.py"
_FIRST_FREE = 10
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.0005, 0.05


class ServerSpec(Record):
    """What a server is to be.

    `preload` names packages that its children find imported (the numpy flavour); `entry` is a file whose `main` children run instead of
    the role's own; `without` leaves layers out (`namespaces`, `two uids`, `landlock`, `seccomp`), which forces the ladder down.
    Children in different slots run at the same time and see nothing of each other. `processor` is the number of the one that the server
    and judge forks keep to, where waking each other is cheapest; samples may use all that the engine may.
    """

    role: Literal["agent", "judge"]
    python: str = msgspec.field(default_factory=real_interpreter)
    preload: tuple[str, ...] = ()
    minimum_level: str = "L2"
    hash_seed: int = 0
    slots: int = 4
    entry: str | None = None
    without: tuple[str, ...] = ()
    processor: int | None = None

    @property
    def shared(self) -> ServerSpec:
        """What servers must have in common to be started together. Their role is: addresses in a judge's memory are not to be those that a
        sample finds in its own.
        """
        return msgspec.structs.replace(self, processor=None)


class Sibling:
    """A launcher that was cloned from another one. As far as it goes, it is used like a `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, negative where a signal ended it; None while it lives. 0 where somebody else has waited for it."""
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def wait(self, timeout: float = math.inf) -> int:
        """Waits for its end, so many seconds at the most.

        Raises:
            subprocess.TimeoutExpired: It goes on.
        """
        end, pause_s = time.monotonic() + timeout, _FIRST_PAUSE_S
        while (status := self.poll()) is None:
            left_s = end - time.monotonic()
            if left_s <= 0:
                raise subprocess.TimeoutExpired("a launcher", timeout)
            time.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, _LAST_PAUSE_S)
        return status

    def kill(self) -> None:
        """Ends it at once, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)  # a child that nobody has waited for keeps its number

    def __del__(self) -> None:
        """Buries it where it has ended and nobody closed its server."""
        self.poll()


class Launched(NamedTuple):
    """What belongs to a server that was started: our end of its socket, that of what it writes to standard error, its launcher's process.
    There is none yet where that one is to be cloned from another.
    """

    control: socket.socket
    stderr: io.FileIO
    process: subprocess.Popen[bytes] | None


class _Place(NamedTuple):
    """A server to start: our ends of what joins us to it, and the numbers of its own."""

    spec: ServerSpec
    control: socket.socket
    stderr: io.FileIO
    control_fd: int
    clock_fd: int
    words_fd: int


def launch(servers: Sequence[tuple[ServerSpec, int]]) -> list[Launched]:
    """Starts servers, each with the descriptor of its clock page, and waits for none of them.

    Raises:
        OSError: There is no process or descriptor for one; then none is left.
        SettingsError: A package to preload is missing.
    """
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        places = [_place(spec, clock_fd, theirs, ours) for spec, clock_fd in servers]
        processes: dict[int, subprocess.Popen[bytes]] = {}
        for alike in _alike(places):
            processes[alike[0].control_fd] = _start(alike, ours)
        ours.pop_all()
        return [Launched(place.control, place.stderr, processes.get(place.control_fd)) for place in places]


def _alike(places: list[_Place]) -> list[list[_Place]]:
    groups: list[list[_Place]] = []
    for place in places:
        group = next((group for group in groups if group[0].spec.shared == place.spec.shared), None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    return groups


def _place(spec: ServerSpec, clock_fd: int, theirs: contextlib.ExitStack, ours: contextlib.ExitStack) -> _Place:
    """The stacks close what was opened."""
    control, other_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.enter_context(control)
    theirs.enter_context(other_control)
    read_fd, words_fd = os.pipe()
    stderr = ours.enter_context(io.FileIO(read_fd))
    theirs.callback(os.close, words_fd)
    os.set_blocking(read_fd, False)
    own = (_out_of_the_way(fd, theirs) for fd in (other_control.fileno(), clock_fd, words_fd))
    return _Place(spec, control, stderr, *own)


def _out_of_the_way(fd: int, theirs: contextlib.ExitStack) -> int:
    """The descriptor, or a copy where its number is one that standard streams or children take."""
    if fd >= _FIRST_FREE:
        return fd
    copy = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    theirs.callback(os.close, copy)
    return copy


def _start(places: list[_Place], undo: contextlib.ExitStack) -> subprocess.Popen[bytes]:
    spec = places[0].spec
    settings = {
        "role": spec.role,
        "entry": _entry(spec),
        "slots": spec.slots,
        "preload": spec.preload,
        "sites": find_sites(spec.python, spec.preload),
        "minimum_level": spec.minimum_level,
        "without": spec.without,
        "source": str(_PACKAGE),
        "places": [
            {
                "control_fd": place.control_fd,
                "clock_fd": place.clock_fd,
                "words_fd": place.words_fd,
                "processor": place.spec.processor,
            }
            for place in places
        ],
    }
    process = subprocess.Popen(  # noqa: S603 (an interpreter of the user's choice, with our own file)
        [spec.python, *FLAGS, BOOT, json.dumps(settings)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=places[0].words_fd,
        pass_fds=[fd for place in places for fd in place[-3:]],
        cwd="/",
        env=_environment(spec.hash_seed),
        start_new_session=True,  # or Ctrl-C in the engine's terminal would reach every process here
    )
    undo.callback(process.wait)
    undo.callback(process.kill)
    return process


def _entry(spec: ServerSpec) -> str | None:
    if spec.entry is not None:
        return str(Path(spec.entry).resolve())
    return str(_GUEST) if spec.role == "agent" else None


def _environment(hash_seed: int) -> dict[str, str]:
    """All of the environment that a child sees. PYTHONHASHSEED is why the interpreter isn't started with -I, which would ignore it."""
    return {
        "HOME": "/tmp",  # noqa: S108 (the jail's own)
        "TMPDIR": "/tmp",  # noqa: S108 (the jail's own)
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(hash_seed),
        "LD_BIND_NOW": "1",  # or each child would look up the C functions that it is the first to call; taken away before it comes
        "MALLOC_ARENA_MAX": "1",  # or each thread reserves 64 MiB of address space
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
