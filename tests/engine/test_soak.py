"""The short form of `benchmarks/soak.py`: whoever is killed, every sample gets exactly one true verdict and nothing is left."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "benchmarks" / "soak.py"


@pytest.fixture(scope="module")
def soak():
    spec = importlib.util.spec_from_file_location("soak", SOAK)
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["soak"]


SHORT = """
import json, random, sys, soak
kills, problems = map(int, sys.argv[1:])
tally = soak.soak(soak.Plan(seconds=0, kills=kills, apart_s=(0.3, 0.8), problems=problems, workers=1), random.Random(7))
print(json.dumps({"faults": tally.faults, "runs": tally.runs, "kills": tally.kills.total()}))
"""


def soaked(kills, problems):
    """What came of a soak in a process of its own: it takes in whatever is orphaned, which is not for the process of the tests."""
    done = subprocess.run(
        [sys.executable, "-c", SHORT, str(kills), str(problems)],
        env={**os.environ, "PYTHONPATH": str(SOAK.parent)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("kills", "problems"), [(5, 2), pytest.param(60, 6, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])]
)
def test_who_is_killed_costs_no_sample_its_one_true_verdict(kills, problems):
    tally = soaked(kills, problems)
    assert tally["faults"] == []
    assert tally["runs"] >= 1
    assert tally["kills"] >= kills


def row(index, outcome):
    return {"problem_id": "p", "sample_index": index, "outcome": outcome, "message": ""}


def test_a_verdict_that_is_wrong_missing_or_there_twice_is_a_fault(soak, tmp_path):
    tally, path = soak.Tally(), tmp_path / "verdicts.jsonl"
    rows = [row(0, "passed"), row(1, "passed"), row(1, "passed"), row(2, "wrong_answer")]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    soak.compare(path, {("p", index): "passed" for index in range(4)}, tally)
    assert [fault.split(":")[0] for fault in sorted(tally.faults)] == [
        "('p', 1) has 2 verdicts",
        "('p', 2) is passed and was called wrong_answer",
        "('p', 3) has no verdict",
    ]
