"""EvalPlus's sets: all their references pass, and real answers get the verdicts that EvalPlus itself stored, where they are compared."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pytest
from court import judge

from assay.benchmarks import load
from assay.engine import Settings, check_references
from assay.records import Mode, Outcome, Sample, Trust

if TYPE_CHECKING:
    from pathlib import Path

    from assay.records import Problem, Verdict

SETS = {
    # version: (named set, problems, references in the fast tier, tasks whose answers are in it)
    "mbppplus-v0.2.0": ("mbppplus", 378, 10, 8),
    "mbppplus-v0.1.0": ("mbppplus", 399, 7, 12),
    "humanevalplus-v0.1.10": ("humanevalplus", 164, 10, 6),
    "humanevalplus-v0.1.9": ("humanevalplus", 164, 4, 3),
}
ORIGINS = ("mbppplus-v0.2.0-originfmt", "mbppplus-v0.1.0-originfmt", "humanevalplus-v0.1.10-originfmt")
HEAVY = {"255", "599"}
"""MBPP+'s references with an answer of 128 million elements and with sums up to 100,000,008: apart, with more time and memory."""

AMPLE = Settings(workers=2, time_s=30)


def published(version: str, shared: Path) -> list[Problem]:
    data = shared / "data" / "benchmarks" / version / "problems.jsonl.gz"
    benchmark = load(version.partition("-")[0], data=str(data))
    assert benchmark.version == version.partition("-")[2]
    return list(benchmark.problems)


def is_heavy(problem: Problem) -> bool:
    return problem.id.removeprefix("Mbpp/") in HEAVY


def fixed_sample(problems: list[Problem], count: int) -> list[Problem]:
    light = [problem for problem in problems if not is_heavy(problem)]
    return light[len(light) // count // 2 :: len(light) // count][:count]


def failed(problems: list[Problem], settings: Settings = AMPLE) -> list[tuple[str, str]]:
    checks = list(check_references(problems, settings))
    assert [check.id for check in checks] == [problem.id for problem in problems]
    return [(c.id, c.reason or str(c.trust)) for c in checks if not c.passed or c.trust is not Trust.ANCHORED]


@pytest.mark.shared
@pytest.mark.parametrize("version", SETS)
def test_a_fixed_sample_of_the_references_passes_anchored(version, shared):
    problems = fixed_sample(published(version, shared), SETS[version][2])
    assert failed(problems) == []


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", [*SETS, *ORIGINS])
def test_every_reference_passes_anchored(version, shared):
    problems = published(version, shared)
    assert len(problems) == SETS[version.removesuffix("-originfmt")][1]
    assert failed([p for p in problems if not is_heavy(p)]) == []


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_heaviest_references_pass_with_more_time_and_memory(shared):
    heavy = [p for p in published("mbppplus-v0.2.0", shared) if is_heavy(p)]
    assert len(heavy) == len(HEAVY)
    assert failed(heavy, Settings(workers=1, time_s=300, memory_mib=8192)) == []


class Stored(NamedTuple):
    """A published answer with EvalPlus's verdict: whether it passes the base tests, and those and the plus tests."""

    run: str
    task_id: str
    text: str
    mode: Mode
    base: bool
    both: bool


COMPLETIONS = {"humaneval.phi_1", "humaneval.codet5_2b", "HumanEvalPlus.ChatGPT-Reflexion-10-Python3-0-1"}
"""Runs whose texts continue the prompt; all others are whole programs."""


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def stored_in(folder: Path, run: str) -> list[Stored]:
    told = {row["task_id"]: row for row in rows(folder / f"verdicts-{run}.jsonl.gz")}
    mode = Mode.COMPLETION if run in COMPLETIONS else Mode.SOLUTION
    found = []
    for row in rows(folder / f"samples-{run}.jsonl.gz"):
        status = told[row["task_id"]]
        base, plus = (status[group] in ("pass", "success") for group in ("base", "plus"))
        found.append(Stored(run, row["task_id"], row["text"], mode, base, base and plus))
    return found


def version_of(run: str) -> str:
    """The release that a run was judged by, as the corpus notes it."""
    newer = ".inferenced." in run
    if run.startswith("mbpp."):
        return "mbppplus-v0.2.0" if newer else "mbppplus-v0.1.0"
    return "humanevalplus-v0.1.10" if newer else "humanevalplus-v0.1.9"


@pytest.fixture(scope="module")
def answers(shared) -> dict[str, list[Stored]]:
    """All answers that were stored with verdicts of EvalPlus, by the release that they were judged by."""
    found = defaultdict(list)
    for collection, pattern in (("evalplus_runs", "samples-*"), ("mapcoder", "samples-HumanEvalPlus.*")):
        folder = shared / "data" / collection
        for path in sorted(folder.glob(pattern)):
            run = path.name.removeprefix("samples-").removesuffix(".jsonl.gz")
            found[version_of(run)] += stored_in(folder, run)
    return found


def judged(problems: list[Problem], answers: list[Stored], settings: Settings) -> list[tuple[Stored, Verdict]]:
    known = {problem.id: problem for problem in problems}
    by_problem = defaultdict(list)
    for answer in answers:
        if answer.task_id in known:
            by_problem[answer.task_id].append(answer)
    cases = [
        (known[id_], [Sample(problem_id=id_, index=0, text=a.text, mode=a.mode) for a in given])
        for id_, given in by_problem.items()
    ]
    found = judge(cases, settings)
    assert found.invalids == {}
    return [(a, found.verdicts[id_, n]) for id_, given in by_problem.items() for n, a in enumerate(given)]


Rerun = dict[tuple[str, str], tuple[bool, bool]]
"""By run and task: whether base tests, and those and plus tests, passed when EvalPlus's rule of 0.3 was run again."""


@pytest.fixture(scope="module")
def rerun(shared) -> Rerun:
    """Some stored verdicts come from older rules and slower machines; the corpus has what the present rule says of each answer."""
    found = {}
    for row in rows(shared / "data" / "rerun.jsonl.gz"):
        collection, _, run = row["run"].partition("/")
        if collection in ("evalplus_runs", "mapcoder") and "base" in row:
            base, plus = (row[group] == "pass" for group in ("base", "plus"))
            found[run, row["task_id"]] = (base, base and plus)
    return found


def as_evalplus_runs_it(problem: Problem) -> Problem:
    """The same problem, whose whole programs get no imports from the prompt: EvalPlus runs them as they are."""
    return msgspec.structs.replace(problem, prompt_is_code=False)


def completed(problems: list[Problem], answers: list[Stored]) -> list[Stored]:
    """The answers as whole programs."""
    prompts = {problem.id: problem.prompt for problem in problems}
    return [
        a._replace(text=prompts[a.task_id] + a.text, mode=Mode.SOLUTION) if a.mode is Mode.COMPLETION else a
        for a in answers
        if a.task_id in prompts
    ]


def differences(version: str, pairs: list[tuple[Stored, Verdict]]) -> dict[tuple[str, str], list[str]]:
    """The tasks with answers that were stored with another base or plus verdict than ours."""
    found = defaultdict(list)
    for answer, verdict in pairs:
        passed, total = verdict.groups["base"]
        if (passed == total, verdict.passed) != (answer.base, answer.both):
            found[version, answer.task_id].append(f"{answer.run}: {verdict.outcome} {verdict.message}")
    return found


SET_ORACLES = "stored before EvalPlus compared these lists as sets; EvalPlus 0.3.1 gives our base and plus verdict"
FLOATS = "stored by an EvalPlus that was stricter about these floats; EvalPlus 0.3.1 passes them, as we do"
EXPLAINED = {
    (
        "mbppplus-v0.2.0",
        "Mbpp/287",
    ): "exact whole numbers, where the reference divides and rounds; EvalPlus refuses an int for a float",
    ("mbppplus-v0.2.0", "Mbpp/566"): "stored as failed for a number of 101 digits; EvalPlus 0.3.1 passes it, as we do",
    ("mbppplus-v0.1.0", "Mbpp/2"): SET_ORACLES,
    ("mbppplus-v0.1.0", "Mbpp/232"): SET_ORACLES,
    ("mbppplus-v0.1.0", "Mbpp/249"): SET_ORACLES,
    ("mbppplus-v0.1.0", "Mbpp/579"): SET_ORACLES,
    ("humanevalplus-v0.1.9", "HumanEval/4"): FLOATS,
    ("humanevalplus-v0.1.9", "HumanEval/21"): FLOATS,
    (
        "humanevalplus-v0.1.9",
        "HumanEval/32",
    ): "EvalPlus forgets to note a right answer to this task, so it fails every program",
}
TIMED = {
    ("mbppplus-v0.2.0", "Mbpp/123"),
    ("mbppplus-v0.2.0", "Mbpp/583"),
    ("mbppplus-v0.1.0", "Mbpp/123"),
    ("humanevalplus-v0.1.10", "HumanEval/15"),
    ("humanevalplus-v0.1.10", "HumanEval/31"),
    ("humanevalplus-v0.1.10", "HumanEval/39"),
    ("humanevalplus-v0.1.10", "HumanEval/96"),
    ("humanevalplus-v0.1.9", "HumanEval/39"),
    ("humanevalplus-v0.1.9", "HumanEval/129"),
    ("humanevalplus-v0.1.9", "HumanEval/139"),
    ("humanevalplus-v0.1.9", "HumanEval/147"),
}
"""Tasks with an answer so slow that it depends on the machine, theirs and ours, which side of a time limit it ends on."""


@pytest.mark.shared
@pytest.mark.parametrize("version", SETS)
def test_answers_to_a_fixed_sample_of_tasks_get_their_stored_verdicts(version, answers, shared):
    chosen = [as_evalplus_runs_it(p) for p in fixed_sample(published(version, shared), SETS[version][3])]
    pairs = judged(chosen, completed(chosen, answers[version]), Settings(workers=2))
    assert len(pairs) >= len(chosen)
    found = differences(version, pairs)
    assert found.keys() <= EXPLAINED.keys() | TIMED, found
    assert {verdict.trust for _, verdict in pairs} == {Trust.ANCHORED}


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("version", SETS)
def test_all_stored_verdicts_are_agreed_with_but_for_those_that_are_explained(version, answers, shared):
    problems = [as_evalplus_runs_it(p) for p in published(version, shared) if not is_heavy(p)]
    pairs = judged(problems, completed(problems, answers[version]), Settings(workers=2, time_s=10))
    assert [v.message for _, v in pairs if v.outcome is Outcome.SYSTEM_ERROR] == []
    found = differences(version, pairs)
    assert found.keys() - TIMED == {key for key in EXPLAINED if key[0] == version}, found


@pytest.mark.shared
def test_a_whole_program_that_forgot_the_prompts_imports_gets_them_which_evalplus_does_not_do(answers, shared):
    (problem,) = (p for p in published("humanevalplus-v0.1.10", shared) if p.id == "HumanEval/0")
    forgot = [a for a in answers["humanevalplus-v0.1.10"] if a.task_id == problem.id and "import" not in a.text]
    assert forgot
    assert not any(answer.base for answer in forgot)
    without = judged([as_evalplus_runs_it(problem)], forgot, Settings(workers=1))
    assert all("name 'List' is not defined" in verdict.message for _, verdict in without)
    assert any(verdict.passed for _, verdict in judged([problem], forgot, Settings(workers=1)))
