"""Two texts beside each other, line by line, where one was taken out of the other: what was left away shows as a gap on the right."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from assay.cli.table import PIPE_WIDTH, text_width
from assay.counts import count_of
from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_LINES = 2_000
"""Lines of a text beyond which lines are not matched: it would take long, and nobody reads so many."""

_UNBROKEN = 6
"""Lines in a row without a counterpart that are shown; of more the first and last are."""

_GAP = " | "


class _Pair(NamedTuple):
    left: str | None
    right: str | None


def side_by_side(left: str, right: str) -> str:
    r"""Lines of both texts in two columns, equal lines in one row; long stretches with nothing on one side are cut down.

    >>> print("\n".join(line.split() and " ".join(line.split()) for line in side_by_side("Sure:\nx = 1", "x = 1").splitlines()))
    Sure: |
    x = 1 | x = 1
    """
    width = (text_width() or PIPE_WIDTH) // 2 - len(_GAP)
    pairs = _shortened(list(_pairs(left.splitlines(), right.splitlines())))
    return "".join(
        f"{_cell(pair.left, width):{width}}{_GAP}{_cell(pair.right, width)}".rstrip() + "\n" for pair in pairs
    )


def _cell(line: str | None, width: int) -> str:
    text = visible((line or "").expandtabs(4))
    return text if len(text) <= width else text[: width - 3] + "..."


def _pairs(left: Sequence[str], right: Sequence[str]) -> Iterator[_Pair]:
    if len(left) > _MOST_LINES or len(right) > _MOST_LINES:
        left, right = left[:_MOST_LINES], right[:_MOST_LINES]
    for _, start, end, begin, finish in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for number in range(max(end - start, finish - begin)):
            yield _Pair(
                left[start + number] if start + number < end else None,
                right[begin + number] if begin + number < finish else None,
            )


def _shortened(pairs: list[_Pair]) -> Iterator[_Pair]:
    stretch: list[_Pair] = []
    for pair in pairs:
        if pair.right is None:
            stretch.append(pair)
            continue
        yield from _cut(stretch)
        stretch = []
        yield pair
    yield from _cut(stretch)


def _cut(stretch: list[_Pair]) -> list[_Pair]:
    if len(stretch) <= _UNBROKEN:
        return stretch
    half = _UNBROKEN // 2
    return [*stretch[:half], _Pair(f"... {count_of(len(stretch) - 2 * half, 'more line')} ...", None), *stretch[-half:]]
