"""From the runs of a whole program, one a case, to a verdict: what the judge says of each output and the sandbox of each end.

Precedence in a case: a limit, then the exit status, then the output. Each case is a process of its own, so a case that fails or dies says
nothing about the next. A limit does: what follows is not run, or a program that never ends would cost its limit once for each case. The
outcome is the worst of its cases'. Runs in the engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from assay.judge.checkers import show_input
from assay.judge.loading import FIRST_FRAMES, MAX_FRAMES, Frames, as_frames, with_line
from assay.judge.showing import cut, explain
from assay.judge.verdicts import Cases, Marks, Report, Ruling, Text, Told, death
from assay.records import Execution, Outcome, Record, StdioTests, StoppedBy, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.records import StdioCase, Tests

STDERR_MIB = 64
"""How much a run may print to standard error, which is no part of its answer: far more than anybody wants to read."""

_LIMITS = (Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT)
_LETTERS = {Outcome.PASSED: "P", Outcome.WRONG_ANSWER: "W", Outcome.RUNTIME_ERROR: "R"}
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:: .*)?")
_FRAME = re.compile(r'  File "[^"]*solution[^"]*", line (\d+)(?:, in (.*))?')


class RunReport(Record):
    """What a judge fork says of one run. It runs data-set code, so the engine reads it as strictly as a file.

    `letter`: the output is right (`P`), wrong (`W`), or was not looked at (`X`), because the program could not be compiled (`load`) or
    `ended` says why: the process was gone before it began, or it printed too much.
    """

    letter: Literal["P", "W", "X"]
    failure: Told | None = None
    load: tuple[Literal["syntax"], Text] | None = None
    ended: Literal["lost", "flood"] | None = None


class CaseRun(NamedTuple):
    """One case: where it stands (unit of tests, number in it), what it reads, and what was seen of its run."""

    unit: int
    number: int
    stdin: str
    report: RunReport
    facts: Execution


class _Judged(NamedTuple):
    """What became of a case, and how it is told."""

    outcome: Outcome
    told: Told


def is_whole_program(tests: Iterable[Tests], groups: Sequence[str]) -> bool:
    """Whether tests of these groups are runs of whole programs."""
    return any(isinstance(t, StdioTests) for t in tests if t.group in groups)


def cases_of(tests: Iterable[Tests], groups: Sequence[str]) -> Iterator[tuple[int, int, StdioCase]]:
    """The cases in the judge's order: number of the unit, number in the unit, the case."""
    units = (t for t in tests if t.group in groups)
    for unit, t in enumerate(units):
        if isinstance(t, StdioTests):
            yield from ((unit, number, case) for number, case in enumerate(t.cases))


def read_run(answer: object) -> RunReport:
    """A judge fork's report about a run, checked.

    Raises:
        ValueError: If it is none.
    """
    return msgspec.convert(answer, RunReport)


def ends_sample(ruling: Ruling, run: CaseRun) -> bool:
    """Whether the cases after this one are not run: a limit was hit, or the program is no Python whatever it would read."""
    return _judge(ruling, run).outcome in (*_LIMITS, Outcome.SYNTAX_ERROR)


def verdict_of_runs(ruling: Ruling, marks: Marks, runs: Sequence[CaseRun], totals: Sequence[int]) -> Verdict:
    """The verdict for a program that was run on its cases, or on as many as were run before one of them ended the sample."""
    judged = [_judge(ruling, run) for run in runs]
    worst = min(judged, key=lambda case: list(Outcome).index(case.outcome))
    letters = [["X"] * total for total in totals]
    for run, case in zip(runs, judged, strict=True):
        letters[run.unit][run.number] = _LETTERS.get(case.outcome, "X")
    cases = Cases(tuple(map("".join, letters)), judged[-1].outcome)  # only the last one can have ended the sample
    first = next((case.told for case in judged if case.outcome is not Outcome.PASSED), None)
    times = Execution(
        time_s=max(r.facts.time_s for r in runs), cpu_s=max(r.facts.cpu_s for r in runs),
        wall_s=max(r.facts.wall_s for r in runs), peak_mib=max(r.facts.peak_mib for r in runs),
    )  # fmt: skip
    told = worst.told
    message = explain(told.call, told.expected, told.got, told.message)
    return ruling.write(marks, cases, (worst.outcome, message), Report(letters=(), failure=first), times)


def _judge(ruling: Ruling, run: CaseRun) -> _Judged:
    outcome, message = _end(ruling, run)
    if outcome is Outcome.WRONG_ANSWER and run.report.failure is not None:
        return _Judged(outcome, run.report.failure)
    call = "" if outcome is Outcome.SYNTAX_ERROR else show_input(run.stdin)  # it is one whatever there is to read
    stderr = run.facts.stderr
    frames = _frames(stderr) if run.facts.exit_code == 1 and message == _exception(stderr) else ()
    return _Judged(outcome, Told(letter="R", call=call, expected="", got="", message=message, frames=frames))


def _end(ruling: Ruling, run: CaseRun) -> tuple[Outcome, str]:
    """How a run ended, by precedence."""
    report, facts = run.report, run.facts
    if report.ended == "flood":
        return Outcome.OUTPUT_LIMIT, f"over {ruling.limits.output_kib} KiB of output"
    if facts.stopped_by is StoppedBy.OUTPUT:
        return Outcome.OUTPUT_LIMIT, f"over {STDERR_MIB} MiB on standard error"
    stopped = ruling.stopped(facts)
    if stopped is not None:
        return stopped
    if report.load is not None:
        return Outcome.SYNTAX_ERROR, report.load[1]
    if facts.exit_code != 0 or report.letter == "X":
        return _failed_end(facts)
    return (Outcome.PASSED, "") if report.letter == "P" else (Outcome.WRONG_ANSWER, "the output is wrong")


def _failed_end(facts: Execution) -> tuple[Outcome, str]:
    """A signal, an exit status, or the exception that the program printed last: its own word, which decides nothing but the text."""
    raised = _exception(facts.stderr) if facts.exit_code == 1 else None
    if raised is None:
        return Outcome.RUNTIME_ERROR, f"the program {death(facts)}"
    name = raised.partition(":")[0].partition(" ")[0]
    return (Outcome.MEMORY_LIMIT if name.endswith("MemoryError") else Outcome.RUNTIME_ERROR), raised


def _exception(stderr: str) -> str | None:
    """The exception at the end of the last traceback, with the line of the program that it left last."""
    trace = stderr.rpartition("Traceback (most recent call last):\n")[2]
    lines = trace.splitlines()
    said = next((line for line in lines if line and not line.startswith(" ")), "")
    if trace == stderr or not _EXCEPTION.fullmatch(said):
        return None
    return with_line(cut(said), _frames(trace))


def _frames(stderr: str) -> Frames:
    """The frames of the program in its last traceback: again its own word, and no more than a judge believes of any."""
    trace = stderr.rpartition("Traceback (most recent call last):\n")[2]
    found = [(int(line[:10]), name) for line, name in _FRAME.findall(trace)]
    return as_frames((*found[:FIRST_FRAMES], *found[FIRST_FRAMES:][FIRST_FRAMES - MAX_FRAMES :]))
