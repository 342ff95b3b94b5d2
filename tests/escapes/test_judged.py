"""Hostile programs as candidates: what they do to channel, replies and judge, they do to themselves alone.

Each is followed by a program that tells what world it finds; all of those find the same. None of the hostile ones solves its task, so none
may pass.
"""

from __future__ import annotations

import functools

import corpus_room
import msgspec
import pytest
from catalogue import read_programs
from corpus_places import command, run_room
from stages import STAGES

from assay.records import AssertTests, Limits, Mode, Outcome, Problem, Sample, Verdict

ASKED = Problem(
    id="hostile",
    prompt="Add one.",
    entry_point="f",
    reference="def f(x):\n    return x + 1\n",
    tests=(AssertTests(cases=("assert f(1) == 2", "assert f(2) == 3", "assert f(-1) == 0")),),
    limits=Limits(time_s=0.4, wall_s=6.0, memory_mib=128, processes=8, output_kib=64, disk_mib=8),
)
PROGRAMS = read_programs("judged")
HONEST = "def f(x):\n    return x + 1\n"
CASES = [
    pytest.param(
        stage, program, marks=pytest.mark.slow if program.slow or stage != "root" else (), id=f"{program.name}, {stage}"
    )
    for stage in STAGES
    for program in PROGRAMS
    if stage == "root" or not program.expect.get("once")
]


@pytest.fixture(scope="module")
def judged(request):
    """What came of all programs at a stage, judged in one run; the slow ones where they are asked for."""
    slow = request.config.getoption("--run-slow")

    @functools.cache
    def at(stage):
        programs = [
            one for one in PROGRAMS if (slow or not one.slow) and (stage == "root" or not one.expect.get("once"))
        ]
        texts = [
            corpus_room.OBSERVER,
            *(text for one in programs for text in (one.source, corpus_room.OBSERVER)),
            HONEST,
        ]
        samples = [Sample(problem_id=ASKED.id, index=n, text=text, mode=Mode.SOLUTION) for n, text in enumerate(texts)]
        place = STAGES[stage]
        asked = {
            "work": msgspec.to_builtins([(ASKED, samples)]),
            "without": place.without,
            "limits": {},
            "settings": {"workers": 1},
        }
        told = run_room(command(place), asked, {})
        if told["isolation"]["level"] != place.level:
            pytest.skip(f"this machine gives {told['isolation']['level']} there")
        verdicts = sorted(msgspec.convert(told["verdicts"], list[Verdict]), key=lambda verdict: verdict.sample_index)
        return told, verdicts, {program.name: verdicts[2 * n + 1] for n, program in enumerate(programs)}

    return at


@pytest.mark.parametrize(("stage", "program"), CASES)
def test_the_candidate_gets_the_outcome_that_is_written_at_its_head(stage, program, judged):
    verdict = judged(stage)[2][program.name]
    assert verdict.outcome in program.expect["outcome"].split("|"), verdict.message
    assert not verdict.passed


AT_EACH = pytest.mark.parametrize(
    "stage", [pytest.param(stage, marks=pytest.mark.slow if stage != "root" else ()) for stage in STAGES]
)


@AT_EACH
def test_samples_between_them_find_the_same_world_and_an_honest_one_passes(stage, judged):
    _, verdicts, _ = judged(stage)
    assert len({verdict.message for verdict in verdicts[:-1:2]}) == 1
    assert verdicts[0].outcome is Outcome.RUNTIME_ERROR
    assert verdicts[-1].passed


@AT_EACH
def test_no_process_file_or_descriptor_is_left_of_them(stage, judged):
    told = judged(stage)[0]
    assert (told["survivors"], told["processes"], told["strays"]) == ([], [], [])
    assert told["after"] == told["before"]
