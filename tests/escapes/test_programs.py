"""Each hostile program, at each level: what it gets, and that it leaves nothing, neither for the next sample nor on the host."""

from __future__ import annotations

import functools

import pytest
from catalogue import LAYERS, PROGRAMS, read_programs, wrong
from stages import QUICK, STAGES, show, show_alone

ALL = [program for program in read_programs() if not program.name.startswith("judged/")]
ALONE = [(layer, program) for layer in LAYERS for program in ALL if layer in program.expect.get("alone", {})]
UNWALLED = [program for program in ALL if "nothing" in program.expect]


def params(pairs):
    return [
        pytest.param(
            stage, program, marks=pytest.mark.slow if is_slow(stage, program) else (), id=f"{program.name}, {stage}"
        )
        for stage, program in pairs
    ]


def is_slow(stage, program):
    """Left to the slow tier: the stages between the most and the least, and at the least what gets the same answer as at the most."""
    same = stage in STAGES and stage != QUICK[0] and STAGES[stage].level not in program.expect
    return program.slow or same or (stage in STAGES and stage not in QUICK)


@pytest.fixture(scope="module")
def shown(request):
    """What came of a program at a stage: all that are selected for a stage are shown there one after another, once."""
    asked = {}
    for item in request.session.items:
        given = getattr(item, "callspec", None)
        if given is not None and "program" in given.params and item.path == request.path and not skipped(item):
            asked.setdefault(given.params["stage"], []).append(given.params["program"])

    @functools.cache
    def at(stage):
        programs = list(dict.fromkeys(asked.get(stage, [])))
        return show(STAGES[stage], programs) if stage in STAGES else show_alone(stage, programs)

    return at


def skipped(item):
    return any(mark.name == "skip" for mark in item.iter_markers())


@pytest.mark.parametrize(("stage", "program"), params((stage, program) for stage in STAGES for program in ALL))
def test_the_program_gets_what_is_written_at_its_head_and_leaves_nothing(stage, program, shown):
    told = shown(stage)["told"][program.name]
    assert wrong(program.answer(level=STAGES[stage].level), told) == []
    assert told["bystander"] == [], "its neighbour was hurt"
    assert told["worlds"] == [{}, {}], "the next sample in its slot, or in its neighbour's, sees another world"
    assert told["machine"] == {}, "something of it is left"
    assert told["host"] == {}, "it touched the host"


@pytest.mark.parametrize("stage", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in STAGES])
def test_nothing_is_left_when_the_server_has_gone(stage, shown):
    assert shown(stage)["left"] == {"processes": [], "cgroups": [], "descriptors": False}


@pytest.mark.parametrize(("stage", "program"), params(ALONE))
def test_one_layer_alone_holds_it(stage, program, shown):
    assert wrong(program.answer(alone=stage), shown(stage)["told"][program.name]) == []


@pytest.mark.parametrize(("stage", "program"), params(("nothing", program) for program in UNWALLED))
def test_without_any_layer_it_would_get_through(stage, program, shown):
    assert wrong(program.answer(alone="nothing"), shown(stage)["told"][program.name]) == []


def test_each_layer_alone_is_tried_by_three_programs_at_least_and_all_are_many():
    for layer in LAYERS:
        assert len([program for one, program in ALONE if one == layer]) >= 3
    assert len(list(PROGRAMS.glob("*/*.py"))) >= 120
