"""The middle of the line as a whole: every sample ends with exactly one verdict, in bounded memory, and only where it is wanted."""

from __future__ import annotations

import gc
import os
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from court import Found, judge, problem, processes_below

from assay.engine import Settings, Work, judge_work
from assay.engine.settings import LANES
from assay.engine.work import CHUNK
from assay.errors import SandboxUnavailable, SettingsError
from assay.records import AssertTests, CallTests, Limits, Mode, Outcome, Sample, Trust

ECHO = "def f(x):\n    return x\n"
ASKED = problem(ECHO, "assert f(1) == 1", "assert f(2) == 2", id="echo")
ONE = Settings(workers=1)


def copies(source: str, number: int) -> list[str]:
    """Programs that differ by a comment."""
    return [f"{source}# copy {n}\n" for n in range(number)]


# -- one verdict a sample


def test_each_of_many_samples_over_three_workers_gets_one_verdict():
    wrong = "def f(x):\n    return 1\n"
    other = msgspec.structs.replace(ASKED, id="other")
    found = judge([(ASKED, copies(ECHO, 90) + copies(wrong, 30)), (other, copies(wrong, 40))], Settings(workers=3))
    assert found.verdicts.keys() == {("echo", n) for n in range(120)} | {("other", n) for n in range(40)}
    assert all(found.verdicts["echo", n].passed for n in range(90))
    assert {found.verdicts["echo", n].cases for n in range(90, 120)} == {"10"}
    assert {v.isolation for v in found.verdicts.values()} == {found.isolation.level}


def test_a_sample_without_code_gets_its_verdict_without_being_run():
    found = judge([(ASKED, ["", "  \n", ECHO])], ONE)
    assert [found.verdicts["echo", n].outcome for n in range(3)] == [Outcome.NO_CODE, Outcome.NO_CODE, Outcome.PASSED]
    assert found.verdicts["echo", 0].total_cases == 2


def test_no_work_at_all_ends_at_once():
    assert judge([], ONE).verdicts == {}


# -- resume


def test_what_is_done_is_not_run_again_and_what_has_changed_is():
    sources = copies(ECHO, 5)
    first = judge([(ASKED, sources)], ONE)
    digests = {key: v.job_digest for key, v in first.verdicts.items()}
    assert len(set(digests.values())) == 5

    def done(problem_id: str, index: int) -> str | None:
        return digests.get((problem_id, index))

    assert judge([(ASKED, sources)], ONE, done).verdicts == {}
    changed = [*sources[:3], "def f(x):\n    return 0\n", *sources[4:]]
    assert judge([(ASKED, changed)], ONE, done).verdicts.keys() == {("echo", 3)}
    assert judge([(ASKED, [*sources, ECHO])], ONE, done).verdicts.keys() == {("echo", 5)}
    stricter = msgspec.structs.replace(ASKED, limits=Limits(time_s=4))
    assert len(judge([(stricter, sources)], ONE, done).verdicts) == 5


# -- invalid problems

INVALID = {
    "setup": (problem(ECHO, "assert f(1) == 1", setup="1 / 0"), "ZeroDivisionError"),
    "load": (problem("import nothing_like_this\n", "assert f(1) == 1"), "does not load"),
    "wrong": (problem("def f(x):\n    return 0\n", "assert f(1) == 1"), "expected 1, got 0"),
    "dies": (problem("import os\n\ndef f(x):\n    os._exit(0)\n", "assert f(1) == 1"), "did not finish"),
    "endless": (
        problem("def f(x):\n    while True:\n        pass\n", "assert f(1) == 1", limits=Limits(time_s=0.3)),
        "stopped by",
    ),
    "opaque": (problem("def f(x):\n    return object()\n", tests=(CallTests(inputs=("[1]",)),)), "can't be copied"),
    "refuses": (
        problem("def f(x):\n    raise ValueError\n", tests=(CallTests(inputs=("[1]", "[2]")),)),
        "fails on every input",
    ),
    "lonely": (problem(None, tests=(CallTests(inputs=("[1]",)),)), "no reference"),
    "nameless": (problem(ECHO, tests=(CallTests(inputs=("[1]",)),), entry_point=None), "entry point"),
    "empty": (problem(ECHO, tests=(AssertTests(cases=("assert f(1) == 1",), group="challenge"),)), "no tests"),
}


@pytest.fixture(scope="module")
def with_invalid():
    """Ten invalid problems and a valid one in the middle, with three samples each."""
    cases = [(msgspec.structs.replace(asked, id=name), copies(ECHO, 3)) for name, (asked, _) in INVALID.items()]
    cases.insert(5, (ASKED, copies(ECHO, 3)))
    return judge(cases, Settings(workers=2))


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_problem_is_told_with_its_reason(name, with_invalid):
    assert INVALID[name][1] in with_invalid.invalids[name]


def test_samples_of_invalid_problems_get_no_verdict_and_the_others_get_theirs(with_invalid):
    assert with_invalid.invalids.keys() == INVALID.keys()
    assert with_invalid.verdicts.keys() == {("echo", n) for n in range(3)}


# -- flavours

NUMPY = "import numpy as np\n\n\ndef f(x):\n    return np.arange(x)\n"


def test_numpy_is_there_for_the_program_that_names_it_and_for_the_tests_that_do():
    asked = problem(
        "def f(x):\n    return list(range(x))\n", "assert list(f(3)) == [0, 1, 2]", "assert sum(f(4)) == 6", id="lists"
    )
    arrays = problem(NUMPY, "import numpy as np\nassert np.array_equal(f(3), np.array([0, 1, 2]))", id="arrays")
    plain = "def f(x):\n    return [*range(x)]\n"
    found = judge([(asked, [NUMPY, plain, NUMPY.replace("arange", "ones")]), (arrays, [NUMPY, plain])], ONE)
    assert found.invalids == {}
    assert [found.verdicts["lists", n].passed for n in range(3)] == [True, True, False]
    assert [found.verdicts["arrays", n].passed for n in range(2)] == [True, True]
    assert {v.trust for v in found.verdicts.values()} == {Trust.ANCHORED}


# -- what the engine refuses, and what it leaves


def test_isolation_that_this_machine_does_not_give_is_refused_before_anything_runs():
    found = Found()
    with pytest.raises(SandboxUnavailable):
        judge_work(
            [Work(ASKED, lambda: iter(()), 0)], Settings(workers=1, minimum_level="L5"), found, lambda _i, _n: None
        )
    assert found.isolation is None
    assert processes_below(os.getpid()) == set()


def test_an_interpreter_that_can_not_be_run_is_refused():
    with pytest.raises(SettingsError, match="can't be run"):
        judge([(ASKED, [ECHO])], Settings(workers=1, python="/nowhere/python"))


class Stopping(Found):
    """Fails when the third verdict comes."""

    error: type[BaseException] = KeyboardInterrupt

    def verdict(self, verdict):
        super().verdict(verdict)
        if len(self.verdicts) == 3:
            raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_error_out_of_the_events_ends_the_run_and_leaves_no_process(error):
    found = Stopping()
    found.error = error
    work = Work(
        ASKED,
        lambda: (
            Sample(problem_id="echo", index=n, text=t, mode=Mode.SOLUTION) for n, t in enumerate(copies(ECHO, 50))
        ),
        50,
    )
    with pytest.raises(error):
        judge_work([work], Settings(workers=2), found, lambda _i, _n: None)
    assert len(found.verdicts) < 50
    assert processes_below(os.getpid()) == set()
    # asyncio tells of an interrupted task's error when the task is collected, and parses source for it; in the middle of a later parse
    # that would break the parser's count of its depth
    gc.collect()


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_run_leaves_no_process_and_no_descriptor():
    judge([(ASKED, [ECHO])], ONE)
    before = descriptors()
    judge([(ASKED, [ECHO])], Settings(workers=2))
    assert descriptors() == before
    assert processes_below(os.getpid()) == set()


# -- memory


class Counting:
    """Events that keep numbers only."""

    def __init__(self, limit: int) -> None:
        self.told = self.read = self.ahead = 0
        self.limit = limit

    def started(self, *_):
        pass

    invalid = note = in_doubt = started

    def verdict(self, _):
        self.told += 1

    def samples(self):
        """Samples that are made when they are asked for; how far the engine reads ahead is noted."""
        for n in range(self.limit):
            self.read += 1
            self.ahead = max(self.ahead, self.read - self.told)
            text = ECHO + f"# {n}\n" if n % 100 == 0 else ""
            yield Sample(problem_id="echo", index=n, text=text, mode=Mode.SOLUTION)

    def run(self) -> int:
        """Judges all; the peak of what Python allocated meanwhile."""
        tracemalloc.start()
        try:
            judge_work([Work(ASKED, self.samples, self.limit)], ONE, self, lambda _i, _n: None)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_the_engine_reads_only_a_few_chunks_ahead_and_its_memory_stays_flat():
    few, many = Counting(500), Counting(5000)
    small, large = few.run(), many.run()
    assert (few.told, many.told) == (500, 5000)
    assert many.ahead <= (2 * LANES + 2) * CHUNK
    assert large - small < 1 << 20
