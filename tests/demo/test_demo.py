"""The demo's numbers are those of the checked file `expected.json`, which is the output of `assay demo --json`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from assay.benchmarks import load, recorded_samples
from assay.store import open_samples, read_run

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, Path]:
    """What the demo printed, and the run that it kept."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    command = [sys.executable, "-m", "assay", "demo", "--json", "-o", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


def test_the_table_shows_two_problems_of_every_category_with_a_hidden_sample_each(demo) -> None:
    _, folder = demo
    command = [sys.executable, "-m", "assay", "demo", "-o", str(folder)]  # all is judged already, so it only prints
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    category = {problem.id: problem.tags[0] for problem in load("basics").problems}
    shown = re.findall(r"^(basics/\d+) #\d+ ", table, re.MULTILINE)
    assert len(set(shown)) == len(shown)
    assert Counter(category[problem] for problem in shown) == dict.fromkeys(set(category.values()), 2)


def test_the_numbers_are_those_of_the_checked_file(demo) -> None:
    shown, _ = demo
    expected = json.loads((HERE / "expected.json").read_text())
    assert shown["outcomes"] == expected["outcomes"]
    assert shown["trust"] == expected["trust"]
    assert len(shown["estimates"]) == len(expected["estimates"])
    for got, wanted in zip(shown["estimates"], expected["estimates"], strict=True):
        for end in ("value", "low", "high"):
            assert got.pop(end) == pytest.approx(wanted.pop(end), abs=1e-12)
        assert got == wanted


def test_the_hidden_samples_are_those_of_the_checked_file_and_at_least_five(demo) -> None:
    def names(found: dict) -> list[tuple]:
        return [(row["problem_id"], row["sample_index"], row["what"]) for row in found["hidden"]]

    shown, _ = demo
    assert names(shown) == names(json.loads((HERE / "expected.json").read_text()))
    assert len(names(shown)) >= 5


def test_every_recorded_sample_is_judged_as_its_author_says(demo) -> None:
    _, folder = demo
    verdicts = {(verdict.problem_id, verdict.sample_index): verdict for verdict in read_run(folder).verdicts()}
    benchmark = load("basics")
    wrong = []
    with open_samples(recorded_samples("basics"), benchmark) as samples:
        for problem in benchmark.problems:
            for sample in samples.read(problem.id):
                verdict = verdicts.pop((problem.id, sample.index))
                base, total = verdict.groups["base"]
                expect = sample.extra["expect"]
                if (base == total, verdict.passed) != (expect["base"], expect["base"] and expect["plus"]):
                    wrong.append((problem.id, sample.index, sample.extra["note"], verdict.outcome, verdict.message))
    assert wrong == []
    assert verdicts == {}
