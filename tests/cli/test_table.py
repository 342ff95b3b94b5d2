from __future__ import annotations

from assay.cli.table import draw_table


def test_numbers_stand_to_the_right_and_no_line_ends_in_blanks() -> None:
    text = draw_table(("name", "n"), [("a", "1"), ("bcd", "1000")], right=("n",))
    assert text.splitlines() == ["name      n", "─" * 11, "a         1", "bcd    1000"]


def test_square_brackets_are_text_not_markup() -> None:
    assert "f([1, 2]) [red]" in draw_table(("call",), [("f([1, 2]) [red]",)])


def test_a_pipe_gets_long_cells_unfolded() -> None:
    assert "x" * 120 in draw_table(("cell",), [("x" * 120,)])
