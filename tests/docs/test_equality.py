"""The tables of docs/equality.md say what the oracles say."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from pages import ROOT

from assay.judge.oracles import ORACLES

PAGE = (ROOT / "docs" / "equality.md").read_text("utf-8")
NAMES = {"nan": float("nan"), "inf": float("inf"), "Decimal": Decimal, "Fraction": Fraction, "np": np}
MODES = ("strict", "types", "lenient")


def rows(*heads: str) -> list[tuple[str, ...]]:
    """The rows of the table with these heads, each cell as it stands."""
    _, _, rest = PAGE.partition(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n")
    lines = re.match(r"(?:\|.*\|\n)*", rest)[0].splitlines()
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def value(cell: str):
    return eval(cell.strip("`"), dict(NAMES))  # our own page


def said(cells: tuple[str, ...]) -> list[bool]:
    assert set(cells) <= {"same", "-"}
    return [cell == "same" for cell in cells]


TABLE, SETS = rows("expected", "got", *MODES, "close"), rows("expected", "got", *MODES)


def test_the_tables_are_found():
    assert len(TABLE) > 40
    assert len(SETS) > 5


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[1]}")
def test_the_page_says_what_is_equal(row):
    expected, got = value(row[0]), value(row[1])
    for oracle in ("exact", "types", "close"):
        settings = {"rtol": 1e-7, "atol": 0.0}
        assert [ORACLES[oracle](got, expected, settings | {"equality": mode}, ()) for mode in MODES] == said(
            row[2:5]
        ), oracle
    assert [ORACLES["close"](got, expected, {}, ())] == said(row[5:])
    assert [ORACLES[oracle](got, expected, {"equality": None}, ()) for oracle in ("exact", "types")] == said(row[2:4])


@pytest.mark.parametrize("row", SETS, ids=lambda row: f"{row[0]} {row[1]}")
def test_the_page_says_which_collections_hold_the_same(row):
    expected, got = value(row[0]), value(row[1])
    assert [ORACLES["set"](got, expected, {"equality": mode}, ()) for mode in MODES] == said(row[2:])
    assert [ORACLES["set"](got, expected, {}, ())] == said(row[2:3])
