from __future__ import annotations

from assay.cli.side_by_side import side_by_side
from assay.cli.table import PIPE_WIDTH

LEFT = PIPE_WIDTH // 2 - 3


def rows(left: str, right: str) -> list[tuple[str, str]]:
    lines = side_by_side(left, right).splitlines()
    return [(line[:LEFT].rstrip(), line[LEFT + 3 :]) for line in lines]


def test_equal_lines_stand_in_one_row_and_what_was_left_away_beside_a_gap():
    assert rows("Sure:\n```\nx = 1\n```", "x = 1") == [("Sure:", ""), ("```", ""), ("x = 1", "x = 1"), ("```", "")]


def test_what_came_from_elsewhere_stands_beside_a_gap_too():
    assert rows("x = 1", "import a\nx = 1") == [("", "import a"), ("x = 1", "x = 1")]


def test_long_stretches_without_a_counterpart_are_cut_down():
    words = [f"word {number}" for number in range(100)]
    found = rows("\n".join([*words, "x = 1"]), "x = 1")
    assert [left for left, _ in found] == [*words[:3], "... 94 more lines ...", *words[-3:], "x = 1"]


def test_long_lines_and_control_characters_do_not_break_the_columns():
    ((left, right),) = rows("a\x1b[31m" + "b" * 500, "\tx\x00")
    assert left.startswith("a\N{SYMBOL FOR ESCAPE}[31mbbb")
    assert left.endswith("...")
    assert len(left) <= LEFT
    assert right == "    x\N{SYMBOL FOR NULL}"


def test_a_text_of_very_many_lines_is_shown_in_part():
    assert len(side_by_side("a\n" * 100_000, "a\n" * 100_000).splitlines()) == 2000
