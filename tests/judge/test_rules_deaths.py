"""Rules 7 and 8 of the proxy: what becomes of a judge fork that is held up, of a program that dies, and which of two reasons counts."""

from __future__ import annotations

import msgspec
import pytest
from court import judge, problem, trial

from assay.engine import worker
from assay.records import Limits, Outcome

ECHO = "def f(x):\n    return x\n"
SOON = Limits(time_s=0.4, memory_mib=256)

# -- rule 7: judge forks

COLLIDING = "def f(x):\n    return [i * (2**61 - 1) for i in range({0})]\n"
"""All these integers have the same hash: a set of them takes quadratic time, in the judge."""


UNIQUE = "def f(x):\n    return list(range(3))\n"
ENDLESS = "if f(1) == 2:\n    while True:\n        pass\nassert f(1) in (1, 2)"


@pytest.fixture(scope="module")
def held_up():
    """What became of judge forks that are ended after 0.4 s of computing, so that tests need not wait for their twenty."""
    asked = problem(UNIQUE, "assert len(set(f(1))) == 3", "assert f(1) == [0, 1, 2]", id="value")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "JUDGE_LIMITS", msgspec.structs.replace(worker.JUDGE_LIMITS, time_s=0.4))
        return judge(
            [
                (asked, [COLLIDING.format(20_000), UNIQUE]),
                (msgspec.structs.replace(asked, id="alone", reference=None), [COLLIDING.format(20_000), UNIQUE]),
                (
                    problem(ECHO, ENDLESS, id="endless"),
                    [ECHO, "def f(x):\n    return 2\n", "def f(x):\n    return 3\n"],
                ),
                (problem(ECHO, "while True:\n    pass\nassert f(1) == 1", id="always"), [ECHO]),
            ]
        )


def test_a_value_that_holds_the_judge_up_ends_the_judge_and_is_never_a_pass(held_up):
    cheat, honest = (held_up.verdicts["value", n] for n in (0, 1))
    assert cheat.outcome is Outcome.FORBIDDEN
    assert (cheat.passed_cases, cheat.total_cases) == (0, 2)
    assert honest.passed, "the sample after it is judged by a fresh fork"


def test_without_a_reference_the_fault_may_be_ours(held_up):
    assert held_up.verdicts["alone", 0].outcome is Outcome.SYSTEM_ERROR
    assert held_up.verdicts["alone", 1].passed


def test_an_answer_that_makes_a_test_endless_ends_the_judge_and_is_never_a_pass(held_up):
    outcomes = [held_up.verdicts["endless", n].outcome for n in range(3)]
    assert outcomes == [Outcome.PASSED, Outcome.FORBIDDEN, Outcome.WRONG_ANSWER]


def test_tests_that_end_the_judge_by_themselves_make_the_problem_invalid(held_up):
    assert "end the judge" in held_up.invalids["always"]
    assert ("always", 0) not in held_up.verdicts


# -- rule 8: deaths

DIES = "def f(x):\n    if x == 2:\n        {0}\n    return x\n"
CASES = ("assert f(1) == 1", "assert f(2) == 2", "assert f(3) == 3")


@trial(
    problem(ECHO, *CASES),
    exits=DIES.format("import os; os._exit(0)"),
    status=DIES.format("import os; os._exit(7)"),
    killed=DIES.format("import os, signal; os.kill(os.getpid(), 9)"),
    segfault=DIES.format("import ctypes; ctypes.string_at(0)"),
    closes=DIES.format("import os; os.closerange(0, 64)"),
    aborts=DIES.format("import os; os.abort()"),
)
def test_a_program_that_dies_in_a_call_keeps_the_cases_before_and_gets_none_after(verdicts):
    for name, verdict in verdicts.items():
        assert verdict.outcome is Outcome.RUNTIME_ERROR, name
        assert verdict.cases == "100", name
    assert "exit status 7" in verdicts["status"].message
    assert "exit status 0" in verdicts["exits"].message
    assert "SIGSEGV" in verdicts["segfault"].message


@trial(
    problem(ECHO, *CASES),
    exit="import sys\nsys.exit(0)\n",
    quit="quit()\n",
    hard="import os\nos._exit(0)\n",
    raises="1 / 0\n",
    base="raise BaseException\n",
    memory="raise MemoryError\n",
    syntax="def f(x) return x\n",
    null="def f(x):\n    return '\0'\n",
    deep="x = " + "-" * 100_000 + "1\n",
)
def test_a_program_that_does_not_load_passes_no_case(verdicts):
    outcomes = {name: v.outcome for name, v in verdicts.items()}
    assert all(v.passed_cases == 0 and v.total_cases == 3 for v in verdicts.values())
    assert {outcomes.pop(name) for name in ("exit", "quit", "hard", "raises", "base")} == {Outcome.RUNTIME_ERROR}
    assert outcomes.pop("memory") is Outcome.MEMORY_LIMIT
    assert {outcomes.pop("syntax"), outcomes.pop("null")} == {Outcome.SYNTAX_ERROR}
    assert outcomes.pop("deep") in (Outcome.SYNTAX_ERROR, Outcome.MEMORY_LIMIT)
    assert "line 1" in verdicts["raises"].message


@trial(
    problem(ECHO, *CASES, limits=SOON),
    time=DIES.format("while True: pass"),
    sleep=DIES.format("import time; time.sleep(60)"),
    memory=DIES.format("return [bytearray(1 << 20) for _ in range(4096)]"),
    output=DIES.format("print('x' * (4 << 20))"),
    load="while True:\n    pass\n",
    wrong_then_time="def f(x):\n    while x == 2:\n        pass\n    return 9\n",
    caught=DIES.format("[x for x in iter(lambda: 0, 1)]"),
)
def test_a_limit_decides_over_everything_else_and_keeps_no_case_after_it(verdicts):
    outcomes = {name: v.outcome for name, v in verdicts.items()}
    assert outcomes.pop("memory") is Outcome.MEMORY_LIMIT
    assert outcomes.pop("output") is Outcome.OUTPUT_LIMIT
    assert outcomes.pop("caught") in (Outcome.MEMORY_LIMIT, Outcome.TIME_LIMIT)
    assert set(outcomes.values()) == {Outcome.TIME_LIMIT}
    killed = [
        v for name, v in verdicts.items() if name != "memory"
    ]  # there the program gets a MemoryError and lives on
    assert all(not v.cases.endswith("1") for v in killed)
    assert verdicts["time"].message.startswith("over 0.4 s")
    assert {name: v.cases for name, v in verdicts.items() if name in ("time", "sleep", "wrong_then_time", "load")} == {
        "time": "100",
        "sleep": "100",
        "wrong_then_time": "000",
        "load": "000",
    }


WRITES = (
    "import os\n\n"
    "def say(data):\n"
    "    for fd in range(3, 20):\n"
    "        try:\n"
    "            os.write(fd, data)\n"
    "        except OSError:\n"
    "            pass\n\n"
)


@trial(
    problem(ECHO, *CASES, limits=SOON),
    half_then_time=WRITES + DIES.format("say(b'\\x64\\0\\0\\0abc')\n        while True: pass"),
    half_then_exit=WRITES + DIES.format("say(b'\\x64\\0\\0\\0abc'); os._exit(0)"),
    garbage_then_exit=WRITES + DIES.format("say(b'\\x04\\0\\0\\0????'); os._exit(0)"),
    wrong_then_exit="import os\n\ndef f(x):\n    if x == 2:\n        os._exit(0)\n    return 9\n",
)
def test_precedence_is_limit_then_protocol_then_exit_then_tests(verdicts):
    assert verdicts["half_then_time"].outcome is Outcome.TIME_LIMIT
    assert verdicts["half_then_exit"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["garbage_then_exit"].outcome is Outcome.FORBIDDEN
    assert verdicts["wrong_then_exit"].outcome is Outcome.RUNTIME_ERROR


@trial(
    problem(ECHO, *CASES),
    child="import os\n\ndef f(x):\n    pid = os.fork()\n    if pid == 0:\n        os._exit(0)\n    os.waitpid(pid, 0)\n    return x\n",
)
def test_a_child_of_the_program_that_ends_does_not_end_the_program(verdicts):
    assert verdicts["child"].passed


@trial(
    problem(
        ECHO,
        "assert f(1) == 1",
        "ok = False\ntry:\n    ok = f(2) == 2\nexcept:\n    ok = True\nassert ok",
        "assert f(3) == 3",
    ),
    dies=DIES.format("import os; os._exit(0)"),
)
def test_a_bare_except_of_a_test_does_not_hide_a_death(verdicts):
    assert verdicts["dies"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["dies"].passed_cases <= 1


DEAF = (
    "import os, sys, time\n\nframe = sys._getframe()\nwhile 'codec' not in frame.f_globals:\n    frame = frame.f_back\n"
    "codec = frame.f_globals['codec']\n"
    "loaded = codec.Encoder(opaque=lambda o: codec.handle(0, 'callable', 'f')).encode(('loaded', {'f': len}))\n"
    "os.write(3, len(loaded).to_bytes(4, 'little') + loaded)\ntime.sleep(60)\n"
)


@trial(problem(None, "assert f('x' * 3_000_000) == 3_000_000", limits=SOON), deaf=DEAF, honest="f = len\n")
def test_a_program_that_does_not_read_what_it_is_asked_waits_in_its_own_time(verdicts):
    assert verdicts["deaf"].outcome is Outcome.TIME_LIMIT
    assert verdicts["honest"].passed
