"""Problems that a standing engine knows: found again by what they say, forgotten when there are too many."""

from __future__ import annotations

import msgspec
import pytest
from court import problem

from assay.engine import Settings
from assay.engine.known import Known
from assay.engine.settings import Keys
from assay.records import Isolation, Limits

ASKED = [problem("def f(n):\n    return n\n", f"assert f({n}) == {n}", id="same name") for n in range(4)]

SETTINGS = Settings()
KEYS = Keys(SETTINGS, Isolation(level="L4", layers=()), "CPython 3.11.7")


@pytest.fixture
def known():
    return Known(SETTINGS, KEYS, None)


def test_a_problem_is_found_by_what_it_says_not_by_its_id(known):
    first = known.task_of(ASKED[0])
    assert known.task_of(ASKED[0]) is first
    assert known.task_of(msgspec.structs.replace(ASKED[0])) is first
    assert known.task_of(ASKED[1]) is not first
    assert known.task_of(msgspec.structs.replace(ASKED[0], limits=Limits(time_s=1))) is not first


def test_those_that_nobody_asked_about_for_the_longest_time_are_forgotten(known, monkeypatch):
    monkeypatch.setattr("assay.engine.known.KEPT", 2)
    zero, one = known.task_of(ASKED[0]), known.task_of(ASKED[1])
    assert known.task_of(ASKED[0]) is zero
    known.task_of(ASKED[2])
    assert known.task_of(ASKED[0]) is zero
    assert known.task_of(ASKED[1]) is not one


def test_what_references_told_counts(known, monkeypatch):
    monkeypatch.setattr("assay.engine.known.KEPT_MIB", 1)
    zero, one = known.task_of(ASKED[0]), known.task_of(ASKED[1])
    zero.calibration = bytes(2 << 20)
    known.task_of(ASKED[2])
    assert known.task_of(ASKED[1]) is one
    assert known.task_of(ASKED[0]) is not zero


def test_a_large_problem_is_known_all_the_same(known, monkeypatch):
    monkeypatch.setattr("assay.engine.known.KEPT_MIB", 0)
    assert known.task_of(ASKED[0]) is known.task_of(ASKED[0])


def test_a_problem_is_not_taken_for_one_that_was_forgotten(known, monkeypatch):
    monkeypatch.setattr("assay.engine.known.KEPT", 1)
    for n in range(40):  # records whose ids, as objects, are used again
        asked = problem("def f(n):\n    return n\n", f"assert f({n}) == {n}", id="same name")
        assert known.task_of(asked).key == KEYS.problem_part(asked, SETTINGS.groups)
        del asked
