"""Tables and sentences for people, plain enough to paste into a message; in a pipe as wide as the text needs, or as `COLUMNS` says.

Keeps true: no word and no number is cut in two for want of room. What does not fit gives way in this order: bars, the gaps between
columns, what ends every cell of a column alike, heads and texts (which wrap at blanks), columns that may be spared (and are then named);
at last each row is a block of lines.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PIPE_WIDTH = 160
"""Columns of what stands in two columns of its own where no terminal shows it."""

BAR_WIDTH, LEAST_BAR = 16, 6
_GAP, _NARROW_GAP = 3, 2
"""Columns between two columns of a table."""
_TALLEST = 4
"""Lines of a cell, beyond which a block is easier to read."""
_LEAST_BLOCK = 20
"""Columns of a block's text, however narrow the terminal."""
_FULL, _EIGHTHS = "\u2588", " \u258f\u258e\u258d\u258c\u258b\u258a\u2589"

_WORDS = re.compile(r"\s*\S+")
_STEPS = re.compile(r"\s*(?:[^\s/]+/*|/+)")
"""What a line is never broken within: words, or the steps of a path, where a whole path has no room."""
_ENDING = re.compile(r" \([^()]*\)$")


class _Column(NamedTuple):
    """A column; a `rigid` one holds numbers or intervals, whose cells are never wrapped, only its head."""

    head: str
    cells: tuple[str, ...]
    rigid: bool
    right: bool

    def width(self) -> int:
        return max(_longest(text.split("\n")) for text in (self.head, *self.cells))

    def least(self, pieces: re.Pattern[str]) -> int:
        """The fewest columns in which nothing is cut in two."""
        cells = (text.split("\n") if self.rigid else map(str.strip, pieces.findall(text)) for text in self.cells)
        return max(_longest(map(str.strip, pieces.findall(self.head))), *map(_longest, cells), 0)

    def lifted(self) -> _Column:
        """The column with what ends all its numbers alike, such as ` (95%)`, in the head."""
        endings = {found[0] if (found := _ENDING.search(cell)) else "" for cell in self.cells if cell not in ("", "-")}
        if not self.rigid or len(endings) != 1:
            return self
        (ending,) = endings
        return self._replace(head=self.head + ending, cells=tuple(cell.removesuffix(ending) for cell in self.cells))


def draw_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = ("interval",),
    spare: Sequence[str] = (),
    bars: Sequence[float | None] = (),
) -> str:
    """The table as text; what can't be seen in a cell is written as a sign for it.

    Args:
        heads: Names of the columns.
        rows: Cells, one for each column.
        right: Columns that hold numbers and stand to the right.
        whole: Other columns whose cells are never wrapped.
        spare: Columns that a reader misses least, the least first; they are left out, and named, where there is no room.
        bars: A share of 1 for each row, drawn beside it on a terminal; in a pipe nobody looks at it.
    """
    rows = [tuple(visible(cell).expandtabs(4) for cell in row) for row in rows]
    cells = zip(*rows, strict=True) if rows else (() for _ in heads)
    columns = [
        _Column(head, tuple(column), head in right or head in whole, head in right)
        for head, column in zip(heads, cells, strict=True)
    ]
    room = text_width()
    widths = [column.width() for column in columns]
    used = sum(widths) + _GAP * (len(widths) - 1)
    if room is None or used <= room:
        drawn = min(room - used - _GAP, BAR_WIDTH) if bars and room is not None and _shows_blocks() else 0
        if drawn >= LEAST_BAR:
            columns.append(_Column("", tuple(draw_bar(share, drawn) for share in bars), rigid=True, right=False))
            widths.append(drawn)
        return _grid(columns, widths, _GAP, _WORDS)
    return _narrow(columns, room, spare)


def draw_bar(share: float | None, width: int = BAR_WIDTH) -> str:
    """A share of 1 as a bar of so many columns, to an eighth of a column; nothing where it is not known.

    >>> draw_bar(0.5, 4), draw_bar(None), len(draw_bar(0.999, 4))
    ('\u2588\u2588  ', '', 4)
    """
    if share is None:
        return ""
    whole, eighths = divmod(round(min(max(share, 0.0), 1.0) * width * 8), 8)
    part = _EIGHTHS[eighths] if whole < width else ""
    return (_FULL * whole + part).ljust(width)


def wrap_text(text: str) -> str:
    """The text with each line broken at blanks to the terminal's width, items of a list further in; in a pipe as it is.

    A pipe has a width where `COLUMNS` tells one.
    """
    width = text_width()
    return text if width is None else "\n".join(_filled(line, width) for line in text.split("\n"))


def _filled(line: str, width: int) -> str:
    item = re.match(r"\s+|- ", line)
    further = "" if item is None else " " * (len(item[0]) + (0 if item[0] == "- " else 2))
    return textwrap.fill(line, width, subsequent_indent=further, break_long_words=False, break_on_hyphens=False)


def text_width() -> int | None:
    """Columns of the terminal, or of a pipe whose reader tells them; None if there is no end to a line."""
    if sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    told = os.environ.get("COLUMNS", "")
    return int(told) or None if told.isdecimal() else None


def _shows_blocks() -> bool:
    return sys.stdout.isatty() and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _longest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _narrow(columns: Sequence[_Column], room: int, spare: Sequence[str]) -> str:
    """The table in less room than it needs: narrowed, without some columns, or as blocks."""
    lifted = [column.lifted() for column in columns]
    there = [head for head in spare if head in {column.head for column in columns}]
    for number in range(len(there) + 1):
        kept = [low for low, column in zip(lifted, columns, strict=True) if column.head not in there[:number]]
        for pieces in (_WORDS, _STEPS):
            if widths := _fitting(kept, room, pieces):
                told = f"no room for: {', '.join(there[:number])}"
                return _grid(kept, widths, _NARROW_GAP, pieces) + (f"{_filled(told, room)}\n" if number else "")
    return _blocks(columns, room)


def _fitting(columns: Sequence[_Column], room: int, pieces: re.Pattern[str]) -> list[int]:
    """Widths with which the columns fit; none if they can't. Heads of numbers give way first, then the widest text."""
    widths, least = [column.width() for column in columns], [column.least(pieces) for column in columns]
    while sum(widths) + _NARROW_GAP * (len(widths) - 1) > room:
        able = [place for place, width in enumerate(widths) if width > least[place]]
        if not able:
            return []
        widths[max(able, key=lambda place: (columns[place].rigid, widths[place]))] -= 1
    wrapped = zip(columns, widths, strict=True)
    texts = ((cell, width) for column, width in wrapped if not column.rigid for cell in column.cells)
    return widths if all(len(_lines(cell, width, pieces)) <= _TALLEST for cell, width in texts) else []


def _lines(text: str, width: int, pieces: re.Pattern[str]) -> list[str]:
    """The text in lines of at most so many columns, as far as its pieces allow it."""
    lines = []
    for line in text.split("\n"):
        begun = line if cell_len(line) <= width else ""
        for piece in () if begun else pieces.findall(line):
            if begun and cell_len(begun + piece) > width:
                lines.append(begun)
                begun = piece.lstrip()
            else:
                begun += piece
        lines.append(begun)
    return lines


def _grid(columns: Sequence[_Column], widths: Sequence[int], gap: int, pieces: re.Pattern[str]) -> str:
    heads = [_lines(column.head, width, pieces) for column, width in zip(columns, widths, strict=True)]
    deepest = max(map(len, heads), default=0)
    drawn = [*_row(columns, widths, [[""] * (deepest - len(head)) + head for head in heads], gap)]
    drawn.append("\u2500" * (sum(widths) + gap * (len(widths) - 1)))
    for cells in zip(*(column.cells for column in columns), strict=True):
        lines = [_lines(cell, width, pieces) for cell, width in zip(cells, widths, strict=True)]
        drawn += _row(columns, widths, lines, gap)
    return "".join(f"{line}\n" for line in drawn)


def _row(columns: Sequence[_Column], widths: Sequence[int], cells: Sequence[list[str]], gap: int) -> Iterator[str]:
    for number in range(max(map(len, cells), default=0)):
        texts = []
        for column, width, lines in zip(columns, widths, cells, strict=True):
            text = lines[number] if number < len(lines) else ""
            blanks = " " * (width - cell_len(text))
            texts.append(blanks + text if column.right else text + blanks)
        yield (" " * gap).join(texts).rstrip()


def _blocks(columns: Sequence[_Column], room: int) -> str:
    """Each row as lines of a head and a cell; empty cells are left out."""
    indent = _longest(column.head for column in columns) + _NARROW_GAP
    width = max(room - indent, _LEAST_BLOCK)
    blocks = []
    for number in range(len(columns[0].cells)):
        block = []
        for column in columns:
            if column.cells[number]:
                first, *others = _lines(column.cells[number], width, _WORDS)
                block.append(f"{_indented(column.head, indent)}{first}".rstrip())
                block += [f"{' ' * indent}{line}" for line in others]
        blocks.append("".join(f"{line}\n" for line in block))
    return "\n".join(blocks)


def _indented(head: str, indent: int) -> str:
    """The head and blanks up to where cells stand; what has no head, a letter or a mark, stands in its place."""
    return head + " " * (indent - cell_len(head)) if head else ""
