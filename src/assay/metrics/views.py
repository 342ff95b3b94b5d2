"""A tally as one kind of tests sees it, with what is missing decided: the rows that estimates are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.counts import count_of

if TYPE_CHECKING:
    from assay.metrics.answers import Answers
    from assay.metrics.tally import Kind, ProblemCounts, Tally

Missing = Literal["fail", "skip"]
"""What becomes of samples without a verdict and problems without samples: counted as failed, or left out."""


class Row(NamedTuple):
    """One problem of an estimate: n and c as they count after the caller's decision about what is missing.

    `fraction` is the mean fraction of cases passed; `lacking` of the n samples have no verdict. n is 0 where a problem
    has no samples; it then counts as passed if its fraction is 1, and as failed otherwise.
    """

    id: str
    n: int
    c: int
    fraction: float
    lacking: int

    def counts(self, k: int) -> tuple[int, int]:
        """Samples and right samples for pass@k: a problem without samples is one whose k samples are all alike."""
        return (self.n, self.c) if self.n else (k, k * (self.fraction == 1))


class View:
    """A tally as one kind of tests sees it, with what is missing decided."""

    def __init__(self, tally: Tally, kind: Kind, missing: Missing | None, answers: Answers | None) -> None:
        self.tally = tally
        self.kind = kind
        self.missing = missing
        self.answers = answers
        self.known = [(id_, tally.problems[id_]) for id_ in tally.ids() if self._concerns(tally.problems[id_])]
        self.rows = [self._row(id_, counts) for id_, counts in self.known if not self._left_out(counts)]

    def _concerns(self, counts: ProblemCounts) -> bool:
        """A problem without any verdict may have tests of this kind; of challenge tests it is not assumed."""
        return self.kind in counts.solved or (not counts.samples and self.kind != "challenge")

    def _left_out(self, counts: ProblemCounts) -> bool:
        return self.missing == "skip" and not counts.samples

    def _row(self, id_: str, counts: ProblemCounts) -> Row:
        n = counts.samples if self.missing == "skip" else counts.samples + counts.lacking
        return Row(id_, n, counts.solved.get(self.kind, 0), counts.fraction(self.kind, n), n - counts.samples)

    def hopeful(self) -> list[Row]:
        """The rows as if all that is not known had passed, problems without samples too."""
        return [
            row._replace(c=row.c + row.lacking, fraction=row.fraction + row.lacking / row.n if row.n else 1.0)
            for row in self.rows
        ]

    def is_whole(self) -> bool:
        """Whether every problem has samples and every sample a verdict."""
        return all(counts.samples and not counts.lacking for _, counts in self.known)

    def gaps(self) -> list[str]:
        """Why no number may be given, whatever k is."""
        found = [self.tally.doubt] if self.tally.doubt else []
        if self.missing is None:
            empty = [id_ for id_, counts in self.known if not counts.samples and not counts.lacking]
            unjudged = [f"{id_} ({count_of(counts.lacking, 'sample')})" for id_, counts in self.known if counts.lacking]
            found += [f"no samples for {', '.join(empty)}"] if empty else []
            found += [f"no verdict for {', '.join(unjudged)}"] if unjudged else []
        if not self.rows:
            found.append("no problem has samples" if self.known else "no problems")
        return found
