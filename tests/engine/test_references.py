"""References are judged as samples are, under several seeds, and it is told what is at fault: they, their time, or the tests."""

from __future__ import annotations

import os

import msgspec
import pytest
from court import problem, processes_below

from assay.engine import ReferenceCheck, Settings, check_references
from assay.errors import SandboxUnavailable, SettingsError
from assay.records import AssertTests, CallTests, Fault, Limits, Problem, Trust

ECHO = "def f(x):\n    return x\n"
SLOW = "import time\n\n\ndef f(x):\n    time.sleep(0.5)\n    return x\n"
ONE = Settings(workers=1)
CALLS = (CallTests(inputs=("[1]", "[2]")),)

CASES = {
    "good": problem(ECHO, "assert f(1) == 1", "assert f(2) == 2"),
    "vacuous": problem(ECHO, "assert True", "assert f(1) == 1"),
    "wrong": problem("def f(x):\n    return 0\n", "assert f(1) == 1"),
    "load": problem("import nothing_like_this\n", "assert f(1) == 1"),
    "refuses": problem("def f(x):\n    raise ValueError\n", tests=CALLS),
    "dies": problem("import os\n\n\ndef f(x):\n    os._exit(0)\n", "assert f(1) == 1"),
    "empty": problem(ECHO, "assert True"),
    "broken": problem(ECHO, "assert f(1) ==", tests=(AssertTests(cases=("assert f(1) ==",)),)),
    "opaque": problem("def f(x):\n    return object()\n", tests=CALLS),
    "late": problem(SLOW, "assert f(1) == 1", limits=Limits(time_s=0.3)),
    "near": problem(SLOW, "assert f(1) == 1", limits=Limits(time_s=1.0)),
    "endless": problem("def f(x):\n    while True:\n        pass\n", "assert f(1) == 1", limits=Limits(time_s=0.1)),
    "set order": problem("def f(x):\n    return list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})\n", tests=CALLS),
    "set order asserted": problem(
        "def f(x):\n    return list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})[0]\n",
        "assert f(1) in 'abcdefg' and list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})[0] == f(1)",
    ),
    "chance": problem("import random\n\n\ndef f(x):\n    return random.random()\n", tests=CALLS),
    "memory": problem(
        "def f(x):\n    return len(bytearray(40 << 20)) * x\n", "assert f(0) == 0", limits=Limits(memory_mib=64)
    ),
    "clock": problem("import time\n\n\ndef f(x):\n    return time.perf_counter_ns()\n", tests=CALLS),
}


@pytest.fixture(scope="module")
def checks() -> dict[str, ReferenceCheck]:
    """All cases, judged in one run under two seeds; time to spare is short, so that the endless one ends."""
    problems = [msgspec.structs.replace(asked, id=name) for name, asked in CASES.items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.engine.references.SPARE_S", 1.5)
        found = list(check_references(problems, Settings(workers=2), trials=2))
    assert [check.id for check in found] == list(CASES)
    return {check.id: check for check in found}


def test_a_reference_in_order_passes_all_its_runs(checks):
    good = checks["good"]
    assert (good.passed, good.invalid, good.fault, good.reason) == (True, False, None, "")
    assert (good.runs, good.passed_runs, good.cases, good.trust) == (3, 3, 2, Trust.ANCHORED)
    assert (good.vacuous, good.flaky, good.slow, good.limit_s) == (False, False, False, 5.0)


def test_asserts_that_can_not_fail_are_told_and_are_no_fault_of_the_reference(checks):
    assert (checks["vacuous"].passed, checks["vacuous"].vacuous) == (True, True)


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (Fault.REFERENCE, ("wrong", "load", "refuses", "dies", "clock")),
        (Fault.TESTS, ("empty", "broken", "opaque")),
        (Fault.TIME, ("late", "endless")),
        (None, ("good", "vacuous", "near", "set order", "chance", "memory")),
    ],
)
def test_what_is_at_fault_is_told(fault, names, checks):
    assert {name: checks[name].fault for name in names} == dict.fromkeys(names, fault)
    assert {name: checks[name].passed for name in names} == dict.fromkeys(names, fault is None)
    assert all(bool(checks[name].reason) for name in names if fault is not None)


def test_a_reference_that_is_too_slow_is_measured_with_time_to_spare(checks):
    late = checks["late"]
    assert (late.passed, late.slow, late.limit_s, late.flaky) == (False, True, 0.3, False)
    assert 0.4 < late.time_s < 1.5
    assert "stopped by time" in late.reason


def test_a_reference_near_its_limit_passes_and_is_slow(checks):
    assert (checks["near"].passed, checks["near"].slow) == (True, True)


def test_a_reference_near_its_memory_limit_passes_and_is_large(checks):
    memory = checks["memory"]
    assert (memory.passed, memory.large, memory.limit_mib, memory.fitting_mib) == (True, True, 64, 1024)
    assert 39 < memory.peak_mib < 60
    assert [name for name, check in checks.items() if check.large] == ["memory"]


def test_one_that_never_ends_is_not_called_slow_since_nothing_was_measured(checks):
    assert (checks["endless"].time_s, checks["endless"].slow) == (0.0, False)


@pytest.mark.parametrize("name", ["set order", "chance"])
def test_answers_that_rest_on_seeds_are_flaky_though_they_pass_under_the_usual_ones(name, checks):
    check = checks[name]
    assert (check.passed, check.flaky, check.passed_runs, check.runs) == (True, True, 2, 3)
    assert check.reason.startswith("under other seeds: ")


def test_answers_that_differ_under_the_same_seeds_fail_and_are_flaky(checks):
    assert (checks["clock"].passed, checks["clock"].flaky, checks["clock"].passed_runs) == (False, True, 1)


def test_tests_that_hold_under_any_seed_are_not_flaky(checks):
    assert [name for name, check in checks.items() if check.flaky] == ["set order", "chance", "clock"]


def test_one_trial_sees_only_the_usual_seeds():
    asked = msgspec.structs.replace(CASES["set order"], id="a")
    (check,) = check_references([asked], ONE)
    assert (check.passed, check.flaky, check.runs) == (True, False, 2)


def test_a_time_that_the_user_gives_is_the_limit_that_counts():
    asked = msgspec.structs.replace(CASES["near"], id="a")
    (check,) = check_references([asked], msgspec.structs.replace(ONE, time_s=4.0))
    assert (check.limit_s, check.slow) == (4.0, False)


def test_each_reference_is_told_once_when_it_has_had_all_its_trials():
    names = ("good", "wrong", "set order")
    told: list[bool] = []
    asked = [msgspec.structs.replace(CASES[name], id=name) for name in names]
    list(check_references(asked, ONE, trials=2, told=told.append))
    assert sorted(told) == [False, True, True]


def test_no_problems_start_nothing():
    assert list(check_references([], ONE)) == []


def test_a_run_leaves_no_process_even_where_it_is_refused():
    asked: Problem = msgspec.structs.replace(CASES["good"], id="a")
    with pytest.raises(SandboxUnavailable):
        list(check_references([asked], Settings(workers=1, minimum_level="L5"), trials=2))
    with pytest.raises(SettingsError, match="can't be run"):
        list(check_references([asked], Settings(workers=1, python="/nowhere/python")))
    list(check_references([asked], Settings(workers=2), trials=2))
    assert processes_below(os.getpid()) == set()
