"""Whole programs of a model, against stored verdicts of the harness that ran them: what passed there passes here, what failed does not.

The hidden tests are not in the file. What passed all of them must print the examples of its statement; of what failed, the first case
that it failed is told, with its input and its right output.
"""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from court import judge

from assay.engine import Settings
from assay.records import Checker, Limits, Mode, Outcome, Problem, Sample, StdioCase, StdioTests

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RUN = "o1-mini-2024-09-12"
LIMITS = Limits(time_s=6)
ERROR_CODES = {-2: "wrong answer", -3: "time limit", -4: "runtime error"}

RIGHT_HERE = {
    "abc368_f": "it prints in a thread that nobody waits for, whose output that harness lost",
    "abc382_c": "the same",
    "abc315_b": "that machine took over 6 s for a program that runs in a few milliseconds",
    "abc349_a": "the same",
    "abc359_b": "the same",
    "abc365_b": "the same",
    "abc301_e": "the same",
}
"""What failed there and passes here, and why."""

NEAR_THE_LIMIT = {"abc363_c"}
"""What takes about as long as it may, on this machine now less, now more."""

NEAR_ENOUGH = {"abc315_f", "abc319_c", "abc324_f", "abc327_e", "abc374_d", "abc375_b"}
"""Floats that are right within the tolerance that their statements allow, and that harness does not."""

UNREADABLE = {"abc367_c"}
"""An example that prints nothing, with an explanation that looks like what is printed."""

EXAMPLE = re.compile(r"\n?Sample (Input|Output) ?\d*:?\n")


def rows(shared: Path, name: str) -> list[dict[str, Any]]:
    path = shared / "data" / "livecodebench" / f"{name}.jsonl.gz"
    return [json.loads(line) for line in gzip.open(path, "rt", encoding="utf-8")]


class Stored:
    """The problems that are whole programs, with the model's answers and what became of them."""

    def __init__(self, shared: Path) -> None:
        found = (row for row in rows(shared, "problems") if not row["starter_code"].strip())
        self.statements = {row["question_id"]: row["question_content"].replace("\r\n", "\n") for row in found}
        self.texts = {row["task_id"]: row["text"] for row in rows(shared, f"samples-{RUN}")}
        self.verdicts = {row["task_id"]: row for row in rows(shared, f"verdicts-{RUN}")}

    def ids(self, *, passed: bool) -> list[str]:
        return [id_ for id_ in self.statements if self.verdicts[id_]["passed"] is passed]

    def judge(self, asked: dict[str, list[StdioCase]], checker: str):
        work = []
        for id_, cases in asked.items():
            tests = (StdioTests(cases=tuple(cases), checker=Checker(name=checker)),)
            sample = Sample(problem_id=id_, index=0, text=self.texts[id_], mode=Mode.CHAT)
            work.append((Problem(id=id_, prompt=self.statements[id_], tests=tests, limits=LIMITS), [sample]))
        found = judge(work, Settings(workers=2))
        assert found.invalids == {}
        return {id_: verdict for (id_, _), verdict in found.verdicts.items()}


def examples(statement: str) -> Iterable[StdioCase]:
    """The examples of a statement. Blank lines in an input come from its web page; an output ends where its explanation begins."""
    parts = EXAMPLE.split(statement)
    given = ""
    for kind, text in zip(parts[1::2], parts[2::2], strict=True):
        if kind == "Input":
            given = re.sub(r"\n\n+", "\n", text.strip("\n")) + "\n"
        else:
            yield StdioCase(stdin=given, stdout=text.removeprefix("\n").split("\n\n")[0].strip("\n") + "\n")


def first_failed(told: dict[str, Any]) -> StdioCase | None:
    """The case that failed there, None where it is not told whole."""
    if "inputs" not in told or "truncated" in told["inputs"] + told["expected"]:
        return None
    return StdioCase(stdin=told["inputs"], stdout=told["expected"])


@pytest.fixture(scope="module")
def stored(shared) -> Stored:
    return Stored(shared)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 8])
def test_what_passed_there_passes_the_examples_here(step, stored):
    ids = [id_ for id_ in stored.ids(passed=True) if id_ not in UNREADABLE]
    asked = {id_: list(examples(stored.statements[id_])) for id_ in ids[::step]}
    assert all(asked.values())
    verdicts = stored.judge(asked, "tokens")
    assert len(verdicts) >= 300 // step
    assert {id_: v.message for id_, v in verdicts.items() if not v.passed} == {}


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_what_failed_there_fails_here_unless_that_harness_was_wrong(stored):
    told = {id_: json.loads(stored.verdicts[id_]["metadata"]) for id_ in stored.ids(passed=False)}
    asked = {id_: [case] for id_, m in told.items() if (case := first_failed(m)) is not None}
    assert len(asked) > 140
    verdicts = stored.judge(asked, "tokens")
    assert {id_ for id_, v in verdicts.items() if v.passed} - NEAR_THE_LIMIT == RIGHT_HERE.keys()
    near = stored.judge({id_: asked[id_] for id_ in NEAR_ENOUGH}, "numbers")
    assert {id_ for id_, v in near.items() if v.passed} == NEAR_ENOUGH
    odd = {id_: v for id_, v in verdicts.items() if told[id_]["error_code"] == -4 and not v.passed}
    assert {v.outcome for v in odd.values()} == {Outcome.RUNTIME_ERROR}
