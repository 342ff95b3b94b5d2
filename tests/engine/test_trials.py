"""Each sample judged several times: under other seeds every time, one row for all, which passes only if every trial did."""

from __future__ import annotations

import msgspec
import pytest
from court import Found, judge, problem

from assay.engine import Settings
from assay.engine.trials import joined
from assay.records import CallTests, Outcome, Trust, Verdict

FIVE = Settings(workers=1, trials=5)
BUCKET = problem("def f(s):\n    return 0\n", "assert f('spam') in (0, 2)", id="bucket")
RIGHT = "def f(s):\n    return 0\n"
WRONG = "def f(s):\n    return 1\n"
BY_HASH = "def f(s):\n    return hash(s) % 2\n"
BY_CHANCE = "import random\ndef f(s):\n    return random.choice([0, 1])\n"
FIRST_OF_A_SET = "def f(words):\n    return list(set(words))[0]\n"


@pytest.fixture(scope="module")
def found():
    asked = problem(FIRST_OF_A_SET, tests=(CallTests(inputs=("[['a', 'b', 'c', 'd']]",)),), id="set")
    return judge([(BUCKET, [RIGHT, WRONG, BY_HASH, BY_CHANCE, "def f(:"]), (asked, [FIRST_OF_A_SET])], FIVE)


def test_a_sample_whose_trials_agree_is_not_flaky(found):
    rows = [found.verdicts["bucket", n] for n in (0, 1, 4)]
    assert [row.outcome for row in rows] == [Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.SYNTAX_ERROR]
    assert [(row.flaky, row.trials, row.passed_trials) for row in rows] == [(False, 5, 5), (False, 5, 0), (False, 5, 0)]


@pytest.mark.parametrize("index", [2, 3])
def test_a_sample_that_rests_on_hashes_or_on_chance_is_flaky_and_fails(found, index):
    row = found.verdicts["bucket", index]
    assert (row.outcome, row.flaky, row.trials) == (Outcome.WRONG_ANSWER, True, 5)
    assert 0 < row.passed_trials < 5
    assert row.message == "f('spam'): expected in (0, 2), got 1"


def test_a_sample_that_agrees_with_the_reference_under_every_seed_passes(found):
    assert found.invalids == {}
    row = found.verdicts["set", 0]
    assert (row.passed, row.flaky, row.passed_trials) == (True, False, 5)


def test_the_same_trials_come_out_the_same_again(found):
    again = judge([(BUCKET, [RIGHT, WRONG, BY_HASH, BY_CHANCE])], FIVE)
    for key, row in again.verdicts.items():
        first = found.verdicts[key]
        assert (row.outcome, row.passed_trials, row.job_digest) == (
            first.outcome,
            first.passed_trials,
            first.job_digest,
        )


def test_one_trial_says_nothing_of_trials_and_has_another_job():
    (row,) = judge([(BUCKET, [BY_HASH])], Settings(workers=1)).verdicts.values()
    assert (row.flaky, row.trials, row.passed_trials) == (False, 1, None)
    (other,) = judge([(BUCKET, [BY_HASH])], Settings(workers=1, trials=2)).verdicts.values()
    assert row.job_digest != other.job_digest


def test_a_trial_in_which_the_reference_fails_is_left_out_and_told_once(monkeypatch):
    asked = problem(BY_HASH, "assert f('spam') == 0", id="odd")
    notes: list[str] = []
    monkeypatch.setattr(Found, "note", lambda _self, text: notes.append(text))
    seeds = (Settings(workers=1, hash_seed=seed) for seed in range(9))
    usual = next(settings for settings in seeds if not judge([(asked, [RIGHT])], settings).invalids)
    found = judge([(asked, [RIGHT, RIGHT + "#"])], msgspec.structs.replace(usual, trials=6))
    rows, left_out = list(found.verdicts.values()), [note for note in notes if "is left out of trial" in note]
    assert {row.trials for row in rows} == {6 - len(left_out)}
    assert [(row.passed, row.flaky) for row in rows] == [(True, False)] * 2
    assert len(left_out) == len(set(left_out)) > 0


def verdict(outcome: Outcome, message: str = "") -> Verdict:
    return Verdict(
        problem_id="p", sample_index=0, outcome=outcome, passed_cases=0, total_cases=1, groups={}, cases="0", trust=Trust.ANCHORED,
        time_s=0.0, peak_mib=0.0, message=message, job_digest="0" * 32,
    )  # fmt: skip


def test_the_worst_outcome_speaks_and_of_those_the_first():
    rows = [
        verdict(Outcome.PASSED),
        verdict(Outcome.WRONG_ANSWER),
        verdict(Outcome.RUNTIME_ERROR, "first"),
        verdict(Outcome.RUNTIME_ERROR, "second"),
    ]
    wanted = msgspec.structs.replace(rows[2], flaky=True, trials=4, passed_trials=1)
    assert joined(rows) == wanted


def test_a_failure_of_ours_in_one_trial_leaves_the_sample_without_a_verdict():
    assert joined([verdict(Outcome.WRONG_ANSWER), verdict(Outcome.SYSTEM_ERROR)]).outcome is Outcome.SYSTEM_ERROR
