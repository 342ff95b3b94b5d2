"""Counts in, estimates out: the numbers that a run is quoted by.

Keeps true: each number says over how many problems and samples it is, by which method and how wide its interval is;
what can't be known (too few samples, no samples, no verdict) is null with a reason that names the problems, and with
bounds where verdicts alone are missing, unless the caller decided otherwise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, assert_never, get_args

from assay.errors import SettingsError, did_you_mean
from assay.metrics.draws import best_at_k, majority_at_k, pass_all_ks
from assay.metrics.interval import interval_by_problem
from assay.metrics.passk import k_list, pass_at_k_array
from assay.metrics.views import View
from assay.records import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.metrics.answers import Answers, ProblemAnswers
    from assay.metrics.tally import Tally
    from assay.metrics.views import Missing, Row

Metric = Literal["pass@k", "pass^k", "maj@k", "best@k", "mean_fraction"]
"""One of k right; all k right; the most frequent of k answers right; the best of k by base tests right; cases passed."""

METRICS: tuple[Metric, ...] = get_args(Metric)
USUAL_METRICS: tuple[Metric, ...] = ("pass@k", "mean_fraction")
ANSWER_METRICS: frozenset[Metric] = frozenset({"maj@k", "best@k"})
"""Those that need to know what samples answered, not only how many are right; they are over all tests."""

_WHAT = {
    "pass@k": "unbiased {name}",
    "pass^k": "unbiased {name}",
    "maj@k": "{name} over all draws, wrong answers that fail alike taken as one (the least it can be)",
    "best@k": "{name} over all draws, chosen by the fraction of base cases passed",
    "mean_fraction": "fraction of cases passed",
}


def score(
    tally: Tally,
    ks: Iterable[object] = (1,),
    *,
    missing: Missing | None = None,
    level: float = 0.95,
    metrics: Iterable[str] = USUAL_METRICS,
    answers: Answers | None = None,
) -> tuple[Estimate, ...]:
    """Each metric for each k, for each kind of tests that the verdicts have.

    Args:
        tally: The verdicts, counted.
        ks: The k of pass@k and its like, in any order.
        missing: None makes a number null when samples or verdicts are missing; `fail` counts them as failed; `skip`
            leaves them out.
        level: Coverage of the intervals.
        metrics: Names of `METRICS`.
        answers: The answers of the same verdicts; `maj@k` and `best@k` need them, and are over all tests.

    Raises:
        SettingsError: A k is no whole number of at least 1, a metric is not known, or its answers are not given.

    >>> from assay.metrics.tally import Tally
    >>> score(Tally({"t/0": 0}))[0].reason
    'undefined: no samples for t/0'
    """
    wanted, chosen = k_list(ks), metric_list(metrics)
    if answers is None and not ANSWER_METRICS.isdisjoint(chosen):
        raise SettingsError("maj@k and best@k need answers=", hint="give score(..., answers=Answers(verdicts))")
    views = [View(tally, kind, missing, answers) for kind in tally.kinds()]
    return tuple(estimate for view in views for estimate in _score_kind(view, chosen, wanted, level))


def metric_list(names: Iterable[str]) -> tuple[Metric, ...]:
    """The metrics as asked for, each once, in the order of `METRICS`.

    Raises:
        SettingsError: There is none, or one is not known.

    >>> metric_list(["mean_fraction", "pass@k", "pass@k"])
    ('pass@k', 'mean_fraction')
    """
    asked = list(names)
    for name in asked:
        if name not in METRICS:
            near = did_you_mean(name, METRICS)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(METRICS)}"
            raise SettingsError(f"there is no metric {name!r}", hint=hint)
    if not asked:
        raise SettingsError("the list of metrics is empty", hint=f"there are {', '.join(METRICS)}")
    return tuple(metric for metric in METRICS if metric in asked)


def shorten_reason(reason: str, names: int = 6) -> str:
    """A reason for a table: after so many names the rest is only counted. Files keep the whole list.

    >>> shorten_reason("undefined: too few samples for t/0, t/1, t/2, t/3", names=2)
    'undefined: too few samples for t/0, t/1 and 2 more'
    """
    return "; ".join(_shorten_list(part, names) for part in reason.split("; "))


def _shorten_list(part: str, names: int) -> str:
    entries = part.split(", ")
    if len(entries) <= names + 1:
        return part
    return f"{', '.join(entries[:names])} and {len(entries) - names} more"


def _score_kind(view: View, metrics: Sequence[Metric], ks: Sequence[int], level: float) -> Iterable[Estimate]:
    for metric in metrics:
        if metric in ANSWER_METRICS and view.kind != "all":
            continue
        if metric == "mean_fraction":
            yield _estimate(metric, 1, view, level)
        else:
            yield from (_estimate(metric, k, view, level) for k in ks)


def _estimate(metric: Metric, k: int, view: View, level: float) -> Estimate:
    gaps, few = view.gaps(), _too_few(metric, k, view)
    values = [] if gaps or few else _values(metric, k, view.rows, view.answers)
    interval = interval_by_problem(values, sum(row.n for row in view.rows), level) if values else None
    name = metric.replace("k", str(k)) if "k" in metric else metric
    what = f"mean over problems of {_WHAT[metric].format(name=name)}"
    least, most = (None, None) if few else _bounds(metric, k, view)
    return Estimate(
        name=name,
        tests=view.kind,
        value=_mean(values) if values else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        level=level,
        problems=len(view.rows),
        samples=sum(row.n for row in view.rows),
        method=f"{what}; {interval.method}" if interval else what,
        reason=f"undefined: {'; '.join([*gaps, *few])}" if gaps or few else None,
        at_least=least,
        at_most=most,
    )


def _too_few(metric: Metric, k: int, view: View) -> list[str]:
    """Why the number is undefined even where every sample has a verdict."""
    if metric == "best@k" and not view.tally.plus:
        return ["no tests beyond the base tests by which the best is chosen"]
    # Under `fail` a problem without samples counts as failed for every k; `gaps` names it otherwise.
    few = [row.id for row in view.rows if 0 < row.n < k] if metric != "mean_fraction" else []
    return [f"too few samples for {', '.join(few)}"] if few else []


def _values(metric: Metric, k: int, rows: Sequence[Row], answers: Answers | None) -> list[float]:
    """One value a problem."""
    match metric:
        case "mean_fraction":
            return [row.fraction for row in rows]
        case "pass@k":
            n, c = zip(*(row.counts(k) for row in rows), strict=True)
            return [float(value) for value in pass_at_k_array(n, c, k)]
        case "pass^k":
            n, c = zip(*(row.counts(k) for row in rows), strict=True)
            return [float(value) for value in pass_all_ks(n, c, (k,))[0]]
        case "maj@k":
            return [_majority(row, answers.of(row.id), k) for row in rows] if answers else []
        case "best@k":
            return [_best(row, answers.of(row.id), k) for row in rows] if answers else []
        case _:
            assert_never(metric)


def _majority(row: Row, answers: ProblemAnswers, k: int, *, agreeing: bool = True) -> float:
    """maj@k where samples without a verdict have failed (or, with a row that is hopeful, passed)."""
    if not row.n:
        return row.fraction
    wrong = list(answers.wrong.values())
    wrong = wrong if agreeing else [1] * sum(wrong)
    return majority_at_k(row.c, wrong, k, silent=row.n - row.c - sum(wrong))


def _best(row: Row, answers: ProblemAnswers, k: int) -> float:
    """best@k; samples without a verdict are chosen last and wrong, or (in a row that is hopeful) first and right."""
    if not row.n:
        return row.fraction
    known = [pair for pair, count in answers.by_base.items() for _ in range(count)]
    hoped = row.c > answers.right
    return best_at_k([*known, *([(math.inf if hoped else -math.inf, hoped)] * (row.n - len(known)))], k)


def _bounds(metric: Metric, k: int, view: View) -> tuple[float | None, float | None]:
    """The value if all samples without a verdict had failed, and if all had passed; None where nothing is missing."""
    whole = View(view.tally, view.kind, None, view.answers)
    if (whole.is_whole() and metric != "maj@k") or view.tally.doubt or not whole.rows or _too_few(metric, k, whole):
        return None, None
    hopeful = whole.hopeful()
    most = (
        [_majority(row, view.answers.of(row.id), k, agreeing=False) for row in hopeful]
        if metric == "maj@k" and view.answers
        else _values(metric, k, hopeful, view.answers)
    )
    return _mean(_values(metric, k, whole.rows, view.answers)), _mean(most)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
