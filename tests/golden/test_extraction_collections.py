"""Code that we take out of real chat answers is the code that their publishers took, but where theirs is the worse."""

from __future__ import annotations

import ast
import gzip
import json
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from court import judge

from assay.engine import Settings
from assay.programs import extract
from assay.records import AssertTests, CheckTests, Mode, Problem, Sample

if TYPE_CHECKING:
    from pathlib import Path

DIFFERING = {"simple_evals_ru": (27, 6327), "mapcoder": (32, 4974), "livecodebench": (2, 880)}
"""Answers of each collection whose code differs by more than blanks at its edges, and all answers that have a `code`."""

SAMPLED = 40
"""The fast test looks at every so many-th answer."""

WORSE = {("humaneval.15_qwen_2_5_72b", "HumanEval/54")}
"""Runs and tasks whose published code passes where ours does not: the model gave a right program, then a "corrected" one."""


class Answer(NamedTuple):
    """A published chat answer with the code that its publisher took out of it."""

    collection: str
    run: str
    task_id: str
    text: str
    code: str


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def answers(shared: Path, collection: str) -> list[Answer]:
    return [
        Answer(collection, path.name[len("samples-") : -len(".jsonl.gz")], row["task_id"], row["text"], row["code"])
        for path in sorted((shared / "data" / collection).glob("samples-*.jsonl.gz"))
        for row in rows(path)
        if row.get("code") is not None
    ]


@pytest.fixture(scope="module")
def problems(shared) -> dict[str, Problem]:
    """The problems of the collections, by the ids that their answers use; whole programs have no tests that we know."""
    folder = shared / "data" / "benchmarks"
    human = {row["task_id"]: humaneval(row) for row in rows(folder / "humaneval/problems.jsonl.gz")}
    simple = {f"MBPP/{row['id']}": simple_mbpp(row) for row in rows(folder / "simple-evals-mbpp-257/problems.jsonl.gz")}
    typed = {row["name"]: typed_mbpp(row) for row in rows(folder / "mbpp-typed-397/problems.jsonl.gz")}
    return human | simple | typed


def humaneval(row: dict) -> Problem:
    return Problem(
        id=row["task_id"],
        prompt=row["prompt"],
        tests=(CheckTests(source=row["test"]),),
        entry_point=row["entry_point"],
        reference=row["prompt"] + row["canonical_solution"],
        prompt_is_code=True,
    )


def simple_mbpp(row: dict) -> Problem:
    statements = ast.parse(row["test"]).body
    cases = tuple(ast.unparse(node) for node in statements if isinstance(node, ast.Assert))
    setup = "\n".join(ast.unparse(node) for node in statements if not isinstance(node, ast.Assert))
    name = re.match(r"(?:def|class)\s+(\w+)", row["signature"])
    assert name is not None
    return Problem(
        id=f"MBPP/{row['id']}",
        prompt=row["prompt"],
        tests=(AssertTests(cases=cases),),
        setup=setup,
        entry_point=name[1],
        reference=row["canonical_solution"],
    )


def typed_mbpp(row: dict) -> Problem:
    source = row["test"].partition("\ndef test_check")[0]
    typing = "from typing import *\n"
    return Problem(
        id=row["name"], prompt=typing, tests=(CheckTests(source=source),), setup=typing, entry_point=row["entry_point"]
    )


def ours(answer: Answer, problems: dict[str, Problem]) -> str:
    problem = problems.get(answer.task_id)
    return extract(answer.text, entry_point=problem.entry_point if problem else None).code or ""


def differing(given: list[Answer], problems: dict[str, Problem]) -> list[Answer]:
    return [each for each in given if ours(each, problems).strip() != each.code.strip()]


@pytest.mark.shared
@pytest.mark.parametrize("collection", DIFFERING)
def test_of_a_fixed_sample_all_but_few_answers_give_the_code_that_was_published(shared, problems, collection):
    differ, all_of_them = DIFFERING[collection]
    given = answers(shared, collection)
    assert len(given) == all_of_them
    assert len(differing(given[::SAMPLED], problems)) <= 2 + differ // SAMPLED


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("collection", DIFFERING)
def test_all_but_a_known_number_of_answers_give_the_code_that_was_published(shared, problems, collection):
    assert len(differing(answers(shared, collection), problems)) == DIFFERING[collection][0]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_where_code_differs_ours_is_never_worse_by_its_verdict(shared, problems):
    given = [each for name in DIFFERING for each in answers(shared, name) if each.task_id in problems]
    found = differing(given, problems)
    places: dict[str, list[Answer]] = {}
    for each in found:
        places.setdefault(each.task_id, []).append(each)
    verdicts = judge([(problems[id_], both(id_, given)) for id_, given in places.items()], Settings(workers=1)).verdicts
    pairs = [
        (each, verdicts[id_, 2 * number], verdicts[id_, 2 * number + 1])
        for id_, given in places.items()
        for number, each in enumerate(given)
    ]
    assert {(each.run, each.task_id) for each, mine, theirs in pairs if theirs.passed and not mine.passed} == WORSE
    assert sum(mine.passed for _, mine, _ in pairs) > 2 * sum(theirs.passed for _, _, theirs in pairs)


def both(id_: str, given: list[Answer]) -> list[Sample]:
    samples = []
    for number, each in enumerate(given):
        samples.append(Sample(problem_id=id_, index=2 * number, text=each.text, mode=Mode.CHAT))
        samples.append(Sample(problem_id=id_, index=2 * number + 1, text=each.code, mode=Mode.SOLUTION))
    return samples
