"""Plain references run in company: with the same result as alone, for one process instead of many, and only where they pass."""

from __future__ import annotations

import asyncio

import pytest
from court import Found, problem

from assay.benchmarks import load
from assay.engine import Settings, Work, judge_work, links, referee
from assay.engine.lane import Lane
from assay.engine.work import Task
from assay.engine.worker import Worker
from assay.records import Mode, Outcome, Sample

IDENTITY = "def f(x):\n    return x\n"
COUNTING = "count = 0\ndef f(x):\n    global count\n    count += 1\n    return count * x\n"


def judged(problems):
    found = Found()
    work = [Work(p, lambda p=p: iter([sample(p)]), 1) for p in problems]
    judge_work(work, Settings(workers=1), found, lambda _i, _n: None)
    return found


def outcomes(found):
    return {problem_id: verdict.outcome for (problem_id, _), verdict in found.verdicts.items()}


def sample(asked):
    return Sample(problem_id=asked.id, index=0, text=asked.reference, mode=Mode.SOLUTION)


async def calibrated(problems, in_company):
    """What two lanes, used in turn, find out about each problem."""
    settings = Settings(workers=1)
    worker, tasks = Worker(settings), [Task(p, settings, "") for p in problems]
    lanes = [Lane(worker, slot, settings, Found()) for slot in range(2)]
    try:
        for number, task in enumerate(tasks):
            task.plain_reference = task.plain_reference and in_company
            await lanes[number % 2].prepare(task)
    finally:
        for lane in lanes:
            await lane.close()
        worker.close()
    return [(task.calibration, task.totals, task.unusable) for task in tasks]


@pytest.fixture
def spawned(monkeypatch):
    """Slots of the children that were started."""
    slots = []
    spawn = links.ServerLink.spawn

    def counted(self, slot, *more, **named):
        slots.append(slot)
        return spawn(self, slot, *more, **named)

    def counted_too(self, slot, limits, lines, **named):
        slots.extend([slot] * (1 + len(lines.further)))
        return recite(self, slot, limits, lines, **named)

    recite = links.ServerLink.recite
    monkeypatch.setattr(links.ServerLink, "spawn", counted)
    monkeypatch.setattr(links.ServerLink, "recite", counted_too)
    return slots


def test_a_reference_tells_the_same_in_company_as_alone():
    problems = load("basics").problems
    assert sum(Task(p, Settings(), "").plain_reference for p in problems) > len(problems) / 2
    assert asyncio.run(calibrated(problems, in_company=True)) == asyncio.run(calibrated(problems, in_company=False))


def test_nothing_of_an_earlier_reference_is_left():
    first = problem(COUNTING, "assert f(2) == 2\nassert f(2) == 4", id="a")
    again = problem(COUNTING, "assert f(3) == 3", id="b")
    other = problem(
        "def g(x):\n    try:\n        return f(x)\n    except NameError:\n        return 'gone'\n",
        "assert g(1) == 'gone'",
        entry_point="g",
        id="c",
    )
    assert outcomes(judged([first, again, other])) == dict.fromkeys("abc", Outcome.PASSED)


def test_many_references_cost_few_processes(spawned):
    problems = [problem(IDENTITY, f"assert f({n}) == {n}", id=str(n)) for n in range(30)]
    assert len(outcomes(judged(problems))) == 30
    assert len(spawned) <= 30 + 4  # a sample each, and for each of two lanes a judge and an agent for references


def test_a_reference_that_is_slow_in_company_runs_alone(monkeypatch, spawned):
    monkeypatch.setattr(referee, "PATIENCE_S", 0.05)
    slow = "def f(x):\n    n = 0\n    while n < 2_000_000:\n        n += 1\n    return x\n"
    found = judged([problem(slow, "assert f(1) == 1", id="slow"), problem(IDENTITY, "assert f(1) == 1", id="next")])
    assert outcomes(found) == {"slow": Outcome.PASSED, "next": Outcome.PASSED}
    assert len([slot for slot in spawned if slot >= 2]) >= 1


def test_a_reference_that_fails_in_company_is_judged_by_its_run_alone():
    wrong = problem("def f(x):\n    return 0\n", "assert f(1) == 1", id="wrong")
    found = judged(
        [problem(IDENTITY, "assert f(1) == 1", id="before"), wrong, problem(IDENTITY, "assert f(2) == 2", id="after")]
    )
    assert outcomes(found) == {"before": Outcome.PASSED, "after": Outcome.PASSED}
    assert list(found.invalids) == ["wrong"]


@pytest.mark.parametrize("foretold", [(), ({"letters": ()}, ())])
@pytest.mark.parametrize(
    ("answer", "stays"),
    [
        (("calibrated", b"", (), ()), True),
        (("calibrated", b"", (), None), False),
        (("unusable", "no", True), False),
        (None, False),
    ],
    ids=["well", "lost over hidden inputs", "fails", "gone"],
)
def test_an_agent_that_may_be_at_work_still_is_not_used_again(monkeypatch, answer, stays, foretold):
    told = answer if answer is None or answer[0] != "calibrated" else (*answer, *foretold)
    closed = []

    async def ask(*_):
        return told

    async def close(self):
        closed.append(self)

    monkeypatch.setattr(referee.Referee, "_ask", ask)
    monkeypatch.setattr(referee.Referee, "close", close)
    passed = answer is not None and answer[0] == "calibrated"
    assert asyncio.run(referee.Referee(0).calibrate(None, None, 0, screens=True)) == (told if passed else None)
    assert bool(closed) is not stays
