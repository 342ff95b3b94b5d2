"""Where a program raised: from the agent, through the judge, to the row."""

from __future__ import annotations

from court import problem, trial

from assay.guest import raised
from assay.judge import loading
from assay.judge.wire import codec
from assay.records import CallTests, CheckTests, Outcome, StdioCase, StdioTests, UnittestTests, judged

DEEP = "def f(x):\n    return g(x)\n\ndef g(x):\n    return h(x)\n\ndef h(x):\n    return {}[x]\n"
THROUGH = ((2, "f"), (5, "g"), (8, "h"))
RECURSION = "def f(x):\n    return f(x)\n"
AT_LOAD = "def g():\n    raise KeyError(1)\n\nclass C:\n    x = g()\n"
EXIT = "def g():\n    raise SystemExit(0)\n\ndef f(x):\n    g()\n"
FORGERY = ("raised", None, ["ValueError", "Exception"], codec.encode(()), "", ((3, "g"),) * 5_000)
FORGED = f"""import os
def f(x):
    data = bytes.fromhex("{codec.encode(FORGERY).hex()}")
    for fd in range(3, 20):
        try:
            os.write(fd, len(data).to_bytes(4, "little") + data)
        except OSError:
            pass
    os._exit(0)
"""
ASKED = problem("def f(x):\n    return x\n", "assert f(1) == 1", "assert f(2) == 2")


@trial(ASKED, deep=DEEP, recursion=RECURSION, load=AT_LOAD, exit=EXIT, wrong="def f(x):\n    return 7\n")
def test_a_row_tells_the_programs_own_frames_of_the_first_case_that_failed(verdicts):
    frames = {name: verdict.first_failure.frames for name, verdict in verdicts.items()}
    assert frames["deep"] == THROUGH
    assert verdicts["deep"].message == "f(1): KeyError: 1 (line 8)"
    assert verdicts["deep"].told_in_full.endswith("; Traceback: line 2 in f, line 5 in g, line 8 in h")
    assert frames["recursion"] == ((2, "f"),) * 10
    assert frames["load"] == ((4, "<module>"), (5, "C"), (2, "g"))
    assert frames["exit"] == ((5, "f"), (2, "g"))
    assert (frames["wrong"], verdicts["wrong"].told_in_full) == ((), verdicts["wrong"].message)


@trial(ASKED, forged=FORGED)
def test_a_flood_of_forged_frames_is_no_pass_and_no_fault_of_ours(verdicts):
    verdict = verdicts["forged"]
    assert verdict.outcome not in (Outcome.PASSED, Outcome.SYSTEM_ERROR)
    assert "ValueError" in verdict.message, "it was read, and its frames alone were left out"
    assert verdict.first_failure.frames == ()


CHECK = CheckTests(source="def check(c):\n    assert c(1) == 1\n    assert c(2) == 2\n")
SUITE = UnittestTests(
    source="import unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 1)\n"
)
IDENTITY = "def f(x):\n    return x\n"


CATCHES = CheckTests(
    source="def check(c):\n    try:\n        c(0)\n    except KeyError:\n        pass\n    assert c(1) == 1\n"
)


@trial(problem(IDENTITY, tests=(CATCHES,)), caught="def f(x):\n    return 5 if x else {}[x]\n")
def test_an_error_that_the_test_caught_is_not_told_for_a_wrong_answer(verdicts):
    assert verdicts["caught"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["caught"].first_failure.frames == ()


@trial(problem(DEEP, "assert f(1) == 1"), any=IDENTITY)
def test_a_reference_that_raises_is_told_with_its_traceback(reason):
    assert reason.endswith("f(1): KeyError: 1 (line 8); Traceback: line 2 in f, line 5 in g, line 8 in h")


@trial(problem(IDENTITY, tests=(CHECK,)), deep=DEEP)
def test_a_check_tells_them(verdicts):
    assert verdicts["deep"].first_failure.frames == THROUGH


@trial(problem(IDENTITY, tests=(CallTests(inputs=("[1]", "[2]")),)), deep=DEEP)
def test_inputs_tell_them(verdicts):
    assert verdicts["deep"].first_failure.frames == THROUGH


@trial(problem(IDENTITY, tests=(SUITE,)), deep=DEEP)
def test_a_unittest_suite_tells_them(verdicts):
    assert verdicts["deep"].first_failure.frames == THROUGH


PRINTS_ONE = StdioTests(cases=(StdioCase(stdin="1\n", stdout="1\n"),))


@trial(
    problem(None, entry_point=None, tests=(PRINTS_ONE,)),
    deep=f"{DEEP}\nf(input())\n",
    recursion="import sys\nsys.setrecursionlimit(60)\ndef f(x):\n    return f(x) + 1\n\nf(input())\n",
)
def test_a_whole_program_tells_them_by_its_traceback(verdicts):
    assert verdicts["deep"].first_failure.frames == ((10, "<module>"), *THROUGH)
    frames = verdicts["recursion"].first_failure.frames
    assert frames[:2] == ((6, "<module>"), (4, "f"))
    assert len(frames) <= 10


def test_agent_judge_and_row_mean_the_same_number_of_frames():
    """Neither of the three may import another's constants: an agent is loaded by path, a judge fork without the records."""
    told = (raised.MAX_FRAMES, raised.FIRST_FRAMES)
    assert told == (loading.MAX_FRAMES, loading.FIRST_FRAMES) == (judged.FRAMES, judged.FIRST_FRAMES)
