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

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PIPE_WIDTH = 160
"""Columns of a table that no terminal shows: wide enough that nothing is folded."""


def draw_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> str:
    """The table as text.

    Args:
        heads: Names of the columns.
        rows: Cells, one for each column.
        right: Columns that hold numbers and stand to the right.
    """
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right" if head in right else "left", overflow="fold")  # not cut
    for row in rows:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    sink = io.StringIO()
    Console(file=sink, width=width, markup=False, highlight=False, emoji=False).print(table)
    return "".join(f"{line.rstrip()}\n" for line in sink.getvalue().splitlines())


def wrap_text(text: str) -> str:
    """The text with each line broken at blanks to the terminal's width; in a pipe as it is."""
    if not sys.stdout.isatty():
        return text
    wrap = textwrap.TextWrapper(shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrap.fill(line) for line in text.split("\n"))
