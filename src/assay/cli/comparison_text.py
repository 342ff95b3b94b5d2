"""Comparisons as people read them: the runs as letters, two tables, then what each shows in a sentence, with its problems."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from assay.cli.table import draw_table, wrap_text
from assay.counts import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.metrics import Comparison

LISTED = 12
"""Problems that are named in a line; `--json` names all."""


def comparison_text(runs: Sequence[str], found: Sequence[Comparison]) -> str:
    """What `assay compare` prints.

    Args:
        runs: Names of the runs in the order in which they were given.
        found: The comparisons.
    """
    letters = {name: ascii_uppercase[i] if i < len(ascii_uppercase) else f"#{i + 1}" for i, name in enumerate(runs)}
    parts = [
        _values_table(letters, found),
        _differences_table(letters, found) + _uncorrected(found),
        *(_told(letters, each) for each in found),
    ]
    return "\n".join(parts)


def finding(each: Comparison) -> str:
    """What a comparison shows, in words that never call a gap a win where chance explains it."""
    if each.reason or each.difference is None:
        return each.reason or ""
    how = f"{each.test}, p = {_number(each.p, '.3g')}"
    if each.p != each.p_corrected:
        how += f", {_number(each.p_corrected, '.3g')} corrected for several comparisons"
    if each.is_shown:
        return f"{'better' if each.difference > 0 else 'worse'} by {abs(each.difference):.4f} ({how})"
    return f"no difference shown ({how}); one below {_number(each.detectable, '.3f')} would often stay unseen over these problems"


def _values_table(letters: Mapping[str, str], found: Sequence[Comparison]) -> str:
    rows: dict[tuple[str, ...], None] = {}  # a set that keeps its order: the first run stands in many comparisons
    for each in found:
        ends = (each.first_low, each.first_high), (each.second_low, each.second_high)
        for name, value, (low, high) in zip(
            (each.first, each.second), (each.first_value, each.second_value), ends, strict=True
        ):
            interval = _interval(low, high, each.level, ".3f")
            rows[letters[name], name, each.name, each.tests, _number(value), interval, f"{each.problems:,}"] = None
    heads = ("", "run", "number", "tests", "value", "interval", "problems in common")
    return draw_table(heads, rows, right=("value", "problems in common"), spare=("tests", "problems in common"))


def _differences_table(letters: Mapping[str, str], found: Sequence[Comparison]) -> str:
    p = "p (Holm)" if _tested(found) > 1 else "p"
    heads = ("pair", "number", "value", "interval", p, "better", "worse", "same", "shown from")
    rows = [
        (
            f"{letters[each.second]} - {letters[each.first]}",
            each.name,
            _number(each.difference, "+.4f"),
            _interval(each.low, each.high, each.level, "+.3f"),
            _number(each.p_corrected, ".3g"),
            *(f"{count:,}" for count in (len(each.won), len(each.lost), each.tied)),
            _number(each.detectable, ".3f"),
        )
        for each in found
    ]
    return draw_table(heads, rows, right=("value", *heads[4:]), spare=("shown from", "same", "better", "worse"))


def _tested(found: Sequence[Comparison]) -> int:
    """How many tests were made, and p corrected for."""
    return sum(each.p is not None for each in found)


def _uncorrected(found: Sequence[Comparison]) -> str:
    """Which of the table's numbers allow for the others, where p and an interval may seem to disagree."""
    tests = _tested(found)
    if tests < 2:
        return ""
    told = (
        f"p is corrected for {tests} comparisons (Holm) and decides what is shown. Each interval is for its own difference alone, "
        "not corrected: it may leave out 0 where no difference is shown."
    )
    return f"{wrap_text(told)}\n"


def _number(value: float | None, form: str = ".4f") -> str:
    return "-" if value is None else f"{value:{form}}"


def _interval(low: float | None, high: float | None, level: float, form: str) -> str:
    return "-" if low is None or high is None else f"{low:{form}} to {high:{form}} ({level:.0%})"


def _told(letters: Mapping[str, str], each: Comparison) -> str:
    lines = [
        f"{letters[each.second]} against {letters[each.first]}, {each.name}: {finding(each)}",
        *_lists(letters, each),
    ]
    return "".join(f"{wrap_text(line)}\n" for line in lines)


def _lists(letters: Mapping[str, str], each: Comparison) -> Iterator[str]:
    """Problems won, lost and left out, a line each."""
    one, two = letters[each.first], letters[each.second]
    lists = (
        (f"{two} better", each.won),
        (f"{one} better", each.lost),
        (f"left out, not in {two}", each.only_first),
        (f"left out, not in {one}", each.only_second),
        ("left out, samples without a verdict", each.unjudged),
        ("left out, too few samples", each.too_few),
    )
    for what, ids in lists:
        if ids:
            yield f"  {what}: {len(ids):,} ({listed(ids, LISTED)})"
    if each.problems:
        yield f"  same: {each.tied:,} ({each.both:,} always solved by both, {each.neither:,} never by either)"
