"""Verdicts and tallies out of a few letters, for tests of what is computed from them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from assay.metrics import Tally
from assay.records import Failure, Outcome, Trust, Verdict

# No test asserts a time: on a busy machine a single example may wait for seconds.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

LETTERS = {"P": Outcome.PASSED, "W": Outcome.WRONG_ANSWER, "X": Outcome.SYSTEM_ERROR, "N": Outcome.NO_CODE}


def make_verdict(problem="t/0", index=0, outcome=Outcome.PASSED, groups=None, got=None) -> Verdict:
    groups = groups or {"base": (2 if outcome is Outcome.PASSED else 1, 2)}
    passed, total = (sum(pair[i] for pair in groups.values()) for i in (0, 1))
    failure = None if got is None else Failure(case=0, group="base", outcome=outcome, call="f(1)", got=got)
    return Verdict(
        problem_id=problem,
        sample_index=index,
        outcome=outcome,
        passed_cases=passed,
        total_cases=total,
        groups=groups,
        cases="1" * passed + "0" * (total - passed),
        trust=Trust.ANCHORED,
        time_s=0.0,
        peak_mib=0.0,
        message="",
        job_digest="",
        first_failure=failure,
    )


def make_tally(letters: dict[str, str], expected: dict[str, int] | None = None) -> Tally:
    """`{"t/0": "PPW"}`: passed, wrong; X has no verdict, N no code."""
    tally = Tally(expected)
    for problem, word in letters.items():
        for index, letter in enumerate(word):
            tally.add(make_verdict(problem, index, LETTERS[letter]))
    return tally


@pytest.fixture
def verdict():
    return make_verdict


@pytest.fixture
def tallied():
    return make_tally
