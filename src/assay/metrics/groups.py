"""The same numbers for parts of a run: by split, by tag, by difficulty; and how samples ended, as shares.

Keeps true: every problem is in some group (those without a label are in one called `none`), and one with several tags is in
each of theirs, so that groups by tag may overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from assay.metrics.interval import interval_by_problem
from assay.order import natural_key
from assay.records import Estimate, Outcome, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.metrics.answers import Answers
    from assay.metrics.tally import Tally

By = Literal["split", "tag", "difficulty", "outcome"]
"""By what the problems (or, by outcome, the samples) of a run are put into groups."""

NO_LABEL = "none"

_DIFFICULTIES = ("never solved", "up to 1 in 4", "up to 3 in 4", "above 3 in 4", "always solved")


class Group(Record):
    """A part of a run with its numbers: by what it was made, its name, and the estimates over its problems."""

    by: str
    name: str
    estimates: tuple[Estimate, ...]


def by_label(labels: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Label to problems, out of problem to labels; in natural order, problems without a label last.

    >>> by_label({"t/1": ["maths"], "t/2": ["lists", "maths"], "t/3": []})
    {'lists': ('t/2',), 'maths': ('t/1', 't/2'), 'none': ('t/3',)}
    """
    found: dict[str, list[str]] = {}
    for id_, names in labels.items():
        for name in names or (NO_LABEL,):
            found.setdefault(name, []).append(id_)
    order = sorted(found, key=lambda name: (name == NO_LABEL, natural_key(name)))
    return {name: tuple(sorted(found[name], key=natural_key)) for name in order}


def by_difficulty(tally: Tally) -> dict[str, tuple[str, ...]]:
    """Problems by the share of their samples that were right in this run, hardest first.

    The groups are made of the result itself: they show where a number comes from, and their own numbers prove nothing.
    """
    found: dict[str, list[str]] = {}
    for id_ in tally.ids():
        counts = tally.problems[id_]
        if counts.samples:
            found.setdefault(_difficulty(counts.solved.get("all", 0), counts.samples), []).append(id_)
        else:
            found.setdefault(NO_LABEL, []).append(id_)
    return {name: tuple(found[name]) for name in (*_DIFFICULTIES, NO_LABEL) if name in found}


def _difficulty(right: int, samples: int) -> str:
    if right in (0, samples):
        return _DIFFICULTIES[0 if not right else -1]
    return _DIFFICULTIES[1 if 4 * right <= samples else 2 if 4 * right <= 3 * samples else 3]


def outcome_shares(answers: Answers, level: float = 0.95) -> tuple[Estimate, ...]:
    """How samples that have a verdict ended: the mean over problems of each outcome's share, best first.

    Args:
        answers: The answers of the run.
        level: Coverage of the intervals.
    """
    problems = list(answers.problems.values())
    samples = sum(sum(each.outcomes.values()) for each in problems)
    shares = {
        outcome: [each.outcomes[outcome] / sum(each.outcomes.values()) for each in problems]
        for outcome in reversed(Outcome)
    }
    return tuple(_share(outcome, values, samples, level) for outcome, values in shares.items() if any(values))


def _share(outcome: Outcome, values: Sequence[float], samples: int, level: float) -> Estimate:
    interval = interval_by_problem(values, samples, level)
    return Estimate(
        name=f"share of {outcome.value}",
        tests="all",
        value=sum(values) / len(values),
        low=interval.low,
        high=interval.high,
        level=level,
        problems=len(values),
        samples=samples,
        method=f"mean over problems of the share of samples; {interval.method}",
    )
