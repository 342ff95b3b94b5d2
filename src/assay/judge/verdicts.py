"""From a judge's report and the sandbox's facts to a verdict: the one place where an `Outcome` is decided.

Precedence: a limit, then a broken channel, then a death, then the tests. Cases that were not run take the outcome of what ended the run,
and count as not passed. A judge that died is no verdict here: the engine retries and, failing that, says `system_error` itself.
"""

from __future__ import annotations

import signal as signals
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

from assay.judge.instrument import AssertSite, instrument
from assay.judge.loading import MAX_FRAMES, NAME_LENGTH, with_line
from assay.judge.questions import SCREEN
from assay.judge.showing import explain
from assay.judge.suites import assertion_calls
from assay.records import (
    AssertTests,
    CheckTests,
    Execution,
    Failure,
    Limits,
    Outcome,
    Problem,
    Record,
    StoppedBy,
    Tests,
    Trust,
    UnittestTests,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Groups = tuple[str, ...]

MAX_CASES = 1_000_000
"""Cases that a problem may have."""

_LETTERS = {
    "P": Outcome.PASSED,
    "W": Outcome.WRONG_ANSWER,
    "R": Outcome.RUNTIME_ERROR,
    "M": Outcome.MEMORY_LIMIT,
}
_BITS = str.maketrans("PWRMX", "10000")
_STOPS = {
    StoppedBy.TIME: (Outcome.TIME_LIMIT, "over {time_s:g} s"),
    StoppedBy.CPU: (Outcome.TIME_LIMIT, "over {cpu_s:g} s of processor time"),
    StoppedBy.WALL: (Outcome.TIME_LIMIT, "over {wall_s:g} s on the clock"),
    StoppedBy.MEMORY: (Outcome.MEMORY_LIMIT, "over {memory_mib} MiB"),
    StoppedBy.OUTPUT: (Outcome.OUTPUT_LIMIT, "over {output_kib} KiB of output"),
    StoppedBy.PROCESSES: (Outcome.RUNTIME_ERROR, "over {processes} processes"),
}
_SEVERITY = {outcome: rank for rank, outcome in enumerate(Outcome)}


def unit_groups(tests: Iterable[Tests], groups: Sequence[str]) -> Groups:
    """The group of each unit of a problem's tests, in the judge's order: every assert is a unit of its own, other tests are one each."""
    out: list[str] = []
    for t in tests:
        if t.group in groups:
            out += [t.group] * (len(t.cases) if isinstance(t, AssertTests) else 1)
    return tuple(out)


def count_vacuous(tests: Iterable[Tests]) -> int:
    """How many asserts can't fail whatever the candidate does (`assert True`). The tests are only parsed, never run.

    >>> count_vacuous([AssertTests(cases=("assert True", "assert (f(1) == 2, 'text')", "assert f(1) == 2"))])
    2
    """
    return sum(site.vacuous for t in tests for text in _texts(t) for site in _sites(text))


def _texts(tests: Tests) -> tuple[str, ...]:
    if isinstance(tests, AssertTests):
        return tests.cases
    return (tests.source,) if isinstance(tests, CheckTests | UnittestTests) else ()


def _sites(text: str) -> tuple[AssertSite, ...]:
    try:
        return (*instrument(text, "<test>").sites, *assertion_calls(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # tests that don't parse make the problem invalid; that is told elsewhere


Text = Annotated[str, msgspec.Meta(max_length=4000)]
"""Texts that end up in a verdict's row: the judge cuts them, and what is longer is not the judge's."""


Line = Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]
Frames = Annotated[
    tuple[tuple[Line, Annotated[str, msgspec.Meta(max_length=NAME_LENGTH)]], ...], msgspec.Meta(max_length=MAX_FRAMES)
]
"""The program's own frames through which an exception went, as the judge took them: `(line, function)`, outermost first."""


class Told(Record):
    """A failure as the judge tells it: the letter of its case and cut, printable texts; `frames` of what the program raised."""

    letter: Literal["W", "R", "M"]
    call: Text
    expected: Text
    got: Text
    message: Text
    frames: Frames = ()


class Report(Record):
    """What a judge fork says of one sample. It runs data-set code, so the engine reads it as strictly as a file.

    `letters` has a letter for each case of each unit of tests; `ended` says why the agent's channel ended, `load` why the program did not
    load (kind and text); `frames`, where it raised or ended itself then; `contradicted`, that its objects' claims differ from the
    reference's; `live`, that no plan was used. `screened` is on how many questions of the screen a program that passed agrees with the
    reference, where it was asked and answered them all; `screen_s` how long that took on the clock.
    """

    letters: tuple[str, ...]
    failure: Told | None = None
    ended: Literal["lost", "torn", "protocol", "busy", "exit"] | None = None
    load: tuple[Literal["syntax", "raised", "exit"], Text] | None = None
    delegated: bool = False
    contradicted: bool = False
    live: bool = False
    frames: Frames = ()
    screened: Annotated[int, msgspec.Meta(ge=0, le=SCREEN)] | None = None
    screen_s: Annotated[float, msgspec.Meta(ge=0)] = 0.0

    @property
    def passed(self) -> bool:
        """Whether the tests hold, as far as the judge can tell: it does not know the limits."""
        return (
            self.ended is None and self.load is None and not self.contradicted and set().union(*self.letters) == {"P"}
        )


class Marks(NamedTuple):
    """What the engine binds to a verdict: whose it is, by which job, at which isolation, and how its program was found."""

    sample_index: int
    job_digest: str
    isolation: str
    how_extracted: str = ""


class Ruling:
    """Turns what was seen of one sample into its outcome.

    Args:
        problem: The problem.
        groups: The group of each unit (`unit_groups`).
        limits: The limits that were in force.
    """

    def __init__(self, problem: Problem, groups: Groups, limits: Limits) -> None:
        self.problem = problem
        self.groups = groups
        self.limits = limits

    def verdict(self, marks: Marks, report: Report, facts: Execution) -> Verdict:
        """The verdict for a judge's report, with the facts about its agent."""
        end = self._end(report, facts)
        units = report.letters
        if report.contradicted:  # its claims are worth nothing, so no case that may rest on them counts for its score
            units = tuple(unit.replace("P", "W") for unit in units)
        cases = Cases(units, end[0] if end is not None else Outcome.WRONG_ANSWER)
        return self.write(marks, cases, self._decide(cases, report, end), report, facts)

    def unjudged(self, marks: Marks, outcome: Outcome, reason: str, totals: Sequence[int]) -> Verdict:
        """The verdict for a sample whose tests were not run: there is no code, or our machinery failed, or it was ended by the sample."""
        cases = Cases(tuple("X" * n for n in totals), outcome)
        return self.write(marks, cases, (outcome, reason), Report(letters=()), Execution())

    def read_report(self, answer: object, totals: Sequence[int]) -> Report:
        """A judge fork's report, checked.

        Raises:
            ValueError: If it is not a report about this problem's tests.
        """
        report = msgspec.convert(answer, Report)
        told = [len(letters) for letters in report.letters]
        if any(set(letters) - set("PWRMX") for letters in report.letters) or not self._fits(told, totals):
            raise ValueError(f"it is about {told} cases")
        return report

    def _fits(self, told: Sequence[int], totals: Sequence[int]) -> bool:
        """Whether the numbers of cases are the problem's. Without a reference the number of a check is not known beforehand."""
        if len(told) != len(self.groups):
            return False
        return list(told) == list(totals) if self.problem.reference is not None else sum(told) <= MAX_CASES

    def read_totals(self, answer: object) -> tuple[int, ...]:
        """The numbers of cases that a judge fork tells, checked.

        Raises:
            ValueError: If they can't be this problem's.
        """
        totals = msgspec.convert(answer, tuple[Annotated[int, msgspec.Meta(ge=0, le=MAX_CASES)], ...])
        if len(totals) != len(self.groups):
            raise ValueError(f"it tells {len(totals)} units of tests, not {len(self.groups)}")
        return totals

    def _end(self, report: Report, facts: Execution) -> tuple[Outcome, str] | None:
        """What ended the run before its tests were through, by precedence, or None."""
        stopped = self.stopped(facts)
        if stopped is not None:
            return stopped
        load = report.load
        if load is not None:
            return _load_outcome(*load)
        ended = report.ended
        if ended is None:
            return None
        if ended == "protocol":
            return Outcome.FORBIDDEN, "the program wrote to the judge's channel"
        if ended == "busy":
            return Outcome.FORBIDDEN, "the program's answers kept the judge busy for too long"
        if ended == "exit":
            return Outcome.RUNTIME_ERROR, with_line("the program ended itself in a call", report.frames)
        return Outcome.RUNTIME_ERROR, f"the program {death(facts)}"

    def stopped(self, facts: Execution) -> tuple[Outcome, str] | None:
        """What the limit that ended a run makes of it, None where none did."""
        if facts.stopped_by is None:
            return None
        outcome, text = _STOPS[facts.stopped_by]
        return outcome, text.format(**self._limit_texts())

    def _limit_texts(self) -> dict[str, float]:
        limits = self.limits
        return {
            "time_s": limits.time_s, "cpu_s": limits.cpu_s or limits.time_s, "wall_s": limits.clock_s,
            "memory_mib": limits.memory_mib, "output_kib": limits.output_kib, "processes": limits.processes,
        }  # fmt: skip

    def _decide(self, cases: Cases, report: Report, end: tuple[Outcome, str] | None) -> tuple[Outcome, str]:
        if end is not None:
            return end
        if report.contradicted:
            return Outcome.WRONG_ANSWER, "its objects' answers to == contradict the reference's"
        kinds = set().union(*cases.units)
        if not kinds:
            return Outcome.WRONG_ANSWER, "no assertion was evaluated"
        return min(map(cases.outcome, kinds), key=_SEVERITY.__getitem__), _told(report.failure)

    def write(
        self,
        marks: Marks,
        cases: Cases,
        decided: tuple[Outcome, str],
        report: Report,
        facts: Execution,
    ) -> Verdict:
        """The row: what became of each case, the outcome with its message, what the judge told, what was used."""
        flat = "".join(cases.units)
        outcome, message = decided
        passed = outcome is Outcome.PASSED
        return Verdict(
            problem_id=self.problem.id,
            sample_index=marks.sample_index,
            outcome=outcome,
            passed_cases=flat.count("P"),
            total_cases=len(flat),
            groups=self._group_counts(cases.units),
            cases=flat.translate(_BITS),
            trust=Trust.DELEGATED if report.delegated else Trust.ANCHORED,
            time_s=round(facts.time_s, 4),
            peak_mib=round(facts.peak_mib, 1),
            cpu_s=round(facts.cpu_s, 4),
            wall_s=round(facts.wall_s, 4),
            message="" if passed else message,
            job_digest=marks.job_digest,
            first_failure=None if passed else self._failure(cases, message, report, facts),
            isolation=marks.isolation,
            how_extracted=marks.how_extracted,
        )

    def _group_counts(self, units: Sequence[str]) -> dict[str, tuple[int, int]]:
        counts: dict[str, tuple[int, int]] = {}
        for group, unit in zip(self.groups, units, strict=True):
            passed, total = counts.get(group, (0, 0))
            counts[group] = (passed + unit.count("P"), total + len(unit))
        return counts

    def _failure(self, cases: Cases, message: str, report: Report, facts: Execution) -> Failure | None:
        """The first case that did not pass. What the judge told belongs to it unless the run had ended before."""
        told, seen = report.failure, dict.fromkeys(self.groups, 0)
        for group, unit in zip(self.groups, cases.units, strict=True):
            left = unit.lstrip("P")
            number = seen[group] + len(unit) - len(left)
            seen[group] = number
            if not left:
                continue
            case = cases.outcome(left[0])
            if told is None or _LETTERS.get(told.letter) is not case:
                frames = report.frames if facts.stopped_by is None else ()
                return Failure(case=number, group=group, outcome=case, message=message, frames=frames)
            return Failure(
                case=number,
                group=group,
                outcome=case,
                call=told.call,
                expected=told.expected,
                got=told.got,
                message=told.message,
                frames=told.frames,
            )
        return None


class Cases(NamedTuple):
    """The letters of all cases, unit by unit, and the outcome of those that were not run."""

    units: tuple[str, ...]
    rest: Outcome

    def outcome(self, letter: str) -> Outcome:
        """What a letter means."""
        return _LETTERS.get(letter, self.rest)


def _load_outcome(kind: str, text: str) -> tuple[Outcome, str]:
    if kind == "syntax":
        return Outcome.SYNTAX_ERROR, text
    if text.startswith("MemoryError"):
        return Outcome.MEMORY_LIMIT, text
    return Outcome.RUNTIME_ERROR, f"{text}, while the program was loaded"


def death(facts: Execution) -> str:
    """How a program ended that was not stopped by us, as what it did."""
    if facts.signal is not None:
        known = facts.signal in {int(s) for s in signals.Signals}
        told = f"was killed by {signals.Signals(facts.signal).name if known else f'signal {facts.signal}'}"
        # the sandbox's only way to let a program end itself like this: in its pid namespace the kernel would ignore the signal
        return f"{told}, as which a SIGKILL or fault signal to itself shows" if facts.signal == signals.SIGSYS else told
    if facts.exit_code is not None and not facts.killed:
        return f"ended itself with exit status {facts.exit_code}"
    return "closed its channel to the judge"


def _told(failure: Told | None) -> str:
    return "" if failure is None else explain(failure.call, failure.expected, failure.got, failure.message)
