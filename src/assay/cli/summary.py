"""A run in numbers, for people (tables) and for programs (one JSON object): what `score`, `judge` and `demo` show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import count_of, put, put_json, say
from assay.errors import StoreError
from assay.metrics import Tally, score, shorten_reason
from assay.records import Outcome
from assay.store import StoredRun, read_run, write_estimates

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assay.cli.flags import Scoring
    from assay.records import Estimate, Manifest

USUAL_KS = (1, 10, 100)
"""The k that are shown unasked, as far as every problem has so many samples."""


class Summary(NamedTuple):
    """A run's numbers and what they rest on."""

    manifest: Manifest
    tally: Tally
    estimates: tuple[Estimate, ...]
    notes: tuple[str, ...]

    @property
    def unjudged(self) -> int:
        """Samples that have no verdict."""
        return sum(counts.lacking for counts in self.tally.problems.values())

    def as_json(self) -> dict[str, Any]:
        """What `assay score --json` prints."""
        return {
            "estimates": self.estimates,
            "outcomes": {outcome.value: count for outcome, count in _in_order(self.tally)},
            "trust": {trust.value: count for trust, count in sorted(self.tally.trust.items())},
        }

    def as_text(self) -> str:
        """What `assay score` prints."""
        outcomes = [(outcome.value, f"{count:,}") for outcome, count in _in_order(self.tally)]
        trust = [(trust.value, f"{count:,}") for trust, count in sorted(self.tally.trust.items())]
        return "\n".join(
            (
                self._headline(),
                _estimates_table(self.estimates),
                draw_table(("outcome", "samples"), outcomes, right=("samples",)),
                draw_table(("trust", "samples"), trust, right=("samples",)),
            )
        )

    def _headline(self) -> str:
        manifest = self.manifest
        problems = count_of(manifest.problems, "problem")
        if manifest.invalid:
            problems = f"{len(self.tally.problems):,} of {problems}, {len(manifest.invalid)} invalid"
        samples = count_of(sum(self.tally.outcomes.values()), "sample")
        return f"{manifest.benchmark}: {problems}, {samples}, isolation {manifest.isolation.level}\n"


def _in_order(tally: Tally) -> list[tuple[Outcome, int]]:
    """Best first; outcomes that did not occur are left out."""
    return [(outcome, tally.outcomes[outcome]) for outcome in reversed(Outcome) if tally.outcomes[outcome]]


def _estimates_table(estimates: Sequence[Estimate]) -> str:
    heads = ("estimate", "tests", "value", "interval", "problems", "samples")
    rows = [
        (each.name, each.tests, _number(each.value), _interval(each), f"{each.problems:,}", f"{each.samples:,}")
        for each in estimates
    ]
    return draw_table(heads, rows, right=("value", "problems", "samples")) + _reasons(estimates)


def _reasons(estimates: Sequence[Estimate]) -> str:
    """Why numbers are undefined, a line each reason: too long for a column."""
    named: dict[str, list[str]] = {}
    for each in estimates:
        if each.reason:
            named.setdefault(shorten_reason(each.reason), []).append(f"{each.name} ({each.tests})")
    lines = [wrap_text(f"{', '.join(names)}: {reason}") for reason, names in named.items()]
    return "".join(f"{line}\n" for line in ("", *lines)) if lines else ""


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.low:.3f} to {estimate.high:.3f} ({estimate.level:.0%})"


def summarise(folder: str | Path, scoring: Scoring) -> Summary:
    """Read a run folder, count and score it, and write its `estimates.json`; a note says if that can't be written.

    Raises:
        StoreError: The run can't be read.
    """
    run = read_run(folder)
    tally = _count(run, strict=scoring.strict)
    estimates = score(tally, scoring.ks() or _usual_ks(tally), missing=scoring.missing)
    trust = {trust.value: count for trust, count in tally.trust.items()}
    notes = (*run.notes, *_no_extra_tests(tally))
    try:
        write_estimates(run.folder, estimates, tally.outcomes, trust)
    except StoreError as error:  # the numbers are there all the same: somebody else's run, say, on a read-only disk
        notes = (*notes, f"warning: these numbers are not kept: {error}")
    return Summary(run.manifest, tally, estimates, notes)


def _count(run: StoredRun, *, strict: bool) -> Tally:
    tally = Tally.of_run(run.manifest)
    for verdict in run.verdicts():
        tally.add(verdict)
    if strict and run.manifest.invalid:
        tally.doubt = f"invalid problems: {', '.join(problem.id for problem in run.manifest.invalid)}"
    return tally


def _no_extra_tests(tally: Tally) -> tuple[str, ...]:
    bare = tally.without_plus()
    return (shorten_reason(f"no extra tests (base tests alone decide): {', '.join(bare)}"),) if bare else ()


def _usual_ks(tally: Tally) -> tuple[int, ...]:
    fewest = min((counts.samples for counts in tally.problems.values() if counts.samples), default=1)
    return tuple(k for k in USUAL_KS if k <= fewest) or USUAL_KS[:1]


def show_run(folder: str | Path, scoring: Scoring) -> int:
    """Score a run, print its numbers to stdout, and give the exit status: 1 if some samples have no verdict.

    Raises:
        StoreError: The run can't be read.
    """
    summary = summarise(folder, scoring)
    for note in summary.notes:
        say(note)
    if scoring.json:
        put_json(summary.as_json())
    else:
        put(summary.as_text())
    return 1 if summary.unjudged else 0
