"""The bootstrap by problem: an interval out of the data alone, to hold against the analytic one.

Keeps true: whole problems are drawn, with all their samples (a cluster is a problem); the seed is fixed, so that the same
run gives the same digits; where all problems have one value, and drawing them anew shows nothing, Wilson's width stands in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.metrics.interval import Interval, wilson_mended

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

DRAWS = 10_000
_CHUNK = 2**20
"""Numbers drawn at a time: enough to be quick, few enough to stay in a processor's cache."""


def bootstrap_means(values: Sequence[float], *, draws: int = DRAWS, seed: int = 0) -> NDArray[np.float64]:
    """Means of so many samples of all problems, each drawn with replacement; shape (draws,).

    Args:
        values: One value a problem, at least one.
        draws: How many means.
        seed: Of numpy's generator.
    """
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    random, array = np.random.default_rng(seed), np.asarray(values, dtype=np.float64)
    rows = max(1, _CHUNK // array.size)
    parts = [
        array[random.integers(0, array.size, (min(rows, draws - done), array.size), dtype=np.uint32)].mean(axis=1)
        for done in range(0, draws, rows)
    ]
    return np.concatenate(parts)


def bootstrap_interval(values: Sequence[float], *, draws: int = DRAWS, seed: int = 0, level: float = 0.95) -> Interval:
    """Percentile interval of the mean of `values`, problems being drawn anew.

    Source: Efron 1979, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7; by cluster: Davison
    and Hinkley 1997, "Bootstrap Methods and their Application", section 3.8. It covers a little less than it says with few
    problems and near 0 and 1 (`docs/statistics.md`), which is why it is not the interval that is shown first.

    Args:
        values: One value within 0 and 1 a problem, at least one.
        draws: How many times all problems are drawn.
        seed: Of numpy's generator.
        level: Coverage asked for.

    >>> low, high, _ = bootstrap_interval([0.0, 1.0] * 50)
    >>> 0.38 < low < 0.42 < 0.58 < high < 0.62
    True
    """
    if len(set(values)) == 1:
        low, high = wilson_mended(values[0], len(values), level)
        return Interval(low, high, "Wilson score interval over problems (all have one value)")
    means = bootstrap_means(values, draws=draws, seed=seed)
    means.sort()
    outside = math.floor(draws * (1 - level) / 2)
    return Interval(
        float(means[outside]), float(means[-1 - outside]), f"cluster bootstrap by problem, {draws:,} draws, seed {seed}"
    )
