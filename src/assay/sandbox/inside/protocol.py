"""Messages between the engine and a fork server: one datagram each, a fixed head of numbers, output behind it.

Spawn requests carry the session's descriptor by SCM_RIGHTS. Both ends are ours; nothing here is ever written by a sample, save the text
of its output, which is cut to `KEPT_BYTES` a stream. Runs inside the server process too: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

KEPT_BYTES = 8192
"""How much of each output stream is kept for the facts."""

DATAGRAM_BYTES = 65536
"""Above the largest message of either side."""

SPAWN, KILL, READY, REFUSED, BROKEN, REPORT = b"S", b"K", b"R", b"U", b"B", b"F"

STOPS = ("", "time", "cpu", "wall", "memory", "output", "processes")
"""Which limit ended a run; the index is what travels."""

_SPAWN = struct.Struct("<c?HIQdddIIIII")
_KILL = struct.Struct("<cxxxxxxxQ")
_REPORT = struct.Struct("<cB??iiQddddII")
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


class Report(NamedTuple):
    """The facts about one child that has ended: exit code or signal (the other is -1), which limit, what it used.

    `bystander`: the kernel ended it, or a process of it, for want of memory that it isn't known to have used.
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


def pack_spawn(spawn: Spawn) -> bytes:
    """The request's bytes."""
    return _SPAWN.pack(SPAWN, spawn.alone, spawn.slot, 0, spawn.child_id, *spawn[2:-1])


def unpack_spawn(data: bytes) -> Spawn:
    """The request from its bytes."""
    _, alone, slot, _, child_id, *limits = _SPAWN.unpack(data)
    return Spawn._make((child_id, slot, *limits, alone))


def pack_kill(child_id: int) -> bytes:
    """A request to end a child that is no longer needed."""
    return _KILL.pack(KILL, child_id)


def unpack_kill(data: bytes) -> int:
    """The child's id."""
    return int(_KILL.unpack(data)[1])


def pack_report(report: Report) -> list[bytes | memoryview]:
    """The facts' bytes in pieces, for one datagram: output is sent from where it lies (see `output`)."""
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
        len(report.stdout),
        len(report.stderr),
    )
    return [head, report.stdout, report.stderr]


def unpack_report(data: bytes) -> Report:
    """The facts from their bytes."""
    _, stop, killed, bystander, exit_code, signal, child_id, *used, out_bytes, _ = _REPORT.unpack_from(data)
    time_s, cpu_s, wall_s, peak_mib = used
    output = data[_REPORT.size :]
    out, err = output[:out_bytes], output[out_bytes:]
    facts = (child_id, exit_code, signal, stop, killed, bystander)
    return Report(*facts, time_s, cpu_s, wall_s, peak_mib, out, err)
