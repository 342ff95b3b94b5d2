"""Whole programs through the real engine: each case is a process of its own, judged by what it prints and how it ends.

Everything is judged twice: where the machine's best level is, and without namespaces, where no file can be made and both streams are pipes.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import msgspec
import pytest
from court import judge

from assay.engine import Settings, check_references, worker
from assay.records import Checker, Fault, Limits, Outcome, Problem, StdioCase, StdioTests, Trust
from assay.sandbox import ServerSpec

ONE = Settings(workers=1)
ADD = (("3 4\n", "7\n"), ("10 -2\n", "8\n"), ("-1 1\n", "0\n"))
SUM = "print(sum(map(int, input().split())))\n"
EASY = Limits(time_s=5, memory_mib=256)
BRISK = Limits(time_s=0.7, memory_mib=256)
NO_NAMESPACES = ("namespaces",)


def problem(*cases: tuple[str, str], limits: Limits = EASY, **fields) -> Problem:
    """A problem of whole programs; what is not a field of the problem is one of its checker."""
    reference = fields.pop("reference", None)
    tests = StdioTests(cases=tuple(StdioCase(stdin=i, stdout=o) for i, o in cases), checker=Checker(**fields))
    return Problem(id="?", prompt="?", tests=(tests,), limits=limits, reference=reference)


class Trial(NamedTuple):
    """A program with what should come of it; `lowest` is the outcome without namespaces, where that is another one."""

    outcome: Outcome
    cases: str
    program: str
    message: str = ""
    asked: Problem = problem(*ADD)
    lowest: Outcome | None = None


HUNT = """
import gc, os, sys
def is_it(o):
    text = o.decode("latin-1") if type(o) is bytes else o
    return type(text) is str and len(text) < 9 and text.startswith("xyz") and text.strip().endswith("zy")
found, frame = [], sys._getframe()
for o in gc.get_objects():
    if type(o) in (dict, list, tuple, set, frozenset):
        found += filter(is_it, o.values() if type(o) is dict else o)
while frame:
    found += filter(is_it, frame.f_locals.values())
    frame = frame.f_back
for fd in range(3, 256):
    try:
        os.fstat(fd)
        found.append(fd)
    except OSError:
        pass
print(*found or ["nothing"])
"""

FORGE = """
import os
for fd in range(256):
    if fd not in (0, 2):
        for frame in (b"\\x05\\0\\0\\0ready", b'("ran", {"letter": "P"})', b"passed"):
            try:
                os.write(fd, frame)
            except OSError:
                pass
"""

BACK = "import sys\nfor line in sys.stdin:\n    print(line, end='')\n"
LAST_FIRST = "import sys\nprint('a' * 2_000_000)\nprint(len(sys.stdin.read()))\n"
CLOSE = f"import os, sys, time\n{SUM}sys.stdout.flush()\nos.close(1)\n"
LATER = "import os, time\nif os.fork() == 0:\n    time.sleep(0.5)\n    os.write(1, b'7')\n"
ONCE = "import os\nprint(len(os.listdir('.')) if os.path.exists('/tmp/x') else 1)\nopen('/tmp/x', 'w').write('1')\n"
BY_SIZE = f"import io, os\ninput = io.BytesIO(os.read(0, os.fstat(0).st_size)).readline\n{SUM}"
ODD_TRACE = "import sys\nprint('Traceback (most recent call last):\\nA: b\\nc', file=sys.stderr)\nsys.exit(1)\n"
SORTED = "def check(stdin, expected, got):\n    return sorted(got.split()) == expected.split()\n"
STRICT = "def check(stdin, expected, got):\n    return int(got) == int(expected)\n"
WORST, WRONG, RUNTIME, TIME = Outcome.OUTPUT_LIMIT, Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR, Outcome.TIME_LIMIT
PASSED = Outcome.PASSED
LONG = "z" * 3_000_000
MANY = "0123456789\n" * 300_000
IN_THE_FIRST = "input '3 4\\n': "
IN_THE_SECOND = "input '10 -2\\n': "

TRIALS = {
    "right": Trial(PASSED, "111", SUM),
    "wrong in two cases": Trial(WRONG, "100", "print(7)\n", IN_THE_SECOND + "expected '8', got '7'; line 1 of the output"),
    "prints nothing": Trial(WRONG, "000", "pass\n", IN_THE_FIRST + "expected '7', got nothing more"),
    "prints too much": Trial(WRONG, "000", SUM + "print('bye')\n", IN_THE_FIRST + "expected nothing more, got 'bye'"),
    "a name guard": Trial(PASSED, "111", f"def main():\n    {SUM}if __name__ == '__main__':\n    main()\n"),
    "raises at last": Trial(RUNTIME, "000", SUM + "raise ValueError('late')\n", IN_THE_FIRST + "ValueError: late (line 2)"),
    "raises in one case": Trial(
        RUNTIME, "101", "a, b = map(int, input().split())\nassert b > -2, 'no'\nprint(a + b)\n",
        IN_THE_SECOND + "AssertionError: no (line 2)",
    ),
    "wrong and raises": Trial(
        RUNTIME, "000", "a, b = map(int, input().split())\nprint(1 // (b > 0))\n", IN_THE_SECOND + "ZeroDivisionError",
    ),
    "asks for more": Trial(RUNTIME, "000", SUM + "input()\n", IN_THE_FIRST + "EOFError: EOF when reading a line (line 2)"),
    "exits with zero": Trial(PASSED, "111", SUM + "import sys\nsys.exit(0)\nprint('never')\n"),
    "exits by the builtin": Trial(PASSED, "111", SUM + "exit()\n"),
    "exits with a number": Trial(
        RUNTIME, "000", SUM + "import os\nos._exit(3)\n", IN_THE_FIRST + "the program ended itself with exit status 3"
    ),
    "exits before it prints": Trial(WRONG, "000", "import os\nprint(7)\nos._exit(0)\n"),
    "is killed": Trial(
        RUNTIME, "000", SUM + "import ctypes\nctypes.string_at(0)\n", IN_THE_FIRST + "the program was killed by SIGSEGV"
    ),
    "is no Python": Trial(Outcome.SYNTAX_ERROR, "000", "print(input()\n", "SyntaxError: '(' was never closed"),
    "never ends in the second case": Trial(
        TIME, "100", "a, b = map(int, input().split())\nwhile b == -2: pass\nprint(a + b)\n", IN_THE_SECOND + "over 0.7 s",
        problem(*ADD, limits=BRISK),
    ),
    "sleeps": Trial(TIME, "000", "import time\ntime.sleep(60)\n", asked=problem(*ADD, limits=BRISK)),
    "takes its time in each case": Trial(PASSED, "111", f"import time\ntime.sleep(0.4)\n{SUM}", asked=problem(*ADD, limits=BRISK)),
    "takes all memory": Trial(
        Outcome.MEMORY_LIMIT, "000", "x = []\nwhile True:\n    x.append(bytes(10**7))\n", IN_THE_FIRST + "MemoryError"
    ),
    "prints without end": Trial(WORST, "000", "while True:\n    print('x' * 1000)\n", IN_THE_FIRST + "over 1024 KiB of output"),
    "complains without end": Trial(
        WORST, "000", "import sys\nwhile True:\n    sys.stderr.write('x' * 100_000)\n", IN_THE_FIRST + "over 64 MiB on standard error"
    ),
    "complains at length": Trial(PASSED, "111", f"import sys\nsys.stderr.write('w' * 2_000_000)\n{SUM}"),
    "prints as much as is asked for": Trial(
        PASSED, "1", "print('y' * 3_000_000)\n", asked=problem(("", "y" * 3_000_000), limits=Limits(output_kib=16))
    ),
    "reads nothing of much": Trial(PASSED, "1", "print(1)\n", asked=problem((LONG, "1"))),
    "reads a little of much": Trial(PASSED, "1", "import os\nprint(len(os.read(0, 10)))\n", asked=problem((LONG, "10"))),
    "closes its input at once": Trial(PASSED, "1", "import os\nos.close(0)\nprint(1)\n", asked=problem((LONG, "1"))),
    "much both ways, at the same time": Trial(PASSED, "1", BACK, asked=problem((MANY, MANY))),
    "much printed before anything is read": Trial(
        PASSED, "1", LAST_FIRST, asked=problem((LONG, "a" * 2_000_000 + "\n3000000\n"))
    ),
    "closes its output and goes on": Trial(PASSED, "111", CLOSE + "os.open('/dev/null', os.O_WRONLY)\ntime.sleep(0.2)\n"),
    "closes its output and fails later": Trial(RUNTIME, "000", CLOSE + "time.sleep(0.2)\nos._exit(4)\n"),
    "closes its output and never ends": Trial(TIME, "000", CLOSE + "while True: pass\n", asked=problem(*ADD, limits=BRISK)),
    "leaves a child that holds the output": Trial(
        PASSED, "111", f"import os, time\nif os.fork() == 0:\n    time.sleep(60)\n{SUM}", lowest=RUNTIME
    ),
    "leaves a child that would print later": Trial(WRONG, "000", LATER, lowest=RUNTIME),
    "lets a child print": Trial(
        PASSED, "111", f"import os\npid = os.fork()\nif pid == 0:\n    {SUM}else:\n    os.wait()\n", lowest=RUNTIME
    ),
    "a thread prints": Trial(PASSED, "111", f"import threading\ndef go():\n    {SUM}threading.Thread(target=go).start()\n"),
    "a file left open is the output": Trial(PASSED, "111", f"out = open(1, 'w')\nout.write(str({SUM[6:-2]}))\n"),
    "descriptors": Trial(PASSED, "111", "import os\nos.write(1, str(sum(map(int, os.read(0, 99).split()))).encode())\n"),
    "the input has a name": Trial(PASSED, "111", "print(sum(map(int, open('/dev/stdin').read().split())))\n"),
    "the output has a name": Trial(PASSED, "111", f"import sys\nsys.stdout = open('/dev/stdout', 'w')\n{SUM}"),
    "input by its size": Trial(PASSED, "111", BY_SIZE, lowest=WRONG),
    "keeps nothing from case to case": Trial(PASSED, "11", ONCE, asked=problem(("a", "1"), ("b", "1")), lowest=RUNTIME),
    "bytes that are no text": Trial(WRONG, "000", "import sys\nsys.stdout.buffer.write(bytes(range(256)))\n"),
    "hunts for the answer": Trial(WRONG, "0", HUNT, "no input: expected 'xyzzy', got 'nothing'", problem(("", "xyzzy\n"))),
    "writes wherever it can": Trial(WRONG, "0", FORGE, asked=problem(("", "xyzzy\n"))),
    "a traceback of its own making": Trial(RUNTIME, "000", ODD_TRACE, IN_THE_FIRST + "A: b"),
    "numpy": Trial(PASSED, "111", "import numpy as np\nprint(np.array(input().split(), dtype=int).sum())\n"),
    "a checker of its own": Trial(PASSED, "1", "print('4 3')\n", asked=problem(("", "3 4"), name="custom", source=SORTED)),
    "a checker that raises": Trial(
        WRONG, "0", "print('x')\n", "no input: expected '3', got 'x\\n'; the checker raised ValueError",
        problem(("", "3"), name="custom", source=STRICT),
    ),
}  # fmt: skip


@pytest.fixture(scope="module", params=["best", "without namespaces"])
def found(request):
    """All trials, judged in one run at a place; the names of trials become ids."""
    work = [(msgspec.structs.replace(t.asked, id=name), [t.program]) for name, t in TRIALS.items()]
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "best":
            patch.setattr(worker, "ServerSpec", functools.partial(ServerSpec, without=NO_NAMESPACES))
        return request.param, judge(work, ONE)


@pytest.mark.parametrize("name", TRIALS)
def test_a_program_gets_the_verdict_that_it_deserves(name, found):
    place, judged = found
    wanted = TRIALS[name]
    assert judged.invalids == {}
    verdict = judged.verdicts[name, 0]
    if place != "best" and wanted.lowest is not None:
        assert verdict.outcome is wanted.lowest, verdict
        return
    assert (verdict.outcome, verdict.cases) == (wanted.outcome, wanted.cases), verdict
    assert verdict.message.startswith(wanted.message)
    assert (verdict.first_failure is None) == verdict.passed


# -- references


def checked(asked: Problem):
    (check,) = check_references([msgspec.structs.replace(asked, id="p")], ONE)
    return check


def test_a_reference_passes_and_is_measured():
    check = checked(problem(*ADD, reference=SUM))
    assert check.passed
    assert (check.cases, check.trust, check.vacuous) == (3, Trust.ANCHORED, False)
    assert check.time_s > 0


@pytest.mark.parametrize(
    ("reference", "limits", "reason", "fault"),
    [
        ("print(7)\n", EASY, "the reference fails its own tests: input '10 -2\\n': expected '8', got '7'", Fault.REFERENCE),
        ("print(", EASY, "the reference fails its own tests: SyntaxError", Fault.REFERENCE),
        (SUM + "1 / 0\n", EASY, "the reference fails its own tests: input '3 4\\n': ZeroDivisionError", Fault.REFERENCE),
        (f"import time\ntime.sleep(2)\n{SUM}", BRISK, "the reference fails its own tests: input '3 4\\n': over 0.7 s", Fault.TIME),
    ],
)  # fmt: skip
def test_a_reference_that_fails_makes_the_problem_invalid(reference, limits, reason, fault):
    found = judge([(msgspec.structs.replace(problem(*ADD, limits=limits, reference=reference), id="p"), [SUM])], ONE)
    assert found.invalids["p"].startswith(reason)
    assert found.verdicts == {}
    check = checked(problem(*ADD, limits=limits, reference=reference))
    assert (check.passed, check.fault) == (False, fault)


@pytest.mark.parametrize("reference", ["print(1)", None])
def test_an_output_that_holds_the_checker_up_is_told_from_a_checker_that_holds_everybody_up(reference, monkeypatch):
    monkeypatch.setattr(worker, "JUDGE_LIMITS", msgspec.structs.replace(worker.JUDGE_LIMITS, time_s=0.4))
    slow = "def check(stdin, expected, got):\n    while 'slow' in got:\n        pass\n    return True\n"
    asked = problem(("", "1"), name="custom", source=slow, reference=reference)
    never = problem(("", "1"), name="custom", source=slow.replace("'slow' in got", "True"))
    programs = ["print('slow')", "print(1)"]
    found = judge([(msgspec.structs.replace(p, id=i), programs) for i, p in (("p", asked), ("q", never))], ONE)
    assert [found.verdicts["p", n].outcome for n in (0, 1)] == [Outcome.FORBIDDEN, Outcome.PASSED]
    assert {found.verdicts["q", n].outcome for n in (0, 1)} == {Outcome.SYSTEM_ERROR}


# -- size


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("without", [(), NO_NAMESPACES], ids=["file and pipe", "two pipes"])
def test_a_hundred_megabytes_go_in_and_come_out(without, monkeypatch):
    monkeypatch.setattr(worker, "ServerSpec", functools.partial(ServerSpec, without=without))
    block = "0123456789abcdef" * 6_250_000
    asked = problem((block, block), limits=Limits(time_s=30, memory_mib=1024))
    programs = [
        "import sys\nsys.stdout.write(sys.stdin.read())\n",
        "import sys\nfor part in iter(lambda: sys.stdin.read(65536), ''):\n    sys.stdout.write(part)\n",
        "import sys\nsys.stdout.write('x' * 10**8)\nsys.stdin.read()\n",
        "import os\nwhile part := os.read(0, 10**8):\n    os.write(1, part[:-1])\n",
    ]
    found = judge([(msgspec.structs.replace(asked, id="p"), programs)], ONE)
    assert [found.verdicts["p", n].outcome for n in range(4)] == [PASSED, PASSED, WRONG, WRONG]
