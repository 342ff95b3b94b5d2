"""A run's numbers for a spreadsheet (CSV) and for a page (Markdown).

Keeps true: names that a data set gave (tags, splits, ids in reasons) are no formula in a spreadsheet and no markup on a page.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from assay.counts import count_of
from assay.metrics import shorten_reason
from assay.records import Outcome
from assay.visible import markdown_cell, spreadsheet_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.metrics import Group, Tally
    from assay.records import Estimate, Manifest

_HEADS = (
    "by", "part", "name", "tests", "value", "low", "high", "level", "at_least", "at_most", "problems", "samples", "reason",
)  # fmt: skip


class Numbers(NamedTuple):
    """What is written: a run, its verdicts counted, its numbers and those of its parts."""

    manifest: Manifest
    tally: Tally
    estimates: Sequence[Estimate]
    groups: Sequence[Group]


def _estimates(numbers: Numbers) -> Iterator[tuple[str, str, Estimate]]:
    """Every number: by what its part of the run was made, the part's name (both empty for the whole run), the number."""
    yield from (("", "", each) for each in numbers.estimates)
    yield from ((group.by, group.name, each) for group in numbers.groups for each in group.estimates)


def csv_text(numbers: Numbers) -> str:
    """One row a number; what is not known is an empty cell. Numbers have all their digits."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(_HEADS)
    for by, part, each in _estimates(numbers):
        cells = (each.value, each.low, each.high, each.level, each.at_least, each.at_most, each.problems, each.samples)
        writer.writerow(
            [by, spreadsheet_cell(part), each.name, each.tests, *cells, spreadsheet_cell(each.reason or "")]
        )
    return sink.getvalue()


def markdown_text(numbers: Numbers) -> str:
    """Tables of numbers and outcomes, with a line that says what they are over."""
    manifest, tally = numbers.manifest, numbers.tally
    lacking = sum(counts.lacking for counts in tally.problems.values())
    unjudged = f", **{lacking:,} without a verdict**" if lacking else ""
    invalid = f" ({len(manifest.invalid):,} invalid)" if manifest.invalid else ""
    told = (
        f"**{markdown_cell(manifest.benchmark)}**: {count_of(len(tally.problems), 'problem')}{invalid}, "
        f"{count_of(tally.outcomes.total(), 'sample')}{unjudged}, isolation {markdown_cell(manifest.isolation.level)}"
    )
    counts = ((outcome, tally.outcomes[outcome]) for outcome in reversed(Outcome))
    outcomes = [(outcome.value.replace("_", " "), f"{count:,}") for outcome, count in counts if count]
    return "\n".join((told, "", *_numbers(numbers), "", *_table(("outcome", "samples"), outcomes, ":--", "--:")))


def _numbers(numbers: Numbers) -> Iterator[str]:
    parted = bool(numbers.groups)
    heads = (
        *(("part",) if parted else ()),
        "number",
        "tests",
        "value",
        "95% interval",
        "problems",
        "samples",
        "reason",
    )
    rows: list[tuple[str, ...]] = []
    for by, part, each in _estimates(numbers):
        cells = (
            each.name.replace("_", " "),
            each.tests,
            "" if each.value is None else f"{each.value:.4f}",
            _interval(each),
            f"{each.problems:,}",
            f"{each.samples:,}",
            markdown_cell(shorten_reason(each.reason or "")),
        )
        rows.append((markdown_cell(f"{by} {part}".strip()), *cells) if parted else cells)
    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return _table(heads, rows, *(("--:" if head in ("value", "problems", "samples") else ":--") for head in heads))


def _interval(each: Estimate) -> str:
    if each.value is None and each.at_least is not None and each.at_most is not None:
        return f"{each.at_least:.3f} to {each.at_most:.3f} (bounds)"
    return "" if each.low is None or each.high is None else f"{each.low:.3f} to {each.high:.3f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], *sides: str) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join(sides)}|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
