"""docs/threat-model.md: every wall names what shows it, and that is there."""

from __future__ import annotations

import re

import pytest
from pages import ROOT

TEXT = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
TABLE = TEXT.split("\n## What is defended\n")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in TABLE.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_defence_names_what_shows_it(row: list[str]) -> None:
    tests = re.findall(r"`(tests/[\w/*.]+)`", row[2])
    programs = re.findall(r"`(\w+/)`", row[2])
    assert tests or programs
    assert all(list(ROOT.glob(path)) for path in tests)
    assert all(list((ROOT / "tests" / "escapes" / "programs" / folder).glob("*.py")) for folder in programs)


def test_every_theme_of_hostile_programs_stands_in_a_row() -> None:
    folders = {path.name for path in (ROOT / "tests" / "escapes" / "programs").iterdir() if path.is_dir()} - {"judged"}
    assert {name for name in folders if f"`{name}/`" not in TABLE} == set()
