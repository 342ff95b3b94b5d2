"""Counts in, estimates out: the numbers that a run is quoted by.

Keeps true: each number says over how many problems and samples it is, by which method and how wide its interval is;
what can't be known (too few samples, no samples, no verdict) is null with a reason that names the problems, unless the
caller decided otherwise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.metrics.interval import interval_by_problem
from assay.metrics.passk import k_list, pass_at_k_array
from assay.records import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.metrics.tally import Kind, ProblemCounts, Tally

Missing = Literal["fail", "skip"]
"""What becomes of samples without a verdict and problems without samples: counted as failed, or left out."""


class _Row(NamedTuple):
    """One problem of an estimate: n and c as they count after the caller's decision about what is missing."""

    id: str
    n: int
    c: int
    fraction: float


def score(
    tally: Tally, ks: Iterable[object] = (1,), *, missing: Missing | None = None, level: float = 0.95
) -> tuple[Estimate, ...]:
    """pass@k for each k and the mean fraction of cases passed, for each kind of tests that the verdicts have.

    Args:
        tally: The verdicts, counted.
        ks: The k of pass@k, in any order.
        missing: None makes a number null when samples or verdicts are missing; `fail` counts them as failed; `skip`
            leaves them out.
        level: Coverage of the intervals.

    Raises:
        SettingsError: A k is no whole number of at least 1.

    >>> from assay.metrics.tally import Tally
    >>> score(Tally({"t/0": 0}))[0].reason
    'undefined: no samples for t/0'
    """
    wanted = k_list(ks)
    return tuple(
        estimate for kind in tally.kinds() for estimate in _score_kind(_View(tally, kind, missing), wanted, level)
    )


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


class _View:
    """A tally as one kind of tests sees it, with what is missing decided."""

    def __init__(self, tally: Tally, kind: Kind, missing: Missing | None) -> None:
        self.tally = tally
        self.kind = kind
        self.missing = missing
        self.known = [(id_, tally.problems[id_]) for id_ in tally.ids() if self._concerns(tally.problems[id_])]
        self.rows = [self._row(id_, counts) for id_, counts in self.known if not self._left_out(counts)]

    def _concerns(self, counts: ProblemCounts) -> bool:
        """A problem without any verdict may have tests of this kind; of challenge tests it is not assumed."""
        return self.kind in counts.solved or (not counts.samples and self.kind != "challenge")

    def _left_out(self, counts: ProblemCounts) -> bool:
        return self.missing == "skip" and not counts.samples

    def _row(self, id_: str, counts: ProblemCounts) -> _Row:
        n = counts.samples if self.missing == "skip" else counts.samples + counts.lacking
        return _Row(id_, n, counts.solved.get(self.kind, 0), counts.fraction(self.kind, n))

    def gaps(self) -> list[str]:
        """Why no number may be given, whatever k is."""
        found = [self.tally.doubt] if self.tally.doubt else []
        if self.missing is None:
            empty = [id_ for id_, counts in self.known if not counts.samples and not counts.lacking]
            unjudged = [f"{id_} ({_samples(counts.lacking)})" for id_, counts in self.known if counts.lacking]
            found += [f"no samples for {', '.join(empty)}"] if empty else []
            found += [f"no verdict for {', '.join(unjudged)}"] if unjudged else []
        if not self.rows:
            found.append("no problem has samples" if self.known else "no problems")
        return found


def _samples(count: int) -> str:
    return "1 sample" if count == 1 else f"{count} samples"


def _score_kind(view: _View, ks: Sequence[int], level: float) -> Iterable[Estimate]:
    gaps = view.gaps()
    for k in ks:
        # Under `fail` a problem without samples counts as failed for every k; `gaps` names it otherwise.
        few = [row.id for row in view.rows if 0 < row.n < k]
        reasons = [*gaps, *([f"too few samples for {', '.join(few)}"] if few else [])]
        yield _estimate(f"pass@{k}", view, reasons, () if reasons else _pass_at_k(view.rows, k), level)
    yield _estimate("mean_fraction", view, gaps, () if gaps else [row.fraction for row in view.rows], level)


def _pass_at_k(rows: Sequence[_Row], k: int) -> list[float]:
    values: list[float] = pass_at_k_array([row.n or k for row in rows], [row.c for row in rows], k).tolist()
    return values


def _estimate(name: str, view: _View, reasons: Sequence[str], values: Sequence[float], level: float) -> Estimate:
    samples = sum(row.n for row in view.rows)
    what = f"unbiased {name}" if name.startswith("pass@") else "fraction of cases passed"
    interval = interval_by_problem(values, samples, level) if values else None
    return Estimate(
        name=name,
        tests=view.kind,
        value=math.fsum(values) / len(values) if values else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        level=level,
        problems=len(view.rows),
        samples=samples,
        method=f"mean over problems of {what}; {interval.method}" if interval else f"mean over problems of {what}",
        reason=f"undefined: {'; '.join(reasons)}" if reasons else None,
    )
