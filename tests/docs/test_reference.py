"""docs/reference.md names every command, flag, outcome, trust level, error and field of a verdict, and is right."""

from __future__ import annotations

import re

import msgspec
import pytest
from reference import PAGE, written

import assay
from assay import errors
from assay.cli.findings import KINDS
from assay.limits import RANGES
from assay.records import Limits, Outcome, Trust, Verdict

TEXT = PAGE.read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, code marks taken off."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_commands_are_as_the_command_line_says() -> None:
    assert written(TEXT) == TEXT, "run `make docs`"


def test_every_outcome_stands_in_order_with_its_severity() -> None:
    assert [row[:2] for row in rows("Outcomes")] == [[outcome.value, outcome.severity or ""] for outcome in Outcome]


def test_every_trust_level_stands_in_order() -> None:
    assert [row[0] for row in rows("Trust")] == [trust.value for trust in Trust]


def test_every_error_stands_with_its_exit_status() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.AssayError)]
    assert {row[0]: int(row[1]) for row in rows("Errors")} == {kind.__name__: kind.exit_status for kind in kinds}


def test_every_limit_stands_with_its_range_and_what_holds_unless_it_is_given() -> None:
    defaults = ((name, getattr(Limits(), name)) for name in RANGES)
    shown = [
        [name, str(RANGES[name].least), str(RANGES[name].most), "" if value is None else str(value)]
        for name, value in defaults
    ]
    assert [row[:4] for row in rows("Limits")] == shown


@pytest.mark.parametrize("field", [field.name for field in msgspec.structs.fields(Verdict)])
def test_every_field_of_a_verdict_is_named(field: str) -> None:
    assert f"`{field}`" in TEXT


def test_every_name_of_the_python_api_is_named() -> None:
    section = TEXT.split("\n## Python\n")[1].split("\n## ")[0]
    public = [name for name in dir(assay.Result) if not name.startswith("_") and not hasattr(tuple, name)]
    calls = [name for kind in (assay.Judge, assay.AsyncJudge) for name in dir(kind) if not name.startswith("_")]
    names = [*assay.__all__, *public, *calls, *(field.name for field in msgspec.structs.fields(assay.Settings))]
    assert [name for name in names if not re.search(rf"`{re.escape(name)}[`(]", section)] == []


def test_every_setting_stands_with_what_holds_unless_it_is_given() -> None:
    table = TEXT.split("\n| of `Settings` |")[1].split("\n\n")[0].splitlines()[2:]
    shown = [tuple(cell.strip().strip("`") for cell in line.split("|")[1:3]) for line in table]
    fields = msgspec.structs.fields(assay.Settings)
    assert shown == [(field.name, str(field.default) if field.default != "L2" else '"L2"') for field in fields]


def test_every_kind_of_finding_is_explained_with_its_weight() -> None:
    page = (PAGE.parent / "checking.md").read_text("utf-8")
    rows_of_page = re.findall(r"^\| `(?:references\.)?(\w+)` \| (\w+) \|", page, flags=re.MULTILINE)
    assert dict(rows_of_page) == {kind: weight for kind, (weight, _) in KINDS.items()}
