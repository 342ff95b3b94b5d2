"""Two runs over the same problems, held against each other problem by problem.

Keeps true: problems are paired by id, never by position, and only those that both runs know count; what is left out is
named. The interval is of the mean difference, the test is exact or a seeded permutation, and a p says over how many
comparisons it was corrected. A gap that chance explains is never called a win.
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.errors import SettingsError
from assay.metrics.bootstrap import bootstrap_means
from assay.metrics.interval import interval_by_problem
from assay.metrics.passk import k_list, pass_at_k_array
from assay.metrics.significance import holm, mcnemar, sign_flip_test
from assay.metrics.views import View
from assay.order import natural_key
from assay.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.metrics.tally import Kind, Tally
    from assay.metrics.views import Missing

POWER = 0.8
"""How often a difference of the size called detectable would be shown."""


class Comparison(Record):
    """The difference `second` - `first` of one number over the problems that both runs have.

    `samples` is the smaller number of samples a problem. `first_value` and `second_value` are over the common problems, each with an
    interval of its own (`interval_by_problem`), which says less about the difference than the interval of the difference does.
    `low` and `high` are an interval of the difference at `level`, `bootstrap_low` and `bootstrap_high` the same by drawing
    problems anew; `standard_error` is the paired one. `p` is of the test named in `test`; `p_corrected` allows for
    the other comparisons made at the same time, which no interval does. `detectable` is the smallest true difference that so many samples
    of these problems would show four times in five. `won` and `lost` are the problems where the second run is better and worse; of
    those with equal values `both` counts the ones at 1 and `neither` those at 0. `only_first`, `only_second`, `unjudged` and `too_few`
    are left out: problems of one run alone, with samples that lack a verdict, with fewer than k samples. `doubts` say why a whole run
    can't be trusted. Where no number can be given it is null, and `reason` says why.
    """

    first: str
    second: str
    name: str
    tests: str
    problems: int
    samples: int = 0
    first_value: float | None = None
    first_low: float | None = None
    first_high: float | None = None
    second_value: float | None = None
    second_low: float | None = None
    second_high: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    standard_error: float | None = None
    bootstrap_low: float | None = None
    bootstrap_high: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    test: str = ""
    detectable: float | None = None
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    tied: int = 0
    both: int = 0
    neither: int = 0
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    too_few: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def is_shown(self) -> bool:
        """Whether chance alone would seldom make a difference like this (less often than 1 - level, corrected)."""
        return self.p_corrected is not None and self.p_corrected < 1 - self.level

    def is_worse_by(self, margin: float) -> bool:
        """Whether the second run is shown to be worse, and by more than `margin`."""
        return self.is_shown and self.difference is not None and self.difference < -margin


class Question(NamedTuple):
    """What is compared: pass@k, by which tests, how samples without a verdict count, at which level of the interval."""

    k: int = 1
    tests: Kind = "all"
    missing: Missing | None = None
    level: float = 0.95


def compare(first: Tally, second: Tally, question: Question | None = None, *, seed: int = 0) -> Comparison:
    """The second run against the first.

    Args:
        first: The run that is the measure.
        second: The run that is measured.
        question: What is compared; pass@1 by all tests if it is left out.
        seed: Of the bootstrap, and of the permutation test where not all signs can be tried.

    Raises:
        SettingsError: k is no whole number of at least 1.
    """
    question = question or Question()
    k_list((question.k,))
    one, two = _Side(first, question), _Side(second, question)
    common = sorted(one.values.keys() & two.values.keys(), key=natural_key)
    blank = Comparison(
        first="first",
        second="second",
        name=f"pass@{question.k}",
        tests=question.tests,
        problems=len(common),
        level=question.level,
        only_first=_in_order(one.ids - two.ids),
        only_second=_in_order(two.ids - one.ids),
        unjudged=_in_order((one.unjudged | two.unjudged) & one.ids & two.ids),
        too_few=_in_order((one.too_few | two.too_few) & one.ids & two.ids),
    )
    reason = (
        first.doubt or second.doubt or (None if common else "no problem is in both runs with enough judged samples")
    )
    if reason:
        return msgspec.structs.replace(blank, reason=f"undefined: {reason}")
    pairs = {id_: (one.values[id_], two.values[id_]) for id_ in common}
    return _measured(blank, pairs, max(min(one.samples, two.samples), 1), seed)


def compare_all(
    runs: Mapping[str, Tally], questions: Iterable[Question] = (Question(),), *, all_pairs: bool = False, seed: int = 0
) -> tuple[Comparison, ...]:
    """Several runs held against the first of them (or each against each), every p corrected for all comparisons.

    Args:
        runs: Names and tallies, at least two; the first is the measure.
        questions: What is compared.
        all_pairs: Compare every run with every other one.
        seed: As in `compare`.

    Raises:
        SettingsError: There are fewer than two runs, or a k is no whole number of at least 1.
    """
    names = list(runs)
    if len(names) < 2:
        raise SettingsError("at least two runs are compared", hint="name another run")
    pairs = list(combinations(names, 2)) if all_pairs else [(names[0], name) for name in names[1:]]
    found = [
        msgspec.structs.replace(compare(runs[one], runs[two], question, seed=seed), first=one, second=two)
        for question in questions
        for one, two in pairs
    ]
    known = [each.p for each in found if each.p is not None]
    corrected = iter(holm(known))
    return tuple(
        each if each.p is None else msgspec.structs.replace(each, p_corrected=next(corrected)) for each in found
    )


class _Side:
    """One run as the question sees it: a value for each problem that has enough judged samples, and the rest by name."""

    def __init__(self, tally: Tally, question: Question) -> None:
        kind = question.tests if question.tests != "base" or tally.plus else "all"  # all tests are base tests there
        view = View(tally, kind, question.missing, None)
        self.ids = {row.id for row in view.rows}
        lacking = set() if question.missing else {row.id for row in view.rows if row.lacking or not row.n}
        self.unjudged = lacking
        self.too_few = {row.id for row in view.rows if 0 < row.n < question.k} - lacking
        usable = [row for row in view.rows if row.id not in self.unjudged | self.too_few]
        counts = [row.counts(question.k) for row in usable]
        values = pass_at_k_array([n for n, _ in counts], [c for _, c in counts], question.k).tolist()
        self.values: dict[str, float] = dict(zip((row.id for row in usable), values, strict=True))
        self.samples = min((row.n for row in usable if row.n), default=0)


def _in_order(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=natural_key))


def _measured(blank: Comparison, pairs: Mapping[str, tuple[float, float]], samples: int, seed: int) -> Comparison:
    differences = [two - one for one, two in pairs.values()]
    low, high, half = difference_interval(differences, samples, blank.level)
    ones, twos = ([pair[side] for pair in pairs.values()] for side in (0, 1))
    own, other = (interval_by_problem(values, samples * len(pairs), blank.level) for values in (ones, twos))
    alike = [one for one, two in pairs.values() if one == two]
    p, test = _tested(pairs.values(), differences, seed)
    ends = _bootstrap_ends(differences, blank.level, seed)
    z, z_power = NormalDist().inv_cdf((1 + blank.level) / 2), NormalDist().inv_cdf(POWER)
    return msgspec.structs.replace(
        blank,
        samples=samples,
        first_value=_mean(ones),
        first_low=own.low,
        first_high=own.high,
        second_value=_mean(twos),
        second_low=other.low,
        second_high=other.high,
        difference=_mean(differences),
        low=low,
        high=high,
        standard_error=_standard_error(differences),
        bootstrap_low=ends[0],
        bootstrap_high=ends[1],
        p=p,
        p_corrected=p,
        test=test,
        detectable=min(1.0, half * (z + z_power) / z),
        won=tuple(id_ for id_, (one, two) in pairs.items() if two > one),
        lost=tuple(id_ for id_, (one, two) in pairs.items() if two < one),
        tied=len(alike),
        both=alike.count(1.0),
        neither=alike.count(0.0),
    )


def difference_interval(differences: Sequence[float], samples: int, level: float = 0.95) -> tuple[float, float, float]:
    """Low end, high end and half width of an interval of the mean difference over problems.

    A normal interval over the problems and two more, one that either run wins by as much as any problem was won (at least
    by 1 / samples): so it has a width even where no problem differs. With one sample a problem it is the interval of Bonett and
    Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data", J.
    Educational and Behavioral Statistics 37. The ends are moved to hold the difference itself, and within -1 and 1.

    Args:
        differences: One difference within -1 and 1 a problem, at least one.
        samples: The smaller number of samples a problem.
        level: Coverage asked for.

    >>> low, high, _ = difference_interval([0.0] * 100, samples=1)
    >>> round(low, 4), round(high, 4)  # 1.96 x sqrt(2 / 102) / sqrt(102)
    (-0.0272, 0.0272)
    """
    most = max(1 / samples, *(abs(each) for each in differences))
    problems = len(differences) + 2
    centre = math.fsum(differences) / problems
    variance = (math.fsum(each * each for each in differences) + 2 * most * most) / problems - centre * centre
    half = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(max(variance, 0.0) / problems)
    mean = _mean(differences)
    return max(-1.0, min(centre - half, mean)), min(1.0, max(centre + half, mean)), half


def _standard_error(differences: Sequence[float]) -> float | None:
    if len(differences) < 2:
        return None
    mean = _mean(differences)
    spread = math.fsum((each - mean) ** 2 for each in differences)
    return math.sqrt(spread / (len(differences) - 1) / len(differences))


def _bootstrap_ends(differences: Sequence[float], level: float, seed: int) -> tuple[float, float]:
    means = sorted(bootstrap_means(differences, seed=seed).tolist())
    outside = math.floor(len(means) * (1 - level) / 2)
    return means[outside], means[-1 - outside]


def _tested(pairs: Iterable[tuple[float, float]], differences: Sequence[float], seed: int) -> tuple[float, str]:
    """P and the name of the test: McNemar's where every problem is solved or not, otherwise a permutation test."""
    if all({one, two} <= {0.0, 1.0} for one, two in pairs):
        return mcnemar(differences.count(-1.0), differences.count(1.0)), "exact McNemar test"
    return sign_flip_test(differences, seed=seed), "paired permutation test"


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
