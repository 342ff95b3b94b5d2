"""What a machine gives is found by doing it, with as few throw-away children as will do."""

from __future__ import annotations

import os

import pytest

from assay.sandbox.inside import ladder
from assay.sandbox.inside.layout import layout

EASY = (ladder.NO_NEW_PRIVILEGES, ladder.LIMITS, ladder.FAIR_CLOCK)


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """What each throw-away child said that was started, in order."""
    said: list[str] = []

    def attempt(do):
        said.append(once(do))
        return said[-1]

    once = ladder._attempt_once
    monkeypatch.setattr(ladder, "attempt", attempt)
    return said


def refuse() -> None:
    raise OSError(1, "not here")


def nothing() -> None:
    pass


def test_layers_that_all_work_take_one_child(tried):
    found = ladder._tried_at_once(tuple((name, nothing) for name in EASY), [])
    assert [layer.works for layer in found] == [True] * 3
    assert tried == [""]


def test_where_one_does_not_work_each_is_tried_by_itself(tried):
    found = ladder._tried_at_once(((EASY[0], nothing), (EASY[1], refuse), (EASY[2], nothing)), [])
    assert [(layer.name, layer.works) for layer in found] == list(zip(EASY, (True, False, True), strict=True))
    assert "not here" in found[1].why
    assert len(tried) == 4


def test_one_that_is_left_out_is_not_tried(tried):
    found = ladder._tried_at_once(((EASY[0], nothing), (EASY[1], refuse)), [EASY[1]])
    assert [layer.why for layer in found] == ["", "left out on request"]
    assert tried == [""]


@pytest.mark.parametrize("without", [[], [ladder.LIMITS], [ladder.NAMESPACES]])
def test_what_is_found_is_what_children_find_one_by_one(monkeypatch, without):
    paths = layout([])
    together = ladder.find(paths, "agent", without, os.getpid())
    monkeypatch.setattr(ladder, "_tried_at_once", ladder._tried)
    assert ladder.find(paths, "agent", without, os.getpid()) == together
