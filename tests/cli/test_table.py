from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from assay.cli.table import draw_table, wrap_text

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stdout", Terminal())


def test_numbers_stand_to_the_right_and_no_line_ends_in_blanks() -> None:
    text = draw_table(("name", "n"), [("a", "1"), ("bcd", "1000")], right=("n",))
    assert text.splitlines() == ["name      n", "─" * 11, "a         1", "bcd    1000"]


def test_square_brackets_are_text_not_markup() -> None:
    assert "f([1, 2]) [red]" in draw_table(("call",), [("f([1, 2]) [red]",)])


def test_a_pipe_gets_long_cells_unfolded() -> None:
    assert "x" * 120 in draw_table(("cell",), [("x" * 120,)])


def test_a_narrow_terminal_breaks_sentences_at_blanks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow_terminal(monkeypatch)
    assert wrap_text("a crowd-sourced set of some\nproblems") == "a crowd-sourced set\nof some\nproblems"


def test_a_narrow_terminal_folds_long_cells_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow_terminal(monkeypatch)
    assert draw_table(("cell",), [("x" * 50,)]).count("x") == 50


def test_a_pipe_gets_sentences_as_they_are() -> None:
    assert wrap_text("word " * 60) == "word " * 60


def test_bars_stand_beside_a_table_on_a_terminal_that_has_room(monkeypatch) -> None:
    monkeypatch.setattr("assay.cli.table._shows_blocks", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    drawn = draw_table(("a", "b"), [("x", "1"), ("y", "2")], bars=(0.5, None))
    assert drawn.splitlines()[2].endswith("\u2588" * 8)
    assert drawn.splitlines()[3] == "y   2"
    monkeypatch.setenv("COLUMNS", "12")
    assert "\u2588" not in draw_table(("a", "b"), [("x", "1")], bars=(0.5,))


def test_in_a_pipe_there_are_no_bars() -> None:
    assert draw_table(("a",), [("x",)], bars=(0.5,)) == draw_table(("a",), [("x",)])


def test_control_characters_and_markup_in_a_cell_are_shown_and_do_nothing() -> None:
    drawn = draw_table(("a",), [("\x1b[31mred [bold]x[/bold] \u202e",)])
    assert "␛[31mred [bold]x[/bold] ⟦U+202E⟧" in drawn
