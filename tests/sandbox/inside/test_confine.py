"""The steps of a child: their order, and that nothing follows one that failed."""

from __future__ import annotations

import os

import pytest

from assay.sandbox.inside import limits, linux, seccomp
from assay.sandbox.inside.confine import Cell, Confinement, Step, harmless, steps
from assay.sandbox.inside.order import Fields

CEILING = limits.Ceiling(0, 0, False, {})


@pytest.fixture
def filtered():
    return seccomp.Filter(seccomp.sample_program(processes=True))


def names(cell):
    return [linux_name(call[0]) for step in steps(cell, Fields()) for call in step.calls]


def linux_name(number):
    return next(name for name, value in linux.CALLS.items() if value == number)


def test_each_step_comes_after_those_that_it_would_hinder(filtered):
    assert names(Cell(None, linux.prepare("landlock_restrict_self", 5, 0), 1001, filtered, CEILING)) == [
        "setpgid",
        "close",
        "openat",
        *["dup3"] * 3,
        *["prlimit64"] * 5,
        "setresgid",
        "setresuid",
        "prctl",
        "landlock_restrict_self",
        "seccomp",
        "close_range",
    ]


def test_without_a_uid_capabilities_are_dropped_and_missing_layers_are_left_out():
    assert names(Cell(None, None, None, None, CEILING))[-3:] == ["capset", "prctl", "close_range"]


def test_who_goes_first_says_so_before_it_is_confined_and_can_be_looked_at_by_nobody_then():
    taken = names(Cell(None, None, 1001, None, CEILING, goes_first=True))
    assert taken[:6] == ["setpgid", "close", "openat", "write", "prctl", "close"]


def confined(*taken):
    """`(exit code, what the alarm got)` of a process that takes the steps."""
    alarm, ring = os.pipe()
    pid = os.fork()
    if pid == 0:
        Confinement(list(taken)).confine(ring)
        os._exit(0)
    os.close(ring)
    with os.fdopen(alarm, "rb") as words:
        said = words.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said


def test_a_step_that_fails_is_named_and_none_is_taken_after_it():
    seen, mark = os.pipe()
    bad = Step("own files", "a namespace", (linux.prepare("setns", -1, 0),))
    after = Step("landlocked", "no ruleset at all", (linux.prepare("write", mark, b"x", 1),))
    assert confined(harmless(), bad, after) == (111, "own files: OSError(9, 'setns: Bad file descriptor')")
    os.close(mark)
    assert os.read(seen, 1) == b""
    os.close(seen)


def test_a_call_that_cannot_even_be_made_ends_the_child_too():
    code, said = confined(Step("own files", "nothing", (linux.prepare("setns", object()),)))
    assert code == 111
    assert said.startswith("own files: ArgumentError")


def test_steps_that_work_ring_no_alarm():
    assert confined(harmless()) == (0, "")
