"""Text scores of a run's samples beside what running them showed: does likeness to the reference tell right from wrong?

Keeps true: the mean is over problems, as everywhere; agreement is measured within problems too, since a score that only tells easy
problems from hard ones tells nothing about an answer.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from assay.metrics.text import TEXT_METRICS
from assay.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Likeness(Record):
    """One text metric over a run.

    `value` is the mean over problems of the mean over samples. `rank_correlation` is Spearman's, over all samples, with the fraction of
    cases passed. `right_above_wrong` is how often a right sample scores above a wrong one of the same problem, a tie
    counting half: 0.5 is no better than a coin. Both are None where they are undefined (no variation, no such pairs).
    """

    name: str
    value: float
    rank_correlation: float | None
    right_above_wrong: float | None
    problems: int
    samples: int


class Compared(NamedTuple):
    """A sample: its problem, its program's text and the reference's, the fraction of cases passed, and whether it is right."""

    problem_id: str
    text: str
    reference: str
    fraction: float
    right: bool


def likeness(samples: Iterable[Compared], names: Sequence[str] = tuple(TEXT_METRICS)) -> tuple[Likeness, ...]:
    """Each text metric over the samples; none where there are no samples.

    Args:
        samples: The samples that have a verdict and whose problem has a reference.
        names: Names of `TEXT_METRICS`.

    >>> rows = [Compared("t", "a - b", "a - b", 1.0, True), Compared("t", "b - a", "a - b", 0.0, False)]
    >>> [(each.name, each.value, each.right_above_wrong) for each in likeness(rows, ["exact_match", "token_f1"])]
    [('exact_match', 0.5, 1.0), ('token_f1', 1.0, 0.5)]
    """
    rows = list(samples)
    return tuple(_likeness(name, rows) for name in names) if rows else ()


def _likeness(name: str, rows: Sequence[Compared]) -> Likeness:
    metric = TEXT_METRICS[name]
    scores = [metric(row.text, row.reference) for row in rows]
    by_problem: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for row, score in zip(rows, scores, strict=True):
        by_problem[row.problem_id][row.right].append(score)
    means = [math.fsum(wrong + right) / len(wrong + right) for wrong, right in by_problem.values()]
    return Likeness(
        name=name,
        value=math.fsum(means) / len(means),
        rank_correlation=rank_correlation(scores, [row.fraction for row in rows]),
        right_above_wrong=_right_above_wrong(by_problem.values()),
        problems=len(means),
        samples=len(rows),
    )


def rank_correlation(one: Sequence[float], two: Sequence[float]) -> float | None:
    """Spearman's rank correlation, equal values sharing their mean rank; None where either has but one value.

    >>> rank_correlation([1, 2, 3], [10, 30, 20])
    0.5
    """
    first, second = _centred_ranks(one), _centred_ranks(two)
    spread = math.sqrt(math.fsum(a * a for a in first) * math.fsum(b * b for b in second))
    return math.fsum(a * b for a, b in zip(first, second, strict=True)) / spread if spread else None


def _centred_ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    middle = (len(values) - 1) / 2
    return [(bisect_left(order, value) + bisect_right(order, value) - 1) / 2 - middle for value in values]


def _right_above_wrong(problems: Iterable[tuple[Sequence[float], Sequence[float]]]) -> float | None:
    """Over all pairs of a wrong and a right sample of one problem."""
    above, pairs = 0.0, 0
    for wrong, right in problems:
        order = sorted(wrong)
        above += sum((bisect_left(order, score) + bisect_right(order, score)) / 2 for score in right)
        pairs += len(wrong) * len(right)
    return above / pairs if pairs else None
