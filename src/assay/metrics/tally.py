"""Verdict rows in, counts a problem out: all that estimates need, whatever the number of samples.

Keeps true: memory grows with problems, not with samples; the order of rows doesn't matter to any digit (all sums are
whole numbers); `system_error` is "no verdict" and counts neither as right nor as wrong; a failed sample that no case
explains (an attack on the judge, say) solves nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, get_args

from assay.counts import count_of
from assay.order import natural_key
from assay.records import Manifest, Outcome, Trust, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Kind = Literal["all", "base", "challenge"]
"""Which cases decide: `all` those of base and plus, or those of one group (over the problems that have such cases)."""

KINDS: tuple[Kind, ...] = get_args(Kind)

MISSING_WORDS = "whatever the missing samples would have been"
"""What the bounds of a number hold for, where samples have no verdict or problems no samples."""

NAMED = 5
"""Samples of a kind that are kept by name: the first, whatever the order of rows."""


class ProblemCounts:
    """What is known of one problem.

    `samples` have a verdict, `lost` were judged without one. `solved[kind]` counts right samples, and has a key only
    for the kinds of tests that the problem was seen to have. `cases[kind, total]` sums the cases passed over the
    samples judged by `total` cases. `plus` says whether it has tests beyond its base tests, None while nothing is known.
    """

    __slots__ = ("cases", "expected", "lost", "plus", "samples", "solved")

    def __init__(self, expected: int | None) -> None:
        self.expected = expected
        self.samples = 0
        self.lost = 0
        self.plus: bool | None = None
        self.solved: dict[Kind, int] = {}
        self.cases: dict[tuple[Kind, int], int] = {}

    @property
    def lacking(self) -> int:
        """Samples that should have a verdict and have none: broken, or not judged yet."""
        return self.lost if self.expected is None else max(self.expected - self.samples, 0)

    def fraction(self, kind: Kind, samples: int) -> float:
        """Mean over `samples` of the fraction of cases passed."""
        parts = (passed / total for (of, total), passed in sorted(self.cases.items()) if of == kind and total)
        return sum(parts) / samples if samples else 0.0

    def add(self, verdict: Verdict) -> None:
        """Counts one sample."""
        if verdict.outcome is Outcome.SYSTEM_ERROR:
            self.lost += 1
            return
        self.samples += 1
        if verdict.groups:
            self.plus = bool(self.plus) or has_plus(verdict)
        for kind in KINDS:
            passed, total = cases_of(verdict, kind)
            if total or kind == "all":
                self.solved[kind] = self.solved.get(kind, 0) + solves(verdict, kind)
                self.cases[kind, total] = self.cases.get((kind, total), 0) + passed


class Tally:
    """Counts verdicts as they come, one row a sample.

    >>> tally = Tally({"t/0": 2, "t/1": 1})
    >>> tally.problems["t/0"].lacking
    2

    `trials` is the greatest number of trials of a sample; `flaky` counts samples whose trials had several outcomes, `partly_passed` those
    among them that passed in some; `unconfirmed` counts time limits that may be due to other work on the machine; `special_cased` counts
    samples that hold the tests and agree with the reference on few hidden inputs, and `first_special_cased` names the first of them in
    natural order, by problem and index; `how_extracted` counts the ways in which programs were
    found in the samples' texts.

    Args:
        expected: Samples of each problem, 0 where there are none; rows of other problems are then left out and counted
            in `orphans`. None: the rows themselves say what there is, and what is missing can't be told.
        doubt: Why no number may be given at all, if so.
    """

    def __init__(self, expected: Mapping[str, int] | None = None, *, doubt: str | None = None) -> None:
        self.problems = {} if expected is None else {id_: ProblemCounts(count) for id_, count in expected.items()}
        self.closed = expected is not None
        self.doubt = doubt
        self.orphans = 0
        self.outcomes: Counter[Outcome] = Counter()
        self.trust: Counter[Trust] = Counter()
        self.how_extracted: Counter[str] = Counter()
        self.trials = 1
        self.flaky = self.partly_passed = self.unconfirmed = self.special_cased = 0
        self.first_special_cased: list[tuple[str, int]] = []
        self.plus = False

    @classmethod
    def of_run(cls, manifest: Manifest) -> Tally:
        """An empty tally that knows what a run should hold; its invalid problems are left out."""
        invalid = {problem.id for problem in manifest.invalid}
        expected = {id_: count for id_, count in manifest.expected.items() if id_ not in invalid}
        doubt = "the samples changed and have not all been judged since" if manifest.samples_changed else None
        return cls(expected if manifest.expected else None, doubt=doubt)

    @classmethod
    def of_counts(cls, counts: Mapping[str, tuple[int, int]]) -> Tally:
        """A tally of numbers that are known already: problem to (samples, right samples), as other tools report them.

        Raises:
            ValueError: A problem has more right samples than samples, or a negative number of either.

        >>> Tally.of_counts({"t/0": (10, 3)}).problems["t/0"].solved
        {'all': 3}
        """
        tally = cls(dict.fromkeys(counts, 0))
        for id_, (samples, right) in counts.items():
            if not 0 <= right <= samples:
                raise ValueError(f"{id_}: right samples must lie between 0 and {samples}, got {right}")
            problem = tally.problems[id_]
            problem.samples, problem.expected = samples, samples
            problem.solved, problem.cases = ({"all": right}, {("all", 1): right}) if samples else ({}, {})
            tally.outcomes += Counter({Outcome.PASSED: right, Outcome.WRONG_ANSWER: samples - right})
        return tally

    def add(self, verdict: Verdict) -> None:
        """Counts one verdict; the caller sees to it that a sample comes once."""
        counts = self.problems.get(verdict.problem_id)
        if counts is None:
            if self.closed:
                self.orphans += 1
                return
            counts = self.problems[verdict.problem_id] = ProblemCounts(None)
        counts.add(verdict)
        self.outcomes[verdict.outcome] += 1
        self.how_extracted[verdict.how_extracted or "unknown"] += 1
        self.trials = max(self.trials, verdict.trials)
        self.flaky += verdict.flaky
        self.partly_passed += verdict.flaky and bool(verdict.passed_trials)
        self.unconfirmed += verdict.confirmed is False
        if verdict.special_cased:
            self._add_special_cased((verdict.problem_id, verdict.sample_index))
        if verdict.outcome is not Outcome.SYSTEM_ERROR:
            self.trust[verdict.trust] += 1
        self.plus = self.plus or has_plus(verdict)

    def _add_special_cased(self, sample: tuple[str, int]) -> None:
        self.special_cased += 1
        names = [*self.first_special_cased, sample]
        self.first_special_cased = sorted(names, key=lambda name: (natural_key(name[0]), name[1]))[:NAMED]

    def ids(self) -> list[str]:
        """The problems in natural order."""
        return sorted(self.problems, key=natural_key)

    def among(self, ids: Iterable[str]) -> Tally:
        """The same counts for these problems alone. What is counted over all samples (outcomes, trust, flaky) is left out."""
        part = Tally({}, doubt=self.doubt)
        part.problems = {id_: self.problems[id_] for id_ in ids if id_ in self.problems}
        part.plus = self.plus
        return part

    def without_plus(self) -> list[str]:
        """The problems that have no tests beyond their base tests, where others have: their two results are one."""
        return [id_ for id_ in self.ids() if self.plus and self.problems[id_].plus is False]

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of tests that there are numbers for: `base` only where it differs from `all`."""
        challenge = any("challenge" in counts.solved for counts in self.problems.values())
        return ("all", *(("base",) if self.plus else ()), *(("challenge",) if challenge else ()))


def has_plus(verdict: Verdict) -> bool:
    """Whether the sample's problem has tests beyond its base tests (challenge tests aside, which decide only if asked for)."""
    return not verdict.groups.keys() <= {"base", "challenge"}


def cases_of(verdict: Verdict, kind: Kind) -> tuple[int, int]:
    """Cases (passed, in all) of one kind in a verdict."""
    if kind != "all":
        return verdict.groups.get(kind, (0, 0))
    if not verdict.groups:
        return verdict.passed_cases, verdict.total_cases
    wanted = [pair for group, pair in verdict.groups.items() if group != "challenge"]
    return sum(passed for passed, _ in wanted), sum(total for _, total in wanted)


def solves(verdict: Verdict, kind: Kind) -> bool:
    """Whether the sample is right as far as the cases of one kind tell.

    A sample that passes all base cases and dies in a plus case solves the problem by `base`: its group totals are full
    whatever happened later. A failure that no case explains is not shifted to cases of another kind: it counts against
    each kind.
    """
    passed, total = cases_of(verdict, kind)
    if kind == "all" and verdict.passed:
        return True
    if verdict.outcome is Outcome.FORBIDDEN or not total or passed < total:
        return False
    return verdict.passed or verdict.passed_cases < verdict.total_cases


def about_unconfirmed(time_limits: int) -> str:
    """What time limits that are not confirmed mean to a reader of the numbers, and what to do.

    >>> about_unconfirmed(2)
    '2 time limits may be due to other work on the machine: judge again on a less busy one, into a new folder'
    """
    told = f"{count_of(time_limits, 'time limit')} may be due to other work on the machine"
    return f"{told}: judge again on a less busy one, into a new folder"
