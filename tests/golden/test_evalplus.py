"""EvalPlus's sets: all their references pass, and real answers get the verdicts that EvalPlus itself stored, where they are compared."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import pytest
from court import judge

from assay.benchmarks import load
from assay.engine import Settings, check_references
from assay.records import Mode, Sample, Trust

if TYPE_CHECKING:
    from pathlib import Path

    from assay.records import Problem, Verdict

SETS = {
    # version: (named set, problems, every how many one is in the fast tier)
    "mbppplus-v0.2.0": ("mbppplus", 378, 40),
    "mbppplus-v0.1.0": ("mbppplus", 399, 57),
    "humanevalplus-v0.1.10": ("humanevalplus", 164, 17),
    "humanevalplus-v0.1.9": ("humanevalplus", 164, 41),
}
ORIGINS = ("mbppplus-v0.2.0-originfmt", "mbppplus-v0.1.0-originfmt", "humanevalplus-v0.1.10-originfmt")
HEAVY = {"255", "599"}
"""MBPP+'s references with an answer of 128 million elements and with sums up to 100,000,008: apart, with more time and memory."""

AMPLE = Settings(workers=2, time_s=30)
FAST_TASKS = 12


def published(version: str, shared: Path) -> list[Problem]:
    data = shared / "data" / "benchmarks" / version / "problems.jsonl.gz"
    benchmark = load(version.partition("-")[0], data=str(data))
    assert benchmark.version == version.partition("-")[2]
    return list(benchmark.problems)


def is_heavy(problem: Problem) -> bool:
    return problem.id.removeprefix("Mbpp/") in HEAVY


def failed(problems: list[Problem], settings: Settings = AMPLE) -> list[tuple[str, str]]:
    checks = list(check_references(problems, settings))
    assert [check.id for check in checks] == [problem.id for problem in problems]
    return [(c.id, c.reason or str(c.trust)) for c in checks if not c.passed or c.trust is not Trust.ANCHORED]


@pytest.mark.shared
@pytest.mark.parametrize("version", SETS)
def test_a_fixed_sample_of_the_references_passes_anchored(version, shared):
    problems = [p for p in published(version, shared)[:: SETS[version][2]] if not is_heavy(p)]
    assert len(problems) >= 4
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


def differences(pairs: list[tuple[Stored, Verdict]], rerun: Rerun) -> dict[tuple[str, str], str]:
    """The verdicts that agree neither with the stored one nor with EvalPlus's present rule."""
    found = {}
    for answer, verdict in pairs:
        passed, total = verdict.groups["base"]
        known = (answer.base, answer.both), rerun.get((answer.run, answer.task_id))
        if (passed == total, verdict.passed) not in known:
            found[answer.run, answer.task_id] = f"{verdict.outcome}: {verdict.message}"
    return found


COMPARED = ("mbppplus-v0.2.0", "mbppplus-v0.1.0")
"""The releases whose stored verdicts are compared so far; HumanEval+'s runs have differences that nobody has explained yet."""


@pytest.mark.shared
@pytest.mark.parametrize("version", COMPARED)
def test_answers_to_a_fixed_sample_of_tasks_get_their_stored_verdicts(version, answers, rerun, shared):
    problems = published(version, shared)
    chosen = [p for p in problems[:: len(problems) // FAST_TASKS] if not is_heavy(p)]
    pairs = judged(chosen, answers[version], Settings(workers=2))
    assert len(pairs) >= FAST_TASKS
    assert differences(pairs, rerun) == {}
    assert {verdict.trust for _, verdict in pairs} == {Trust.ANCHORED}
