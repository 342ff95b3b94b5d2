"""Programs with the verdicts that they should get, run through the real judge.

A case is a folder: `problem.json` (a row of our own form without its id), `program.py` (the sample's text, whatever its mode) and
`expect.toml`: `mode` (solution unless given), any of `outcome trust cases groups message hidden special_cased how_extracted`, and a table
`first_failure` with any of its fields; or `invalid`, the reason why the problem can't be judged. `message` and `invalid` are the beginning
of the text; an empty one is the whole.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import msgspec
import pytest
from court import judge

from assay.benchmarks import from_rows
from assay.engine import Settings, worker
from assay.records import Mode, Outcome, Sample, Trust

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/problem.json"))
VERDICT_KEYS = {
    "outcome",
    "trust",
    "cases",
    "groups",
    "message",
    "first_failure",
    "hidden",
    "special_cased",
    "how_extracted",
}


def expectation(folder: Path) -> dict:
    return tomllib.loads((folder / "expect.toml").read_text("utf-8"))


def sample(folder: Path) -> Sample:
    mode = Mode(expectation(folder).get("mode", "solution"))
    return Sample(problem_id=folder.name, index=0, text=(folder / "program.py").read_text("utf-8"), mode=mode)


@pytest.fixture(scope="module")
def found():
    """All cases, judged in one run; judge forks are ended early, so that programs that hold them up don't hold up the tests."""
    rows = [{"id": folder.name, **json.loads((folder / "problem.json").read_text("utf-8"))} for folder in FOLDERS]
    benchmark = from_rows(rows)
    assert benchmark.invalid == ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "JUDGE_LIMITS", msgspec.structs.replace(worker.JUDGE_LIMITS, time_s=0.5))
        pairs = zip(benchmark.problems, FOLDERS, strict=True)
        return judge(((asked, [sample(folder)]) for asked, folder in pairs), Settings(workers=2))


def differs(expected: object, got: object, key: str) -> bool:
    if key == "message" and expected:
        return not str(got).startswith(str(expected))
    if isinstance(expected, dict) and isinstance(got, dict):
        return {k: tuple(v) for k, v in expected.items()} != got
    return (tuple(expected) if isinstance(expected, list) else expected) != got


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_the_program_gets_the_verdict_that_is_written_beside_it(folder, found):
    expected = expectation(folder)
    expected.pop("mode", None)
    if "invalid" in expected:
        assert found.invalids[folder.name].startswith(expected.pop("invalid"))
        assert expected == {}
        return
    verdict = found.verdicts[folder.name, 0]
    assert expected.keys() <= VERDICT_KEYS, "a misspelt key would expect nothing"
    failure = expected.pop("first_failure", {})
    wrong = {k: (v, getattr(verdict, k)) for k, v in expected.items() if differs(v, getattr(verdict, k), k)}
    wrong |= {
        k: (v, getattr(verdict.first_failure, k)) for k, v in failure.items() if v != getattr(verdict.first_failure, k)
    }
    assert wrong == {}, "(expected, got)"
    assert verdict.passed_cases == verdict.cases.count("1")
    assert verdict.total_cases == len(verdict.cases) == sum(total for _, total in verdict.groups.values())
    assert (verdict.first_failure is None) == verdict.passed


def test_there_is_a_case_for_every_outcome_and_for_each_trust_that_is_given_today():
    expected = [expectation(folder) for folder in FOLDERS]
    assert {e.get("outcome") for e in expected} >= set(Outcome)
    assert {e.get("trust") for e in expected} >= {Trust.ANCHORED, Trust.DELEGATED}
