"""Runs of whole programs: one case of `StdioTests` is one run of the program in a process of its own, whose output is compared here.

The process sends its descriptors before any of the program has run and hangs up; from then on there is no channel, only a pipe that ends.
How the process ends (its exit status, a limit) is the sandbox's to tell; the engine joins both (`whole_programs.py`). The expected output
never leaves this process.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.checkers import Difference, make_checker, show_input
from assay.judge.prepared import Unusable
from assay.judge.pump import pump
from assay.judge.recorder import NOT_RUN, PASSED, WRONG
from assay.judge.showing import cut
from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.judge.checkers import Check
    from assay.judge.wire import Clock

SPARE_BYTES = 1 << 16
"""What a program may print beyond twice the expected output, however low its limit on output is."""

_ANSWER_CAP = 1 << 20
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class StdioUnit:
    """Cases with one checker: what a run reads and what it should print."""

    group: str
    cases: tuple[tuple[bytes, bytes], ...]
    check: Check


@dataclass(frozen=True)
class Runs:
    """All that the judge needs of a problem of whole programs. `output_bytes` is the declared limit on a run's output."""

    units: tuple[StdioUnit, ...]
    output_bytes: int

    @property
    def totals(self) -> tuple[int, ...]:
        """How many cases each unit has."""
        return tuple(len(unit.cases) for unit in self.units)


class Run(NamedTuple):
    """What is to be run: the program, the seed of the random generators, and on which case of which unit."""

    source: str
    seed: int
    unit: int
    case: int


def are_runs(problem: Mapping[str, Any], groups: Sequence[str]) -> bool:
    """Whether a problem, in the plain form of `records.Problem`, is one of whole programs, in the groups that are asked for.

    Raises:
        Unusable: If it is that only in part.
    """
    kinds = {t["type"] == "stdio" for t in problem["tests"] if t["group"] in groups}
    if len(kinds) > 1:
        raise Unusable("it mixes tests of whole programs with other tests")
    return True in kinds


def prepare_runs(problem: Mapping[str, Any], groups: Sequence[str]) -> Runs:
    """Makes a problem of whole programs ready.

    Raises:
        Unusable: If it can't be judged.
    """
    units = tuple(_unit(t) for t in problem["tests"] if t["group"] in groups)
    if not any(unit.cases for unit in units):
        raise Unusable("it has no cases")
    return Runs(units, problem["limits"]["output_kib"] * 1024)


def _unit(tests: Mapping[str, Any]) -> StdioUnit:
    try:
        check = make_checker(tests["checker"])
    except ValueError as error:
        raise Unusable(str(error)) from None
    cases = tuple((_bytes(case["stdin"]), _bytes(case["stdout"])) for case in tests["cases"])
    return StdioUnit(tests["group"], cases, check)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Lost(Exception):
    """The process ended before the program began."""


def judge_run(runs: Runs, run: Run, agent: socket.socket, clock: Clock) -> dict[str, Any]:
    """The report about one run, as `whole_programs.RunReport` reads it."""
    unit = runs.units[run.unit]
    stdin, expected = unit.cases[run.case]
    try:
        answer, fds = _begin(run, stdin, agent, clock)
    except _Lost:
        return {"letter": NOT_RUN, "ended": "lost"}
    if answer[0] == "syntax":
        _close_all(fds)
        return {"letter": NOT_RUN, "load": ("syntax", cut(str(answer[1])))}
    drain, *feed = fds
    cap_bytes = max(runs.output_bytes, 2 * len(expected) + SPARE_BYTES)
    printed = pump(feed[0] if feed else None, drain, stdin, cap_bytes, clock)
    if printed.over:
        return {"letter": NOT_RUN, "ended": "flood"}
    difference = unit.check(stdin, expected, printed.output)
    return {"letter": PASSED} if difference is None else {"letter": WRONG, "failure": _failure(stdin, difference)}


def _failure(stdin: bytes, difference: Difference) -> dict[str, str]:
    call = show_input(stdin.decode("utf-8", "replace"))
    return {"letter": WRONG, "call": call, **{k: cut(v) for k, v in difference._asdict().items()}}


def _begin(run: Run, stdin: bytes, agent: socket.socket, clock: Clock) -> tuple[tuple[Any, ...], list[int]]:
    """Sends the program and its input; what the process answered, and the descriptors that came with it.

    Raises:
        _Lost: If it ended without an answer.
    """
    header = codec.encode(("stdio", run.source, run.seed, len(stdin)))
    fds: list[int] = []
    try:
        agent.sendall(_LENGTH.pack(len(header)) + header)
        clock.stop()
        if stdin:  # nothing may be sent behind what is wanted, not even nothing: the process answers and hangs up
            agent.sendall(stdin)
        data, fds, _, _ = socket.recv_fds(agent, 65536, 2)
        answer = codec.decode(_rest(data, agent))
    except (OSError, codec.CodecError):
        answer = None
    finally:
        clock.start()
    if not _is_answer(answer, fds):
        _close_all(fds)
        raise _Lost
    return answer, fds


def _is_answer(answer: object, fds: Sequence[int]) -> bool:
    """Whether it is `("ready",)` with a descriptor to read from, or `("syntax", text, line)`."""
    if type(answer) is not tuple:
        return False
    return (answer == ("ready",) and len(fds) > 0) or (len(answer) == 3 and answer[0] == "syntax")


def _rest(data: bytes, agent: socket.socket) -> bytes:
    """A frame's content, of which `data` is the beginning.

    Raises:
        OSError: If it does not come whole, or is too large.
    """
    while len(data) < _LENGTH.size or len(data) < (whole := _LENGTH.unpack_from(data)[0] + _LENGTH.size):
        chunk = agent.recv(65536)
        if not chunk or len(data) > _ANSWER_CAP:
            raise OSError
        data += chunk
    return data[_LENGTH.size : whole]


def _close_all(fds: Sequence[int]) -> None:
    for fd in fds:
        with suppress(OSError):
            os.close(fd)
