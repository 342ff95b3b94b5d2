"""The engine's end of a fork server: starts it, sends it children to run, takes their facts.

A server is a process tree of ours: a launcher that watches, the server itself (pid 1 of its jail), and one child a sample. It is started by
exec, so it may be started from a thread, from asyncio or from a daemonic process. Everything that it started ends with it, and it ends
with the engine, however that ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from assay.errors import SandboxError, SandboxUnavailable, SettingsError
from assay.records import Execution, Isolation, Limits, Record, StoppedBy
from assay.sandbox.doctor import this_host
from assay.sandbox.inside import BOOT, protocol
from assay.sandbox.interpreter import FLAGS, find_sites, real_interpreter
from assay.sandbox.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.sandbox.inside.protocol import Lines

_PACKAGE = Path(__file__).parent.parent
_GUEST = _PACKAGE / "guest" / "agent.py"
_START_S = 60.0
_END_S = 5.0
_WORDS_BYTES = 65536
_ONE_DESCRIPTOR = socket.CMSG_LEN(4)
_WITHOUT_WAITING = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC


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


class Ended(NamedTuple):
    """A child that has ended. `kept`, `agreed`, `asked_s`, `followed`: as `protocol.Report`, where it had lines."""

    child_id: int
    facts: Execution
    kept: bool
    agreed: bool
    asked_s: float
    followed: bool


class Handover(NamedTuple):
    """A child that has said something else than its lines: all that it has said, and our end of its session, the receiver's to close."""

    child_id: int
    heard: bytes
    session: socket.socket


class ForkServer:
    """A running fork server. One thread at a time may use it. `isolation` is what its children really run under."""

    def __init__(self, role: str, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._role = role
        self._process = process
        self._control = control
        self._words = b""
        self.isolation = Isolation(level="L0", layers=())

    @classmethod
    def start(cls, spec: ServerSpec, clock_fd: int) -> ForkServer:
        """Starts a server and waits until it is ready (it has run one empty child by then).

        Args:
            spec: What it is to be.
            clock_fd: The clock page that it shares with its judge or agent server (`ClockPage.fileno()`), of at least as many slots.

        Raises:
            OSError: There is no process or descriptor for it.
            SandboxUnavailable: This machine doesn't give `spec.minimum_level`.
            SandboxError: The server broke while starting; the message has its own words.
            SettingsError: A package to preload is missing.
        """
        server = cls.launch(spec, clock_fd)
        server.wait_ready()
        return server

    @classmethod
    def launch(cls, spec: ServerSpec, clock_fd: int) -> ForkServer:
        """Starts a server without waiting: it is to be used only after `wait_ready`, which does not block once `fileno()` is readable.

        Raises:
            OSError: There is no process or descriptor for it.
            SettingsError: A package to preload is missing.
        """
        sites = find_sites(spec.python, spec.preload)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                process = _launch(_settings(spec, sites, theirs.fileno(), clock_fd), spec)
            except OSError:
                ours.close()
                raise
        return cls(spec.role, process, ours)

    def wait_ready(self) -> None:
        """Waits until the server is ready; closes it where it does not get so far.

        Raises:
            SandboxUnavailable: This machine doesn't give the level that was asked for.
            SandboxError: The server broke while starting; the message has its own words.
        """
        try:
            self._await_ready()
        except BaseException:
            self.close()
            raise

    def fileno(self) -> int:
        """The descriptor to wait on: readable when `receive` has something."""
        return self._control.fileno()

    def spawn(self, child_id: int, slot: int, limits: Limits, session_fd: int, *, alone: bool = False) -> None:
        """Starts a child in a free slot, with a copy of `session_fd` as its descriptor 3.

        Args:
            child_id: The caller's number for it, above 0; no two living children may share it.
            slot: Which slot, from 0; it is free again when the child's facts have come.
            limits: What it may use. A judge's `time_s` is the longest stretch of computing; its other times count only where given.
            session_fd: Stays the caller's to close.
            alone: No other child is at work until this one has ended, so that memory that runs out meanwhile is its own.

        Raises:
            SandboxError: The server died.
            SettingsError: The limits ask for a network.
        """
        request = _request(child_id, slot, limits, self._role)._replace(alone=alone)
        self._send(protocol.pack_spawn(request), [session_fd])

    def spawn_to_say(self, child_id: int, slot: int, limits: Limits, lines: Lines, *, alone: bool = False) -> None:
        """Starts a child that is known to be right if it says these lines. The server speaks to it and listens; `receive` gives a
        `Handover` once it says something else to the opening, or ends, or hits a limit, before it has said all. After one that has said
        all, the next of `lines.further` is started in its place, under its id; the end of the one before is told as `followed` then.

        Raises:
            SandboxError: The server died.
            SettingsError: The limits ask for a network.
        """
        request = _request(child_id, slot, limits, self._role)._replace(alone=alone)
        self._send(protocol.pack_spawn(request, lines), [])

    def kill(self, child_id: int) -> None:
        """Ends a child that is no longer needed; its facts come all the same, with `killed`. One that has ended is left alone.

        Raises:
            SandboxError: The server died.
        """
        self._send(protocol.pack_kill(child_id), [])

    def receive(self) -> Sequence[Ended | Handover]:
        """What the server tells next, in the order in which it happened; nothing where there is nothing. Doesn't wait.

        Raises:
            SandboxError: The server died, or there is no descriptor left for what it hands over.
        """
        try:
            # not `socket.recv_fds`, which heeds no flags
            data, ancillary, _, _ = self._control.recvmsg(protocol.DATAGRAM_BYTES, _ONE_DESCRIPTOR, _WITHOUT_WAITING)
        except BlockingIOError:
            return ()
        except OSError as error:
            raise self._death() from error
        if data[:1] == protocol.HANDOVER:
            if not ancillary:
                raise SandboxError("there is no descriptor for a sample's socket")
            fd = int.from_bytes(ancillary[0][2], sys.byteorder)
            session = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fd)  # its kind told, or the kernel is asked
            return (Handover(*protocol.unpack_handover(data), session),)
        if data[:1] != protocol.REPORT:
            raise self._death(data)
        return [
            Ended(each.child_id, _execution(each), each.kept, each.agreed, each.asked_s, each.followed)
            for each in protocol.unpack_reports(data)
        ]

    def close(self) -> None:
        """Ends the server and everything that it started, and waits for the end. May be called twice."""
        with contextlib.suppress(OSError):  # the server may be gone
            # closing alone would tell it nothing where a fork of this process holds the socket too
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._read_words()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _await_ready(self) -> None:
        self._control.settimeout(_START_S)
        try:
            data = self._control.recv(protocol.DATAGRAM_BYTES)
        except TimeoutError:
            raise SandboxError(f"the {self._role} server didn't get ready within {_START_S:g} s") from None
        except OSError as error:
            raise self._death() from error
        if data[:1] != protocol.READY:
            raise self._death(data)
        self._control.settimeout(None)  # with a timeout set, recv would wait for it whatever MSG_DONTWAIT says
        self.isolation = msgspec.json.decode(data[1:], type=Isolation)

    def _send(self, data: bytes, fds: list[int]) -> None:
        try:
            socket.send_fds(self._control, [data], fds)
        except OSError as error:
            raise self._death() from error

    def _death(self, data: bytes = b"") -> SandboxError:
        """The exception that says why the server is gone, in its own words where it left any."""
        facts: dict[str, Any] = msgspec.json.decode(data[1:]) if data else {}
        if data[:1] == protocol.REFUSED:
            words = remedy(facts["layer"], this_host(), facts["level"], facts["wanted"])
            return SandboxUnavailable(facts["layer"], facts["reason"], words)
        if not data:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
            self._read_words()
        words = facts.get("error") or self._words.decode("utf-8", "replace").strip()
        return SandboxError(f"the sandbox server died (status {self._process.poll()}): {words or 'it said nothing'}")

    def _read_words(self) -> None:
        if self._process.stderr is not None and not self._process.stderr.closed:
            with contextlib.suppress(BlockingIOError):
                self._words += os.read(self._process.stderr.fileno(), _WORDS_BYTES)


def _request(child_id: int, slot: int, limits: Limits, role: str) -> protocol.Spawn:
    """The request's numbers. An agent's CPU and wall time have defaults; a judge fork lives as long as its problem has samples."""
    if limits.network:
        raise SettingsError(
            "limits.network is true, and no sandbox here gives a sample a network", hint="leave it false"
        )
    agent = role == "agent"
    cpu_s, wall_s = (limits.time_s, limits.clock_s) if agent else (protocol.UNSET, protocol.UNSET)
    return protocol.Spawn(
        child_id,
        slot,
        limits.time_s,
        cpu_s if limits.cpu_s is None else limits.cpu_s,
        wall_s if limits.wall_s is None else limits.wall_s,
        limits.memory_mib,
        limits.processes,
        limits.output_kib,
        limits.disk_mib,
        limits.open_files,
    )


def _settings(spec: ServerSpec, sites: list[str], control_fd: int, clock_fd: int) -> dict[str, Any]:
    """The launcher's `Settings`."""
    return {
        "role": spec.role,
        "entry": _entry(spec),
        "control_fd": control_fd,
        "clock_fd": clock_fd,
        "slots": spec.slots,
        "preload": spec.preload,
        "sites": sites,
        "minimum_level": spec.minimum_level,
        "without": spec.without,
        "source": str(_PACKAGE),
        "processor": spec.processor,
    }


def _launch(settings: dict[str, Any], spec: ServerSpec) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 (an interpreter of the user's choice, with our own file)
        [spec.python, *FLAGS, BOOT, json.dumps(settings)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(settings["control_fd"], settings["clock_fd"]),
        cwd="/",
        env=_environment(spec.hash_seed),
        start_new_session=True,  # or Ctrl-C in the engine's terminal would reach every process here
    )
    if process.stderr is not None:
        os.set_blocking(process.stderr.fileno(), False)
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


def _execution(report: protocol.Report) -> Execution:
    stop = protocol.STOPS[report.stop]
    return Execution(
        exit_code=report.exit_code if report.exit_code >= 0 else None,
        signal=report.signal if report.signal >= 0 else None,
        stopped_by=StoppedBy(stop) if stop else None,
        killed=report.killed,
        bystander=report.bystander,
        time_s=report.time_s,
        cpu_s=report.cpu_s,
        wall_s=report.wall_s,
        peak_mib=report.peak_mib,
        stdout=str(report.stdout, "utf-8", "replace"),
        stderr=str(report.stderr, "utf-8", "replace"),
    )
