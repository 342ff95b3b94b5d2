"""How far two raters say the same of the same things: raw agreement, and what is left of it when chance is taken off.

Keeps true: samples of one problem are no independent trials, so intervals are by problem; where a rater says but one thing,
chance-corrected agreement is undefined and null, not 0 or 1.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from assay.metrics.interval import interval_by_problem
from assay.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy import float64
    from numpy.typing import NDArray

DRAWS = 2_000
"""Draws of problems for the interval of kappa: its ends have a standard error of about a twentieth of its width."""


class Rated(NamedTuple):
    """A thing of some problem, and what each of two raters says of it."""

    problem_id: str
    one: str
    two: str


class Agreement(Record):
    """How far two raters agree. `table` counts what the first says (outer key) and the second (inner key).

    `raw` is the share of things of which both say the same, with an interval by problem; `kappa` is Cohen's, with a bootstrap interval
    over problems. Null where they are undefined.
    """

    table: dict[str, dict[str, int]]
    problems: int
    samples: int
    raw: float | None
    raw_low: float | None
    raw_high: float | None
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    level: float


def cohen_kappa(table: Mapping[str, Mapping[str, int]]) -> float | None:
    """Cohen's kappa: (agreement - agreement by chance) / (1 - agreement by chance); None where chance alone explains all.

    1 is full agreement, 0 what two raters reach who know nothing of each other, below 0 is less than that. By chance both say c with
    the product of the shares with which each says c. Source: Cohen 1960, "A coefficient of agreement for nominal scales",
    Educational and Psychological Measurement 20.

    Args:
        table: What the first rater says, to what the second says, to how often.

    >>> cohen_kappa({"yes": {"yes": 20, "no": 5}, "no": {"yes": 10, "no": 15}})  # 0.7 agree, 0.5 by chance
    0.4
    >>> cohen_kappa({"yes": {"yes": 9, "no": 1}, "no": {"yes": 0, "no": 0}})
    0.0
    >>> cohen_kappa({"yes": {"yes": 10}}) is None
    True
    """
    names = sorted({*table, *(name for row in table.values() for name in row)})
    total = sum(sum(row.values()) for row in table.values())
    if not total:
        return None
    rows = {name: sum(table.get(name, {}).values()) for name in names}
    columns = {name: sum(row.get(name, 0) for row in table.values()) for name in names}
    same = sum(table.get(name, {}).get(name, 0) for name in names)
    # In whole numbers, so that what is undefined is known for sure and a kappa of 0.4 is 0.4.
    chance = sum(rows[name] * columns[name] for name in names)
    return (total * same - chance) / (total * total - chance) if total * total > chance else None


def agreement(rated: Iterable[Rated], *, level: float = 0.95, seed: int = 0) -> Agreement:
    """How far the raters agree, over all things.

    Args:
        rated: What they say.
        level: Coverage of the intervals.
        seed: Of the bootstrap.

    >>> found = agreement([Rated("t/0", "right", "right"), Rated("t/1", "wrong", "right")])
    >>> found.raw, found.kappa
    (0.5, 0.0)
    """
    rows = list(rated)
    names = sorted({name for row in rows for name in (row.one, row.two)})
    counts = Counter((row.one, row.two) for row in rows)
    table = {one: {two: counts[one, two] for two in names} for one in names}
    by_problem = defaultdict(list)
    for row in rows:
        by_problem[row.problem_id].append(row.one == row.two)
    values = [sum(same) / len(same) for same in by_problem.values()]
    interval = interval_by_problem(values, len(rows), level) if rows else None
    kappa = cohen_kappa(table)
    ends = None if kappa is None else _kappa_ends(rows, names, level, seed)
    return Agreement(
        table=table,
        problems=len(by_problem),
        samples=len(rows),
        raw=math.fsum(values) / len(values) if values else None,
        raw_low=interval.low if interval else None,
        raw_high=interval.high if interval else None,
        kappa=kappa,
        kappa_low=ends[0] if ends else None,
        kappa_high=ends[1] if ends else None,
        level=level,
    )


def _kappa_ends(rows: Sequence[Rated], names: Sequence[str], level: float, seed: int) -> tuple[float, float] | None:
    """The middle `level` of the kappas of problems drawn anew; None for one problem, or if many draws have no kappa.

    Source: Efron 1979; by cluster: Davison and Hinkley 1997, "Bootstrap Methods and their Application", section 3.8.
    """
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    problems = {name: at for at, name in enumerate(dict.fromkeys(row.problem_id for row in rows))}
    if len(problems) < 2:
        return None
    place = {name: at for at, name in enumerate(names)}
    cells = np.zeros((len(problems), len(names), len(names)))
    for row in rows:
        cells[problems[row.problem_id], place[row.one], place[row.two]] += 1
    random = np.random.default_rng(seed)
    flat = cells.reshape(len(problems), -1)
    kappas: list[float] = []
    for _ in range(DRAWS):
        drawn = np.bincount(random.integers(0, len(problems), len(problems)), minlength=len(problems))
        kappas += _kappa_of((drawn @ flat).reshape(len(names), len(names)))
    if len(kappas) < DRAWS / 2:
        return None
    kappas.sort()
    outside = math.floor(len(kappas) * (1 - level) / 2)
    return kappas[outside], kappas[-1 - outside]


def _kappa_of(cells: NDArray[float64]) -> list[float]:
    """The kappa of a table of counts, in a list that is empty where there is none."""
    total = float(cells.sum())
    chance = float(cells.sum(axis=1) @ cells.sum(axis=0))
    return [(total * float(cells.trace()) - chance) / (total * total - chance)] if total * total > chance else []
