"""The samples of a problem as a page shows them: those of equal code together, with the first case that failed and the line marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from assay.counts import listed
from assay.programs import assemble
from assay.records import Mode, Outcome
from assay.report.shares import in_words, outcome_class
from assay.report.spreads import mebibytes, seconds
from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.records import Failure, Problem, Sample, Verdict

SHOWN = 20
"""Different programs of a problem that are shown in full."""
LINES, CHARACTERS = 300, 12_000
"""How much of one program is shown."""
NAMED = 12

_LINE = re.compile(r"\(line (\d+)\)")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Line(NamedTuple):
    """A line of code; `marked` where the error is, `passed_by` where it came through on its way out."""

    text: str
    marked: bool
    passed_by: bool = False


class Answer(NamedTuple):
    """Samples of equal code that ended alike."""

    outcome: Outcome
    indices: tuple[int, ...]
    verdict: Verdict
    lines: tuple[Line, ...]
    more_lines: int
    said: str
    """What the model wrote round the code, where that is something else."""
    extracted: str

    @property
    def words(self) -> str:
        """The outcome in words."""
        return in_words(self.outcome)

    @property
    def class_(self) -> str:
        """The colour class of the outcome."""
        return outcome_class(self.outcome)

    @property
    def failure(self) -> Failure | None:
        """The first case that failed."""
        return self.verdict.first_failure

    @property
    def numbers(self) -> str:
        """The samples' numbers, as far as a line holds them."""
        return listed([*map(str, self.indices)], NAMED)

    @property
    def message(self) -> str:
        """The verdict's message, where the failing case does not say the same."""
        failure = self.failure
        told = self.verdict.message
        if failure is None or failure.outcome is not self.outcome:
            return visible(told)
        return "" if told == failure.message or (failure.call and told.startswith(failure.call)) else visible(told)

    @property
    def gist(self) -> str:
        """What went wrong, in a line."""
        failure = self.failure
        if failure is None or not failure.call:
            return visible(self.verdict.message)
        what = failure.message or failure.got
        return visible(f"{failure.call} → {what}" if what else failure.call)

    @property
    def spent(self) -> str:
        """Time and memory of the verdict that is shown; rows of earlier releases know one time alone."""
        verdict = self.verdict
        told = [seconds(verdict.time_s)]
        told += [] if verdict.cpu_s is None else [f"processor {seconds(verdict.cpu_s)}"]
        told += [] if verdict.wall_s is None else [f"clock {seconds(verdict.wall_s)}"]
        return ", ".join((*told, mebibytes(verdict.peak_mib)))

    @property
    def traceback(self) -> str:
        """The program's own frames through which the error of the first failing case went; empty where none are known."""
        return visible(self.failure.traceback) if self.failure is not None else ""

    @property
    def doubts(self) -> tuple[str, ...]:
        """What makes the verdict less certain than it looks, or worth a second look."""
        verdict, found = self.verdict, []
        if verdict.flaky:
            found.append(f"flaky: passed in {verdict.passed_trials or 0} of {verdict.trials} trials")
        if verdict.special_cased and verdict.hidden:
            found.append(
                f"special-cased: agrees with the reference on {verdict.hidden[0]} of {verdict.hidden[1]} hidden inputs"
            )
        if verdict.confirmed is False:
            found.append("unconfirmed: other work on the machine may be to blame for the time limit")
        if verdict.trust.value != "anchored":
            found.append(f"trust: {verdict.trust.value}")
        passed, total = verdict.groups.get("base", (0, 0))
        if not verdict.passed and 0 < total == passed:
            found.append("passes all base tests")
        return tuple(found)


class Answers(NamedTuple):
    """A run's samples of one problem: the groups that are shown, the others counted by outcome, and how many there are."""

    shown: tuple[Answer, ...]
    others: tuple[tuple[str, int], ...]
    different: int
    samples: int
    right: int


def group_answers(
    problem: Problem | None, samples: Iterable[Sample], verdicts: Mapping[int, Verdict], shown: int = SHOWN
) -> Answers:
    """The samples grouped by equal code and end, most frequent first; without their texts by equal ends alone."""
    groups: dict[tuple[object, ...], list[int]] = {}
    texts: dict[int, _Text] = {}
    for sample in samples:
        if sample.index in verdicts:
            texts[sample.index] = _program(problem, sample)
    for index, verdict in sorted(verdicts.items()):
        code = texts[index].source if index in texts else ("", verdict.message)
        groups.setdefault((code, verdict.outcome, verdict.cases), []).append(index)
    ordered = sorted(groups.values(), key=lambda indices: (-len(indices), indices[0]))
    answers = [_answer(indices, verdicts[indices[0]], texts.get(indices[0])) for indices in ordered[:shown]]
    rest: dict[str, int] = {}
    for indices in ordered[shown:]:
        words = in_words(verdicts[indices[0]].outcome)
        rest[words] = rest.get(words, 0) + len(indices)
    right = sum(verdict.passed for verdict in verdicts.values())
    return Answers(tuple(answers), tuple(rest.items()), len(ordered), len(verdicts), right)


class _Text(NamedTuple):
    """The code of a sample, and how it was found; `is_program` says that it is what was run, line by line."""

    source: str
    sample: Sample
    how: str = ""
    is_program: bool = True


def _program(problem: Problem | None, sample: Sample) -> _Text:
    if problem is None:
        how = "" if sample.mode is Mode.SOLUTION else f"as the model wrote it ({sample.mode.value})"
        return _Text(sample.text, sample, how, is_program=False)
    program = assemble(problem, sample)
    if program.no_code is not None:
        return _Text(sample.text, sample, program.no_code, is_program=False)
    return _Text(program.source, sample, program.how_extracted if sample.mode is Mode.CHAT else "")


def _answer(indices: Sequence[int], verdict: Verdict, text: _Text | None) -> Answer:
    if text is None:
        return Answer(verdict.outcome, tuple(indices), verdict, (), 0, "", "")
    lines, more = code_lines(text.source, *(_marks(verdict) if text.is_program else ()))
    is_chat = text.sample.mode is Mode.CHAT and text.sample.text != text.source
    said = visible(text.sample.text[:CHARACTERS]) if is_chat else ""
    return Answer(verdict.outcome, tuple(indices), verdict, lines, more, said, text.how)


def _marks(verdict: Verdict) -> tuple[int | None, frozenset[int]]:
    """The line in which the first failing case raised, and those through which the error went."""
    frames = verdict.first_failure.frames if verdict.first_failure is not None else ()
    return marked_line(verdict), frozenset(line for line, _ in frames)


def marked_line(verdict: Verdict) -> int | None:
    """The line of the program that the verdict names, None where it names none."""
    failure = verdict.first_failure
    if failure is not None and failure.frames:
        return failure.frames[-1][0]
    texts = (failure.message if failure else "", verdict.message)
    found = next((match for text in texts for match in reversed(list(_LINE.finditer(text)))), None)
    return int(found[1]) if found else None


def code_lines(
    source: str, marked: int | None = None, passed_by: frozenset[int] = frozenset()
) -> tuple[tuple[Line, ...], int]:
    r"""The lines of a program as Python counts them, and how many more there are.

    >>> [(line.text, line.marked) for line in code_lines("a\r\nb\rc\n", 2)[0]]
    [('a', False), ('b', True), ('c', False)]
    """
    if not source:
        return (), 0
    every = _LINE_END.split(source[:CHARACTERS])
    if every and not every[-1]:
        every.pop()
    total = len(_LINE_END.findall(source)) + (not source.endswith(("\n", "\r")))
    lines = tuple(
        Line(visible(text), number == marked, number in passed_by) for number, text in enumerate(every[:LINES], 1)
    )
    return lines, max(total - len(lines), 0)
