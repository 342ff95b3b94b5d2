"""Real answers of models get the verdicts that were published with them, and the published pass@10 comes out."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import pytest
from court import judge

from assay.benchmarks import load
from assay.engine import Settings
from assay.records import Mode, Outcome, Sample, Trust

if TYPE_CHECKING:
    from pathlib import Path

FAST_PROBLEMS = 30
KNOWN_DIFFERENCES = {
    (
        "humaneval.23_saiga",
        "HumanEval/49",
    ): "recurses deeper than the limit of 1,000 frames that Python sets; stored as passed under a higher one",
    ("humaneval.28_qwen_2_5_32b", "HumanEval/32"): "imports scipy, which the jail does not offer",
}


class Stored(NamedTuple):
    """A published answer with its verdict."""

    run: str
    task_id: str
    text: str
    passed: bool


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def stored(folder: Path, run: str, field: str) -> list[Stored]:
    passed = {(r["task_id"], r["sample_id"]): r["passed"] for r in rows(folder / f"verdicts-{run}.jsonl.gz")}
    samples = rows(folder / f"samples-{run}.jsonl.gz")
    return [Stored(run, r["task_id"], r[field], passed[r["task_id"], r["sample_id"]]) for r in samples]


def judged(problems, answers: list[Stored], prefix: str = "") -> list[tuple[Stored, object]]:
    """Each answer with our verdict."""
    by_problem = defaultdict(list)
    for answer in answers:
        by_problem[answer.task_id.removeprefix(prefix)].append(answer)
    known = {p.id: p for p in problems}
    cases = [
        (known[id_], [Sample(problem_id=id_, index=0, text=a.text, mode=Mode.SOLUTION) for a in given])
        for id_, given in by_problem.items()
    ]
    found = judge(cases, Settings(workers=2))
    assert found.invalids == {}
    return [(a, found.verdicts[id_, n]) for id_, given in by_problem.items() for n, a in enumerate(given)]


def differences(pairs: list) -> list[tuple]:
    return [(a.run, a.task_id, a.passed, v.outcome.value, v.message) for a, v in pairs if a.passed != v.passed]


@pytest.fixture(scope="module")
def qwen(shared):
    """The 5,000 answers of one model to the 500 test problems of MBPP, ten to each."""
    answers = stored(shared / "data" / "qwen3_mbpp", "qwen3-base", "text")
    assert len(answers) == 5000
    return answers


@pytest.fixture(scope="module")
def mbpp(shared):
    return load("mbpp", data=str(shared / "data" / "benchmarks" / "mbpp" / "problems.jsonl.gz")).problems


@pytest.mark.shared
def test_a_fixed_sample_of_300_answers_gets_its_published_verdicts(qwen, mbpp):
    ids = sorted({a.task_id for a in qwen})
    chosen = set(ids[:: len(ids) // FAST_PROBLEMS][:FAST_PROBLEMS])
    pairs = judged(mbpp, [a for a in qwen if a.task_id in chosen], "MBPP/")
    assert len(pairs) == 10 * FAST_PROBLEMS
    assert differences(pairs) == []
    assert {v.trust for _, v in pairs} == {Trust.ANCHORED}
    assert len({v.outcome for _, v in pairs}) >= 3, "the sample holds answers of one kind only, and shows little"


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_5000_answers_get_their_published_verdicts_and_pass_at_10_is_as_published(qwen, mbpp):
    pairs = judged(mbpp, qwen, "MBPP/")
    assert differences(pairs) == []
    assert [v.message for _, v in pairs if v.outcome is Outcome.SYSTEM_ERROR] == []
    solved = {a.task_id for a, v in pairs if v.passed}
    assert len(solved) / len({a.task_id for a, _ in pairs}) == 0.326


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_answers_of_nineteen_models_get_their_published_verdicts_but_for_the_two_that_are_explained(shared):
    folder = shared / "data" / "simple_evals_ru"
    runs = sorted(p.name[len("samples-") : -len(".jsonl.gz")] for p in folder.glob("samples-humaneval*"))
    assert len(runs) == 19
    problems = load("humaneval", data=str(shared / "data" / "benchmarks" / "humaneval" / "problems.jsonl.gz")).problems
    pairs = judged(problems, [a for run in runs for a in stored(folder, run, "code")])
    found = {(run, task_id): rest for run, task_id, *rest in differences(pairs)}
    assert found.keys() == KNOWN_DIFFERENCES.keys(), found
