from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.visible import escaped_json, markdown_cell, on_one_line, spreadsheet_cell, visible

ANY_TEXT = st.text(alphabet=st.characters(codec=None))


@given(ANY_TEXT)
def test_no_control_character_and_no_mark_of_direction_is_left(text) -> None:
    for shown in (visible(text).replace("\n", "").replace("\t", ""), on_one_line(text)):
        assert {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Zl", "Zp"} == set()
        assert not {unicodedata.bidirectional(char) for char in shown} & {
            "RLO",
            "LRO",
            "RLE",
            "LRE",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        }


def test_every_character_of_format_but_joiners_is_shown() -> None:
    formats = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"]
    kept = {char for char in formats if visible(char) == char}
    # Joiners hold scripts and emoji together; signs of numbers and notes are seen.
    assert {"\u200c", "\u200d"} <= kept
    assert not kept & set("\u200b\u200e\u200f\u061c\u2060\u2066\u2069\u202a\u202e\ufeff\xad\U000e0041")


def test_ordinary_text_stays_as_it_is() -> None:
    text = "def f(x):\n\treturn 'Zürich, 東京 👩‍👧 [bold]x[/bold]'\n"
    assert visible(text) == text
    assert visible("a\r\nb\rc") == "a\nb␍c"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\uff1d1", "\uff20x", "%0", "|calc"])
def test_what_begins_like_a_formula_is_text_to_a_spreadsheet(text) -> None:
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["\t=1", "\r=1", "\n=1"])
def test_a_formula_behind_a_line_end_stands_behind_a_sign(text) -> None:
    assert spreadsheet_cell(text)[1:] == "=1"
    assert spreadsheet_cell(text)[0].isprintable()


@given(ANY_TEXT)
def test_a_cell_of_a_spreadsheet_is_one_cell_on_one_line(text) -> None:
    sink = io.StringIO()
    csv.writer(sink).writerow([spreadsheet_cell(text), "next"])
    (row,) = csv.reader(io.StringIO(sink.getvalue()))
    assert row[1] == "next"
    assert "\n" not in row[0]
    assert row[0].lstrip()[:1] not in {"=", "+", "-", "@"}


@pytest.mark.parametrize(
    "text",
    [
        "a|b",
        "$\\input{/etc/passwd}$",
        "`x`",
        "<img src=x>",
        "[a](javascript:b)",
        "**b**",
        "~~s~~",
        "# h",
        "&lt;",
        "@somebody",
    ],
)
def test_markup_latex_links_and_mentions_are_plain_in_markdown(text) -> None:
    cell = markdown_cell(text)
    bare = re.sub(r"&#\d+;|\\[\\|$`<>\[\]*~#()!_{}+&-]", "", cell)
    assert not set(bare) & set("|$`<>[]*~#&")
    assert "@" not in cell
    assert "://" not in markdown_cell("https://example.org www.example.org")


@given(st.text())
def test_escaped_json_is_the_same_value(text) -> None:
    document = json.dumps({"a": text}, ensure_ascii=False)
    assert json.loads(escaped_json(document)) == {"a": text}
