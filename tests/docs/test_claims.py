"""docs/internals/verdicts.md: each claim about the judge names a test, and each named test exists."""

from __future__ import annotations

import ast
import re

import pytest
from pages import ROOT

PAGE = ROOT / "docs" / "internals" / "verdicts.md"
TEXT = PAGE.read_text("utf-8")
NAMED = re.compile(r"`(tests/[\w/*.]+?)(?:::(\w+))?`")
RULES = (*range(1, 11), 12)
"""The rules of the judge that the table has to hold; rule 11 comes with the reward server."""


def claims() -> list[list[str]]:
    """The cells of the table of rules."""
    section = TEXT.split("\n## The rules and the tests that break without them\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")][
        2:
    ]


def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_rule_has_a_row() -> None:
    numbers = {int(found[1]) for row in claims() if (found := re.match(r"(\d+) ", row[0]))}
    assert numbers == set(RULES)


@pytest.mark.parametrize("row", claims(), ids=lambda row: row[1])
def test_a_claim_names_a_test_that_exists(row: list[str]) -> None:
    found = NAMED.findall(row[2])
    assert found, "it names none"
    for path, name in found:
        assert not name or name in names_in(path), f"{path} has no {name}"


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED.findall(TEXT)}))
def test_every_file_of_tests_that_the_page_names_exists(path: str) -> None:
    assert list(ROOT.glob(path)), f"there is no {path}"
