"""What a problem's samples answered, as far as verdict rows tell: which agree, how each did on base tests, how each ended.

Keeps true: a row does not hold a sample's outputs, only which cases passed and what the first failing one got. So samples
that surely differ are told apart, and those that can't be told apart count as agreeing; samples that gave no answer at all
(no code, over a limit) agree with none. Memory grows with the number of different answers.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from assay.metrics.tally import cases_of
from assay.records import Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.records import Verdict


class ProblemAnswers:
    """One problem's samples that have a verdict.

    `right` counts those that pass; `wrong` maps each wrong answer to the samples that give it; `silent` counts those
    that give none; `by_base[score, right]` counts samples by the fraction of base cases passed; `outcomes` counts how
    they ended.
    """

    __slots__ = ("by_base", "outcomes", "right", "silent", "wrong")

    def __init__(self) -> None:
        self.right = 0
        self.silent = 0
        self.wrong: Counter[str] = Counter()
        self.by_base: Counter[tuple[float, bool]] = Counter()
        self.outcomes: Counter[Outcome] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Counts one sample that has a verdict."""
        passed, total = cases_of(verdict, "base")
        self.by_base[passed / total if total else 0.0, verdict.passed] += 1
        self.outcomes[verdict.outcome] += 1
        if verdict.passed:
            self.right += 1
        elif verdict.outcome is Outcome.FORBIDDEN or verdict.outcome.severity in ("syntax", "limit"):
            self.silent += 1
        else:
            self.wrong[_answer(verdict)] += 1


def _answer(verdict: Verdict) -> str:
    failure = verdict.first_failure
    # Not the failure's message: two equal answers may be refused in different words (an address in them, say).
    told = (failure.call, failure.got) if failure else (verdict.message,)
    return digest(verdict.outcome.value, verdict.cases, *told)


class Answers:
    """The answers of a run's samples, by problem; system errors are no answers.

    >>> Answers([]).problems
    {}
    """

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self.problems: dict[str, ProblemAnswers] = {}
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Counts one verdict; the caller sees to it that a sample comes once."""
        if verdict.outcome is not Outcome.SYSTEM_ERROR:
            self.problems.setdefault(verdict.problem_id, ProblemAnswers()).add(verdict)

    def of(self, problem_id: str) -> ProblemAnswers:
        """A problem's answers; without any where none has a verdict."""
        return self.problems.get(problem_id) or ProblemAnswers()
