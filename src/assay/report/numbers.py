"""A run's numbers for a report: `metrics` computes them, this file only asks for those that are shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from assay.metrics import (
    Group,
    by_difficulty,
    by_label,
    pass_at_k_binomial,
    pass_at_k_first_order,
    score,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.metrics import Tally
    from assay.records import Benchmark, Estimate
    from assay.report.sources import Options, Source
    from assay.report.survey import Survey

USUAL_KS = (1, 10, 100)
CURVE_POINTS = 24
"""k for which a curve is computed, evenly spread by their logarithms."""


class View(NamedTuple):
    """One run as the report shows it. `letter` stands for it in figures where there are several."""

    letter: str
    source: Source
    survey: Survey
    estimates: tuple[Estimate, ...]
    curve: tuple[Estimate, ...]

    def estimate(self, name: str, tests: str = "all") -> Estimate | None:
        """The estimate of that name and kind of tests, None where there is none."""
        return next((each for each in self.estimates if (each.name, each.tests) == (name, tests)), None)


def view_run(letter: str, source: Source, survey: Survey, options: Options) -> View:
    """The run with its numbers.

    Raises:
        SettingsError: A k is no whole number of at least 1.
    """
    fewest = fewest_samples(survey.tally)
    ks = options.ks or tuple(k for k in USUAL_KS if k <= fewest) or USUAL_KS[:1]
    estimates = score(survey.tally, ks, missing=options.missing)
    curve = score(survey.tally, curve_ks(fewest), missing=options.missing, metrics=("pass@k",))
    return View(letter, source, survey, estimates, curve)


def fewest_samples(tally: Tally) -> int:
    """The smallest number of samples of a problem that has any; 1 where none has."""
    return min((counts.samples for counts in tally.problems.values() if counts.samples), default=1)


def curve_ks(most: int) -> tuple[int, ...]:
    """Whole numbers from 1 to `most`, all of them or evenly spread by their logarithms.

    >>> curve_ks(5), len(curve_ks(10**4)) <= CURVE_POINTS
    ((1, 2, 3, 4, 5), True)
    """
    if most <= CURVE_POINTS:
        return tuple(range(1, most + 1))
    steps = CURVE_POINTS - 1
    return tuple(sorted({round(math.exp(math.log(most) * step / steps)) for step in range(CURVE_POINTS)}))


def approximate(tally: Tally, k: int) -> tuple[float, float] | None:
    """pass@k by the two approximations that `metrics` has (binomial, first order), over the problems; None where one has no samples."""
    counts = [(each.samples, each.solved.get("all", 0)) for each in tally.problems.values()]
    if not counts or any(not n for n, _ in counts):
        return None
    binomial, first_order = (
        math.fsum(form(n, c, k) for n, c in counts) / len(counts)
        for form in (pass_at_k_binomial, pass_at_k_first_order)
    )
    return binomial, first_order


def parts(tally: Tally, benchmark: Benchmark | None, options: Options) -> tuple[Group, ...]:
    """The run's pass@1 by tag, by split and by difficulty, as far as there is more than one of each."""
    found: dict[str, Mapping[str, Sequence[str]]] = {}
    if benchmark is not None:
        problems = {each.id: each for each in benchmark.problems}
        known = [problems[id_] for id_ in tally.ids() if id_ in problems]
        found["tag"] = by_label({each.id: each.tags for each in known})
        found["split"] = by_label({each.id: tuple(filter(None, (each.split,))) for each in known})
    found["difficulty"] = by_difficulty(tally)
    return tuple(
        Group(by=by, name=name, estimates=score(tally.among(ids), (1,), missing=options.missing))
        for by, groups in found.items()
        if len(groups) > 1
        for name, ids in groups.items()
    )
