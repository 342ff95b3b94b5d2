"""The engine's end of a fork server: starts it, sends it children to run, takes their facts.

A server is a process tree of ours: a launcher that watches, the server itself (pid 1 of its jail), and one child a sample. Everything that
it started ends with it, and it ends with the engine, however that ends.
"""

from __future__ import annotations

import contextlib
import select
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from assay.errors import SandboxError, SandboxUnavailable, SettingsError
from assay.records import Execution, Isolation, Limits, StoppedBy
from assay.sandbox.doctor import this_host
from assay.sandbox.inside import protocol
from assay.sandbox.launch import Sibling, launch
from assay.sandbox.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.sandbox.inside.protocol import Lines
    from assay.sandbox.launch import Launched, ServerSpec

START_S = 60.0
"""How long a server may take to start."""

_END_S = 5.0
_WORDS_BYTES = 65536
_ONE_DESCRIPTOR = socket.CMSG_LEN(4)
_WITHOUT_WAITING = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC


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

    def __init__(self, role: str, launched: Launched) -> None:
        self._role = role
        self._control, self._stderr = launched.control, launched.stderr
        self._process: subprocess.Popen[bytes] | Sibling | None = launched.process
        self._words = b""
        self._ready = False
        self._ends_by: float | None = None
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
        (server,) = cls.launch([(spec, clock_fd)])
        server.wait_ready()
        return server

    @classmethod
    def launch(cls, servers: Sequence[tuple[ServerSpec, int]]) -> list[ForkServer]:
        """Starts servers without waiting: each is to be used only once it `is_ready`. Those that are alike share an interpreter's start.

        Args:
            servers: What each is to be, and its clock page, as for `start`.

        Raises:
            OSError: There is no process or descriptor for one; then none is started.
            SettingsError: A package to preload is missing.
        """
        started = launch(servers)
        return [cls(spec.role, launched) for (spec, _), launched in zip(servers, started, strict=True)]

    def is_ready(self) -> bool:
        """Takes what the server has said since it was launched, without waiting; whether it is ready by now. Closes it where it breaks.

        Raises:
            SandboxUnavailable: This machine doesn't give the level that was asked for.
            SandboxError: The server broke while starting; the message has its own words.
        """
        try:
            while not self._ready:
                try:
                    self._take(self._control.recv(protocol.DATAGRAM_BYTES, socket.MSG_DONTWAIT))
                except BlockingIOError:
                    return False
                except OSError as error:
                    raise self._death() from error
        except BaseException:
            self.close()
            raise
        return True

    def wait_ready(self, patience_s: float = START_S) -> None:
        """Waits until the server is ready; closes it where it does not get so far.

        Raises:
            SandboxUnavailable: As `is_ready`.
            SandboxError: As `is_ready`, or it takes too long.
        """
        end = time.monotonic() + patience_s
        while not self.is_ready():
            if not self._speaks_within(end - time.monotonic()):
                self.close()
                raise SandboxError(f"the {self._role} server didn't get ready within {patience_s:g} s")

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
        if data[:1] == protocol.BORN:
            return ()  # told by the other one too, late
        if data[:1] != protocol.REPORT:
            raise self._death(data)
        return [
            Ended(each.child_id, _execution(each), each.kept, each.agreed, each.asked_s, each.followed)
            for each in protocol.unpack_reports(data)
        ]

    def hang_up(self) -> None:
        """Has the server begin to end, and waits for nothing. Only `close` may come after it."""
        if self._ends_by is None:
            self._ends_by = time.monotonic() + _END_S
            with contextlib.suppress(OSError):  # the server may be gone
                # closing alone would tell it nothing where a fork of this process holds the socket too; a launcher that is not there yet
                # has still to say which process it is
                self._control.shutdown(socket.SHUT_WR if self._process is None else socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends the server and everything that it started, and waits for the end: a few seconds from `hang_up` at the most. May be called
        twice.
        """
        self.hang_up()
        assert self._ends_by is not None
        self._meet_launcher(self._ends_by)
        self._control.close()
        if self._process is not None:
            try:
                self._process.wait(max(0.0, self._ends_by - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._read_words()
        self._stderr.close()

    def _take(self, data: bytes) -> None:
        """Takes a message of a server that starts."""
        if data[:1] == protocol.BORN:
            self._take_birth(data)
        elif data[:1] == protocol.READY:
            self.isolation = msgspec.json.decode(data[1:], type=Isolation)
            self._ready = True
        else:
            raise self._death(data)

    def _take_birth(self, data: bytes) -> None:
        """Two tell which process a cloned launcher is: itself, and whoever cloned it, since one of them may be killed just then."""
        if self._process is None:
            self._process = Sibling(protocol.unpack_born(data))

    def _meet_launcher(self, end: float) -> None:
        """Learns which process it is, where that isn't known: it will be a child of ours, to be waited for, if it comes at all."""
        while self._process is None and self._control.fileno() >= 0 and self._speaks_within(end - time.monotonic()):
            try:
                data = self._control.recv(protocol.DATAGRAM_BYTES, socket.MSG_DONTWAIT)
            except OSError:
                return
            if not data:
                return
            if data[:1] == protocol.BORN:
                self._take_birth(data)

    def _speaks_within(self, patience_s: float) -> bool:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        return bool(poll.poll(max(0.0, patience_s) * 1000))

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
                if self._process is not None:
                    self._process.wait(1.0)
            self._read_words()
        words = facts.get("error") or self._words.decode("utf-8", "replace").strip()
        status = None if self._process is None else self._process.poll()
        return SandboxError(f"the sandbox server died (status {status}): {words or 'it said nothing'}")

    def _read_words(self) -> None:
        if not self._stderr.closed:
            self._words += self._stderr.read(_WORDS_BYTES) or b""


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
