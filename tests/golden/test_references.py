"""The references of the published sets, and of our own, pass their own tests through the strict path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assay.benchmarks import load
from assay.engine import Settings, check_references
from assay.records import Trust

if TYPE_CHECKING:
    from pathlib import Path

SETS = {
    # name: (folder of the published rows, problems, every how many one is in the fast tier, ids whose tests need claims of the reference's)
    "humaneval": ("humaneval", 164, 8, set()),
    "mbpp:sanitized": ("mbpp-sanitized", 427, 20, {"737", "787", "794"}),
    "mbpp": ("mbpp", 974, 40, {"367", "927"}),
}


def published(name: str, shared: Path) -> list:
    folder, count, _, _ = SETS[name]
    benchmark = load(name, data=str(shared / "data" / "benchmarks" / folder / "problems.jsonl.gz"))
    assert benchmark.invalid == ()
    assert len(benchmark.problems) == count
    return list(benchmark.problems)


def check(problems: list) -> tuple[list[tuple[str, str]], set[str]]:
    """Problems whose reference does not pass, with the reason; ids of those that pass by claims."""
    checks = list(check_references(problems, Settings(workers=2, challenge=True)))
    assert [c.id for c in checks] == [p.id for p in problems]
    failed = [(c.id, c.reason) for c in checks if not c.passed]
    return failed, {c.id for c in checks if c.trust is not Trust.ANCHORED}


@pytest.mark.shared
@pytest.mark.parametrize("name", SETS)
def test_a_fixed_sample_of_the_references_passes_anchored(name, shared):
    _, _, step, claims = SETS[name]
    failed, not_anchored = check([p for p in published(name, shared)[::step] if p.id.rpartition("/")[2] not in claims])
    assert failed == []
    assert not_anchored == set()


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_every_reference_passes_and_only_the_listed_ones_by_claims(name, shared):
    failed, not_anchored = check(published(name, shared))
    assert failed == []
    assert {id_.rpartition("/")[2] for id_ in not_anchored} == SETS[name][3]


def test_the_references_of_basics_pass_anchored():
    assert check(list(load("basics").problems)) == ([], set())
