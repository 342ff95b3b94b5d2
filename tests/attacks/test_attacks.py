"""Programs that do not solve their task and want to pass all the same, by somebody who has read the judge's source.

A folder is a problem: `problem.toml` (a row of our own form without its id), `honest.py` (the control, which solves it and must pass) and
any number of attacks. An attack's first line names the outcomes that it may end with, the second says what it tries. All are judged in one
run of the real sandbox; judge forks are ended early, so that those that hold them up don't hold up the tests.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from court import judge

from assay.benchmarks import from_rows
from assay.engine import Settings, worker
from assay.records import Outcome

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/problem.toml"))
ATTACKS = [path for folder in FOLDERS for path in sorted(folder.glob("*.py")) if path.name != "honest.py"]
WORTH = 60
"""So many were asked for."""


def programs(folder: Path) -> list[Path]:
    """The control comes last: whatever the attacks have done must not harm it."""
    return [*(path for path in ATTACKS if path.parent == folder), folder / "honest.py"]


def expected(path: Path) -> set[Outcome]:
    first, second = path.read_text("utf-8").splitlines()[:2]
    assert second.startswith("# "), "the second line says what it tries"
    return set(map(Outcome, first.removeprefix("# ").split()))


@pytest.fixture(scope="module")
def found():
    rows = [{"id": f.name, **tomllib.loads((f / "problem.toml").read_text("utf-8"))} for f in FOLDERS]
    benchmark = from_rows(rows)
    assert benchmark.invalid == ()
    texts = [[path.read_text("utf-8") for path in programs(folder)] for folder in FOLDERS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "JUDGE_LIMITS", msgspec.structs.replace(worker.JUDGE_LIMITS, time_s=2.0))
        return judge(zip(benchmark.problems, texts, strict=True), Settings(workers=2))


def test_there_are_as_many_as_were_asked_for():
    assert len(ATTACKS) >= WORTH


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_does_not_pass(path, found):
    assert found.invalids == {}
    verdict = found.verdicts[path.parent.name, programs(path.parent).index(path)]
    assert not verdict.passed
    assert verdict.outcome in expected(path), verdict.message


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_who_solves_the_problem_passes_after_all_of_them(folder, found):
    assert found.invalids == {}
    verdict = found.verdicts[folder.name, len(programs(folder)) - 1]
    assert verdict.passed, (verdict.outcome, verdict.message)
