"""Messages between the engine and a fork server: one datagram each, a fixed head of numbers, output behind it.

Spawn requests carry the session's descriptor by SCM_RIGHTS, unless they have `Lines`: then the server makes the session, and hands it over
by the same way if the child says something else. Both ends are ours; nothing here is ever written by a sample, save the text of its
output, which is cut to `KEPT_BYTES` a stream, and what was heard of it when it is handed over, which nobody here reads.
Runs inside the server process too: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import NamedTuple

KEPT_BYTES = 8192
"""How much of each output stream is kept for the facts."""

DATAGRAM_BYTES = 65536
"""Above the largest message of either side."""

MOST_LINES_BYTES = 40_000
"""Lines that are longer, all together, don't fit into a request with all that goes with them."""

SPAWN, KILL, BORN, READY, REFUSED, BROKEN, REPORT, HANDOVER = b"S", b"K", b"P", b"R", b"U", b"B", b"F", b"H"

STOPS = ("", "time", "cpu", "wall", "memory", "output", "processes")
"""Which limit ended a run; the index is what travels."""

_SPAWN = struct.Struct("<c?HIQdddIIIII")
_KILL = struct.Struct("<cxxxxxxxQ")
_BORN = struct.Struct("<cI")
_REPORT = struct.Struct("<cB??iiQdddddII???")
_COUNT = struct.Struct("<I")
_HANDOVER = struct.Struct("<cxxxxxxxQ")
UNSET = -1.0


class Spawn(NamedTuple):
    """One child to start: its limits in the units of their names, `UNSET` where a limit isn't set. `alone`: nothing else is at work."""

    child_id: int
    slot: int
    time_s: float
    cpu_s: float
    wall_s: float
    memory_mib: int
    processes: int
    output_kib: int
    disk_mib: int
    open_files: int
    alone: bool = False


class Lines(NamedTuple):
    """What is said to a child and what a right one says: an opening and the replies to it, then, if there are any, questions and the
    answers to them. All as it goes over the session's socket. `further` are the openings of children that come after it in its slot, one
    after the other, as long as each says all that is wanted; for the rest they have the same lines.
    """

    opening: bytes
    replies: bytes
    questions: bytes
    answers: bytes
    further: tuple[bytes, ...] = ()

    @property
    def size_bytes(self) -> int:
        """Bytes of all of it."""
        return sum(map(len, (*self[:4], *self.further)))


class Report(NamedTuple):
    """The facts about one child that has ended: exit code or signal (the other is -1), which limit, what it used.

    `bystander`: the kernel ended it, or a process of it, for want of memory that it isn't known to have used. `kept`: it had lines, and
    said all that a right one replies to the opening; `agreed`: and all that it answers to the questions; `asked_s` is how long these took,
    on the clock. `followed`: a child with the same id comes after it, which a further report is about.
    """

    child_id: int
    exit_code: int
    signal: int
    stop: int
    killed: bool
    bystander: bool
    time_s: float
    cpu_s: float
    wall_s: float
    peak_mib: float
    stdout: bytes | memoryview
    stderr: bytes | memoryview
    kept: bool = False
    agreed: bool = False
    asked_s: float = 0.0
    followed: bool = False


def pack_spawn(spawn: Spawn, lines: Lines | None = None) -> bytes:
    """The request's bytes."""
    head = _SPAWN.pack(SPAWN, spawn.alone, spawn.slot, 0, spawn.child_id, *spawn[2:-1])
    if lines is None:
        return head
    pieces = (*lines[:4], *lines.further)
    lengths = struct.pack(f"<{len(pieces)}I", *map(len, pieces))
    return b"".join((head, _COUNT.pack(len(pieces)), lengths, *pieces))


def unpack_spawn(data: bytes) -> Spawn:
    """The request from its bytes."""
    _, alone, slot, _, child_id, *limits = _SPAWN.unpack_from(data)
    return Spawn._make((child_id, slot, *limits, alone))


def unpack_lines(data: bytes) -> Lines | None:
    """The request's lines, if it has any."""
    if len(data) == _SPAWN.size:
        return None
    (count,) = _COUNT.unpack_from(data, _SPAWN.size)
    at = _SPAWN.size + _COUNT.size
    ends = [*accumulate(struct.unpack_from(f"<{count}I", data, at), initial=at + _COUNT.size * count)]
    opening, replies, questions, answers, *further = (data[start:end] for start, end in zip(ends, ends[1:]))
    return Lines(opening, replies, questions, answers, tuple(further))


def pack_handover(child_id: int, heard: bytes) -> list[bytes]:
    """What goes with the session of a child that has said something else than its lines: all that it has said."""
    return [_HANDOVER.pack(HANDOVER, child_id), heard]


def unpack_handover(data: bytes) -> tuple[int, bytes]:
    """The child's id, and what it has said."""
    return int(_HANDOVER.unpack_from(data)[1]), data[_HANDOVER.size :]


def pack_kill(child_id: int) -> bytes:
    """A request to end a child that is no longer needed."""
    return _KILL.pack(KILL, child_id)


def unpack_kill(data: bytes) -> int:
    """The child's id."""
    return int(_KILL.unpack(data)[1])


def pack_born(pid: int) -> bytes:
    """What a launcher says that was cloned from another."""
    return _BORN.pack(BORN, pid)


def unpack_born(data: bytes) -> int:
    """Its process number."""
    return int(_BORN.unpack(data)[1])


def pack_report(report: Report) -> list[bytes | memoryview]:
    """The facts' bytes in pieces, of which a datagram may hold several reports': output is sent from where it lies (see `output`)."""
    head = _REPORT.pack(
        REPORT,
        report.stop,
        report.killed,
        report.bystander,
        report.exit_code,
        report.signal,
        report.child_id,
        report.time_s,
        report.cpu_s,
        report.wall_s,
        report.peak_mib,
        report.asked_s,
        len(report.stdout),
        len(report.stderr),
        report.kept,
        report.agreed,
        report.followed,
    )
    return [head, report.stdout, report.stderr]


def unpack_reports(data: bytes) -> list[Report]:
    """The facts from a datagram's bytes."""
    reports, at = [], 0
    while at < len(data):
        _, stop, killed, bystander, exit_code, signal, child_id, *used, outs, errs, kept, agreed, followed = (
            _REPORT.unpack_from(data, at)
        )
        time_s, cpu_s, wall_s, peak_mib, asked_s = used
        middle = at + _REPORT.size + outs
        out, err = data[at + _REPORT.size : middle], data[middle : middle + errs]
        facts = (child_id, exit_code, signal, stop, killed, bystander, time_s, cpu_s, wall_s, peak_mib)
        reports.append(Report(*facts, out, err, kept, agreed, asked_s, followed))
        at = middle + errs
    return reports
