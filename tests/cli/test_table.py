from __future__ import annotations

import io
import sys

import pytest

from assay.cli.table import draw_table, wrap_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def narrow_terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 20) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
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


HEADS = ("run", "would be shown from", "value", "interval", "samples")
ROWS = [
    ("results/november/first", "0.215", "-0.4000", "-0.538 to -0.236 (95%)", "1,000"),
    ("second", "0.236", "-0.2500", "-0.407 to -0.077 (95%)", "12,345"),
]
RIGHT = ("would be shown from", "value", "samples")


@pytest.mark.parametrize("columns", range(24, 100, 3))
def test_in_any_room_no_line_is_too_long_and_every_word_and_interval_is_whole(monkeypatch, columns: int) -> None:
    narrow_terminal(monkeypatch, columns)
    drawn = draw_table(HEADS, ROWS, right=RIGHT)
    assert max(map(len, drawn.splitlines())) <= max(columns, 43)  # of blocks: the longest head and word
    words = set(drawn.split())
    assert {"0.215", "-0.4000", "12,345", "second", "value", "shown", "samples"} <= words
    assert "-0.538 to -0.236" in drawn or columns < 43
    assert "".join(drawn.split()).count("first") == 1


def test_what_ends_all_intervals_alike_moves_to_the_head_before_anything_is_wrapped(monkeypatch) -> None:
    narrow_terminal(monkeypatch, 40)
    lines = draw_table(("name", "interval", "n"), [("x" * 20, "0.1 to 0.2 (95%)", "1"), ("y", "-", "2")]).splitlines()
    assert lines[-2] == f"{'x' * 20}  0.1 to 0.2      1"
    assert "(95%)" in lines[0]


def test_intervals_of_several_kinds_keep_their_words(monkeypatch) -> None:
    narrow_terminal(monkeypatch, 40)
    drawn = draw_table(("name", "interval"), [("x" * 20, "0.1 to 0.2 (95%)"), ("y", "0.1 to 0.3 (bounds)")])
    assert "0.1 to 0.2 (95%)" in drawn
    assert "0.1 to 0.3 (bounds)" in drawn


def test_columns_that_may_be_spared_are_left_out_and_named(monkeypatch) -> None:
    narrow_terminal(monkeypatch, 30)
    rows = [("algorithms", "0.4043", "84", "12")]
    drawn = draw_table(("tag", "value", "samples", "problems"), rows, right=("value",), spare=("samples", "problems"))
    assert drawn.endswith("\nno room for: samples\n")
    assert "84" not in drawn
    narrow_terminal(monkeypatch, 40)
    drawn = draw_table(("tag", "value", "samples", "problems"), rows, right=("value",), spare=("samples", "problems"))
    assert "84" in drawn
    assert "no room" not in drawn


def test_a_row_is_a_block_of_lines_where_not_even_its_words_fit(monkeypatch) -> None:
    narrow_terminal(monkeypatch, 22)
    rows = [("A", "basics/1", "IndexError: string index out of range"), ("B", "basics/2", "")]
    drawn = draw_table(("", "sample that fails", "got"), rows)
    assert drawn == (
        "A\nsample that fails  basics/1\ngot                IndexError: string\n                   index out of range\n"
        "\nB\nsample that fails  basics/2\n"
    )


def test_a_path_is_broken_at_its_steps_only(monkeypatch) -> None:
    narrow_terminal(monkeypatch, 24)
    drawn = draw_table(("run", "n"), [("results/november/a-candidate", "1,000")], right=("n",))
    assert drawn.splitlines()[2:] == ["results/november/  1,000", "a-candidate"]


def test_a_pipe_is_as_wide_as_its_reader_says(monkeypatch) -> None:
    text = "word " * 30 + "end"
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, draw_table(("a", "n"), [(text, "1")]).splitlines())) <= 40
    assert max(map(len, wrap_text(text).splitlines())) <= 40
    for nothing in ("", "0", "wide"):
        monkeypatch.setenv("COLUMNS", nothing)
        assert wrap_text(text) == text


def test_items_of_a_list_keep_their_indent(monkeypatch) -> None:
    narrow_terminal(monkeypatch)
    assert wrap_text("  better: one two three four") == "  better: one two\n    three four"
    assert wrap_text("- to get it: one two three") == "- to get it: one two\n  three"
    assert wrap_text("a sentence that goes on") == "a sentence that goes\non"


def test_wide_characters_count_as_they_are_drawn(monkeypatch) -> None:
    narrow_terminal(monkeypatch)
    drawn = draw_table(("name", "n"), [("\u4e2d\u6587", "1"), ("abcd", "2")], right=("n",))
    assert drawn.splitlines()[2:] == ["\u4e2d\u6587   1", "abcd   2"]
