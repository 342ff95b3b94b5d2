"""An engine that needs no sandbox, for tests of what the command line does round it.

It gives verdicts by the text of a sample: `right` passes, `weak` passes base tests only, `broken` has no verdict, `stop` is Ctrl-C,
`invalid` makes its problem invalid; `flaky` and `torn` come out differently in three trials, the first passing in some; `slow` hit a time
limit that is not confirmed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assay.cli.app import run
from assay.records import Failure, InvalidProblem, Isolation, Outcome, Trust, Verdict, digest

if TYPE_CHECKING:
    from pathlib import Path

ISOLATION = Isolation(level="L4", layers=("all",))


OUTCOMES = {"right": Outcome.PASSED, "broken": Outcome.SYSTEM_ERROR, "slow": Outcome.TIME_LIMIT}
DOUBTS = {
    "flaky": {"flaky": True, "trials": 3, "passed_trials": 2},
    "torn": {"flaky": True, "trials": 3, "passed_trials": 0},
    "slow": {"confirmed": False},
    "table": {"hidden": (0, 24), "special_cased": True},
    "found": {"how_extracted": "lines + reasoning"},
}
"""What the words of samples mean to the stand-in for the engine."""


def verdict_for(sample, job_digest) -> Verdict:
    word = sample.text.strip()
    outcome = OUTCOMES.get(word, Outcome.WRONG_ANSWER)
    base = 1 if word in ("right", "weak") else 0
    plus = 1 if word == "right" else 0
    return Verdict(
        problem_id=sample.problem_id,
        sample_index=sample.index,
        outcome=outcome,
        passed_cases=base + plus,
        total_cases=2,
        groups={"base": (base, 1), "plus": (plus, 1)},
        cases=f"{base}{plus}",
        trust=Trust.ANCHORED,
        time_s=0.001,
        peak_mib=1.0,
        message="",
        job_digest=job_digest,
        **DOUBTS.get(word, {}),
        first_failure=None
        if plus
        else Failure(case=0, group="plus", outcome=outcome, call="f(1)", expected="1", got="2"),
    )


class FakeEngine:
    def __init__(self) -> None:
        self.judged: list[tuple[str, int]] = []
        self.isolation = ISOLATION

    def judge_work(self, work, _settings, events, done) -> None:
        events.started(self.isolation)
        for item in work:
            for sample in item.samples():
                if sample.text.strip() == "invalid":
                    events.invalid(InvalidProblem(id=item.problem.id, reason="its tests hold no assertion"))
                    break
                if sample.text.strip() == "stop":
                    raise KeyboardInterrupt
                job_digest = digest(item.problem.digest(), sample.text)
                if done(sample.problem_id, sample.index) != job_digest:
                    self.judged.append((sample.problem_id, sample.index))
                    events.verdict(verdict_for(sample, job_digest))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr("assay.cli.judging.judge_work", fake.judge_work)
    monkeypatch.setattr("assay.api.batch.judge_work", fake.judge_work)
    return fake


class Folder:
    """A folder with two problems, to write samples into and to run commands in."""

    def __init__(self, path: Path, capfd: pytest.CaptureFixture[str], engine: FakeEngine) -> None:
        self.path = path
        self.engine = engine
        self._capfd = capfd
        rows = [
            {"id": name, "prompt": "?", "reference": "def f(x):\n    return x", "tests": ["assert f(1) == 1"]}
            for name in ("a", "b")
        ]
        (path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def samples(self, *pairs: tuple[str, str]) -> None:
        rows = [{"problem_id": problem_id, "solution": text} for problem_id, text in pairs]
        (self.path / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def rows(self) -> list[dict]:
        return [json.loads(line) for line in (self.path / "run" / "verdicts.jsonl").read_text().splitlines()]

    def assay(self, *words: str) -> tuple[int, str, str]:
        """Exit status, stdout and stderr."""
        status = run(list(words))
        out, err = self._capfd.readouterr()
        return status, out, err

    def judge(self, *words: str) -> tuple[int, str, str]:
        return self.assay("judge", "problems.jsonl", "samples.jsonl", "-o", "run", *words)


@pytest.fixture
def folder(tmp_path, capfd, monkeypatch, engine) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path, capfd, engine)
