"""Tables and sentences for people, plain enough to paste into a message; in a pipe as wide as the text needs."""

from __future__ import annotations

import io
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PIPE_WIDTH = 160
"""Columns of a table that no terminal shows: wide enough that nothing is folded."""


BAR_WIDTH, LEAST_BAR = 16, 6
_GAP = 3
"""Columns between two columns of a table."""
_FULL, _EIGHTHS = "\u2588", " \u258f\u258e\u258d\u258c\u258b\u258a\u2589"


def draw_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    bars: Sequence[float | None] = (),
) -> str:
    """The table as text; what can't be seen in a cell is written as a sign for it.

    Args:
        heads: Names of the columns.
        rows: Cells, one for each column.
        right: Columns that hold numbers and stand to the right.
        bars: A share of 1 for each row, drawn beside it on a terminal; in a pipe nobody looks at it.
    """
    rows = [*rows]
    room = _room_for_bars(heads, rows) if bars and _shows_blocks() else 0
    if room >= LEAST_BAR:
        heads, rows = (*heads, ""), [(*row, draw_bar(share, room)) for row, share in zip(rows, bars, strict=True)]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right" if head in right else "left", overflow="fold")  # not cut
    for row in rows:
        table.add_row(*map(visible, row))
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    sink = io.StringIO()
    Console(file=sink, width=width, markup=False, highlight=False, emoji=False).print(table)
    return "".join(f"{line.rstrip()}\n" for line in sink.getvalue().splitlines())


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


def _room_for_bars(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns that a terminal has left beside the table, at most `BAR_WIDTH`: a bar must not fold what stands beside it."""
    columns = zip(*(heads, *rows), strict=True)
    used = sum(max(map(len, column)) + _GAP for column in columns)
    return min(shutil.get_terminal_size().columns - used, BAR_WIDTH)


def _shows_blocks() -> bool:
    return sys.stdout.isatty() and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def wrap_text(text: str) -> str:
    """The text with each line broken at blanks to the terminal's width; in a pipe as it is."""
    if not sys.stdout.isatty():
        return text
    wrap = textwrap.TextWrapper(shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrap.fill(line) for line in text.split("\n"))
