"""`assay score --csv` and `--markdown`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest


@pytest.fixture
def judged(folder):
    """A run of two problems whose tags are hostile."""
    rows = [
        {
            "id": name,
            "prompt": "?",
            "reference": "def f(x):\n    return x",
            "tests": ["assert f(1) == 1"],
            "tags": [tag],
        }
        for name, tag in (("a", "=HYPERLINK(0)"), ("b", "$x$|<b>"))
    ]
    Path("problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder.samples(("a", "right"), ("a", "weak"), ("b", "right"), ("b", "right"))
    folder.judge()
    return folder


def test_csv_holds_every_number_with_all_digits(judged) -> None:
    status, out, _ = judged.assay("score", "run", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0
    assert {(row["name"], row["tests"]): row["value"] for row in rows} == {
        ("pass@1", "all"): "0.75",
        ("mean_fraction", "all"): "0.875",
        ("pass@1", "base"): "1.0",
        ("mean_fraction", "base"): "1.0",
    }
    assert rows[0]["reason"] == ""
    assert 0 < float(rows[0]["low"]) < 0.75 < float(rows[0]["high"]) < 1


def test_a_tag_that_is_a_formula_or_markup_is_text_in_both_forms(judged) -> None:
    _, out, _ = judged.assay("score", "run", "--csv", "--by", "tag", "--data", "problems.jsonl")
    parts = {row["part"] for row in csv.DictReader(io.StringIO(out))}
    assert parts == {"", "'=HYPERLINK(0)", "$x$|<b>"}
    _, out, _ = judged.assay("score", "run", "--markdown", "--by", "tag", "--data", "problems.jsonl")
    assert r"tag \$x\$\|\<b\>" in out


def test_markdown_is_two_tables_under_a_line_that_says_what_they_are_over(judged) -> None:
    status, out, _ = judged.assay("score", "run", "--markdown")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "**problems.jsonl**: 2 problems, 4 samples, isolation L4"
    assert "| pass@1 | all | 0.7500 |" in lines[4]
    assert lines[-2:] == ["| passed | 3 |", "| wrong answer | 1 |"]
    assert {line.count("|") for line in lines[2:8]} == {7}


def test_what_is_not_known_is_an_empty_cell_with_its_reason(folder) -> None:
    folder.samples(("a", "broken"), ("b", "right"))
    folder.judge()
    status, out, _ = folder.assay("score", "run", "--csv")
    row = next(csv.DictReader(io.StringIO(out)))
    assert status == 1
    assert (row["value"], row["at_least"], row["at_most"]) == ("", "0.5", "1.0")
    assert "no verdict for a" in row["reason"]
    _, out, _ = folder.assay("score", "run", "--markdown")
    assert "**1 without a verdict**" in out
    assert "0.500 to 1.000 (bounds)" in out


def test_two_forms_at_once_are_refused(judged) -> None:
    status, _, err = judged.assay("score", "run", "--csv", "--json")
    assert status == 2
    assert "give one of them" in err


def test_samples_without_a_verdict_stand_in_the_first_line(folder) -> None:
    folder.samples(("a", "broken"), ("b", "right"))
    folder.judge()
    _, out, _ = folder.assay("score", "run")
    assert out.splitlines()[0] == "problems.jsonl: 2 problems, 2 samples, 1 without a verdict, isolation L4"
