"""Starts fork servers: one interpreter for all that are alike, so that what each of them would load is loaded once.

An interpreter is started by exec, so that this works in a thread, under asyncio and in a daemonic process. It becomes the launcher of the
first server, and clones that of each further one when it has loaded what both need. A clone is a child of this process as well: it lives
and ends by itself, and tells its number first of all.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from assay.records import Record
from assay.sandbox.inside import BOOT
from assay.sandbox.interpreter import FLAGS, find_sites, real_interpreter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_PACKAGE = Path(__file__).parent.parent
_GUEST = _PACKAGE / "guest" / "agent.py"


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
    """A launcher that was cloned from another one. As far as it goes, it is used like a `subprocess.Popen`.

    Raises:
        OSError: There is no descriptor for it.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None
        self._pidfd = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Its exit status, negative where a signal ended it; None while it lives. 0 where somebody else has waited for it."""
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
                os.close(self._pidfd)
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end, so many seconds at the most.

        Raises:
            subprocess.TimeoutExpired: It goes on.
        """
        if self.poll() is None:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            poll.poll(None if timeout is None else timeout * 1000)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("a launcher", timeout or 0.0)
        return status

    def kill(self) -> None:
        """Ends it at once, unless it has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)


class Launched(NamedTuple):
    """What belongs to a server that was started: our end of its socket, that of what it writes to standard error, its launcher's process.
    There is none yet where that one is to be cloned from another.
    """

    control: socket.socket
    words: int
    process: subprocess.Popen[bytes] | None


class _Place(NamedTuple):
    """A server to start, and both ends of what joins us to it."""

    spec: ServerSpec
    clock: int
    control: tuple[socket.socket, socket.socket]
    words: tuple[int, int]


def launch(servers: Sequence[tuple[ServerSpec, int]]) -> list[Launched]:
    """Starts servers, each with the descriptor of its clock page, and waits for none of them.

    Raises:
        OSError: There is no process or descriptor for one; then none is left.
        SettingsError: A package to preload is missing.
    """
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        places = [_place(spec, clock, theirs, ours) for spec, clock in servers]
        launched: dict[int, Launched] = {}
        for alike in _alike(places):
            first, *others = alike
            process = _start(alike, ours)
            launched[id(first)] = Launched(first.control[0], first.words[0], process)
            launched |= {id(place): Launched(place.control[0], place.words[0], None) for place in others}
        ours.pop_all()
        return [launched[id(place)] for place in places]


def _alike(places: list[_Place]) -> list[list[_Place]]:
    groups: list[list[_Place]] = []
    for place in places:
        group = next((group for group in groups if group[0].spec.shared == place.spec.shared), None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    return groups


def _place(spec: ServerSpec, clock: int, theirs: contextlib.ExitStack, ours: contextlib.ExitStack) -> _Place:
    """The stacks close what was opened."""
    control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for stack, end in zip((ours, theirs), control, strict=True):
        stack.enter_context(end)
    words = os.pipe()
    for stack, fd in zip((ours, theirs), words, strict=True):
        stack.callback(os.close, fd)
    os.set_blocking(words[0], False)
    return _Place(spec, clock, control, words)


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
                "control_fd": place.control[1].fileno(),
                "clock_fd": place.clock,
                "words_fd": place.words[1],
                "processor": place.spec.processor,
            }
            for place in places
        ],
    }
    process = subprocess.Popen(  # noqa: S603 (an interpreter of the user's choice, with our own file)
        [spec.python, *FLAGS, BOOT, json.dumps(settings)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=places[0].words[1],
        pass_fds=[*_descriptors(places)],
        cwd="/",
        env=_environment(spec.hash_seed),
        start_new_session=True,  # or Ctrl-C in the engine's terminal would reach every process here
    )
    undo.callback(process.wait)
    undo.callback(process.kill)
    return process


def _descriptors(places: Iterable[_Place]) -> Iterator[int]:
    for place in places:
        yield from (place.control[1].fileno(), place.clock, place.words[1])


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
