"""Time limits that may be due to other work: their samples are judged again alone, every row is told once, and none is lost."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from court import Found, judge, problem

from assay.engine import Settings, doubts
from assay.engine.doubts import Doubts, is_near
from assay.records import Limits, Outcome, Trust, Verdict

LIMITS = Limits(time_s=2.0)
ENDLESS = "def f(x):\n    while True:\n        pass\n"
ASKED = problem("def f(x):\n    return x\n", "assert f(1) == 1", id="echo", limits=Limits(time_s=0.3))


def verdict(index: int = 0, outcome: Outcome = Outcome.TIME_LIMIT, time_s: float = 2.01) -> Verdict:
    return Verdict(
        problem_id="p", sample_index=index, outcome=outcome, passed_cases=0, total_cases=1, groups={}, cases="0",
        trust=Trust.ANCHORED, time_s=time_s, peak_mib=0.0, message="", job_digest="0" * 32,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("row", "near"),
    [
        (verdict(), True),
        (verdict(time_s=0.4), True),  # stopped by the clock on the wall
        (verdict(time_s=4.0), True),
        (verdict(time_s=4.1), False),
        (verdict(time_s=0.0), False),  # given up by the engine
        (verdict(outcome=Outcome.MEMORY_LIMIT), False),
        (verdict(outcome=Outcome.PASSED), False),
    ],
)
def test_a_time_limit_is_in_doubt_where_it_was_hit_within_twice_the_limit(row, near):
    assert is_near(row, LIMITS) is near


class Bench:
    """Judges again, as it is told to."""

    def __init__(self, outcome=Outcome.PASSED):
        self.outcome = outcome
        self.asked = []

    async def judge(self, chunk, job):
        self.asked.append((chunk.task.place, job.program.sample_index))
        return self.outcome and verdict(job.program.sample_index, self.outcome, 0.5)


class Told(Found):
    """The engine's events, in their order."""

    def __init__(self):
        super().__init__()
        self.rows = []
        self.doubts = []

    def in_doubt(self, held, done=0, again=0):
        self.doubts.append((held, done, again))

    def verdict(self, verdict):
        self.rows.append(verdict)


def held(events, samples, others=0, settled_by=None):
    """Doubts about these samples, given as (place, index, digest), after so many others; settled."""
    found = Doubts(events)
    for _ in range(others):
        assert not found.take(
            SimpleNamespace(task=SimpleNamespace(limits=LIMITS, place=0)), None, verdict(outcome=Outcome.PASSED)
        )
    for place, index, digest in samples:
        chunk = SimpleNamespace(task=SimpleNamespace(limits=LIMITS, place=place))
        job = SimpleNamespace(digest=digest, program=SimpleNamespace(sample_index=index))
        assert found.take(chunk, job, verdict(index))
    if settled_by is not None:
        asyncio.run(found.settle(settled_by.judge))
    return found


def test_a_row_in_doubt_is_told_only_when_it_is_settled():
    events = Told()
    held(events, [(0, 1, "a")], others=5)
    assert events.rows == []


def test_the_verdict_alone_is_the_one_that_counts():
    events, bench = Told(), Bench()
    held(events, [(0, 1, "a")], others=5, settled_by=bench)
    assert bench.asked == [(0, 1)]
    assert [(row.outcome, row.confirmed, row.time_s) for row in events.rows] == [(Outcome.PASSED, True, 0.5)]


def test_one_in_a_hundred_is_judged_again_and_it_is_the_first_in_the_order_of_the_work():
    samples = [(place, index, f"{place}.{index}") for place, index in ((3, 0), (1, 5), (1, 2), (2, 0))]
    for order in (samples, samples[::-1]):
        events, bench = Told(), Bench(Outcome.TIME_LIMIT)
        held(events, order, others=150, settled_by=bench)
        assert bench.asked == [(1, 2), (1, 5)]
        assert [row.confirmed for row in events.rows] == [True, True, False, False]
        assert [row.sample_index for row in events.rows] == [2, 5, 0, 0]


def test_no_more_are_judged_again_than_have_half_a_minute_of_limits(monkeypatch):
    monkeypatch.setattr(doubts, "MOST_S", 2 * LIMITS.time_s)
    events, bench = Told(), Bench(Outcome.TIME_LIMIT)
    held(events, [(0, index, str(index)) for index in range(4)], others=500, settled_by=bench)
    assert bench.asked == [(0, 0), (0, 1)]
    assert [row.confirmed for row in events.rows] == [True, True, False, False]


def test_one_is_judged_again_however_long_its_limit_is(monkeypatch):
    monkeypatch.setattr(doubts, "MOST_S", 0.5)
    bench = Bench(Outcome.TIME_LIMIT)
    held(Told(), [(0, 0, "a"), (0, 1, "b")], others=500, settled_by=bench)
    assert bench.asked == [(0, 0)]


def test_the_same_program_is_judged_once_for_all_its_samples():
    events, bench = Told(), Bench(Outcome.TIME_LIMIT)
    held(events, [(1, 0, "a"), (1, 1, "a"), (1, 2, "b")], others=50, settled_by=bench)
    assert bench.asked == [(1, 0)]
    assert [(row.sample_index, row.confirmed) for row in events.rows] == [(0, True), (1, True), (2, False)]


def test_a_sample_that_was_the_only_one_ran_alone_already():
    events, bench = Told(), Bench()
    held(events, [(0, 0, "a")], settled_by=bench)
    assert bench.asked == []
    assert [(row.outcome, row.confirmed) for row in events.rows] == [(Outcome.TIME_LIMIT, True)]


@pytest.mark.parametrize("outcome", [Outcome.SYSTEM_ERROR, None])
def test_where_the_second_time_comes_to_nothing_the_first_verdict_stays(outcome):
    events = Told()
    held(events, [(0, 0, "a")], others=5, settled_by=Bench(outcome))
    assert [(row.outcome, row.confirmed, row.time_s) for row in events.rows] == [(Outcome.TIME_LIMIT, False, 2.01)]


def test_only_so_many_rows_are_held_back_and_the_others_are_told_at_once(monkeypatch):
    monkeypatch.setattr(doubts, "MOST", 2)
    events = Told()
    held(events, [(0, index, str(index)) for index in (3, 1, 2, 0)])
    assert [(row.sample_index, row.confirmed) for row in events.rows] == [(3, False), (2, False)]


def test_a_sample_in_doubt_is_judged_again_in_the_sandbox(monkeypatch):
    monkeypatch.setattr(doubts, "is_near", lambda row, _: row.sample_index == 1)
    found = judge([(ASKED, ["def f(x):\n    return x\n", "def f(x):\n    return x + 0\n"])], Settings(workers=1))
    assert [(row.outcome, row.confirmed) for _, row in sorted(found.verdicts.items())] == [
        (Outcome.PASSED, None),
        (Outcome.PASSED, True),
    ]


def test_a_program_that_never_ends_is_confirmed_unless_that_is_not_wanted():
    samples = [ASKED.reference, ENDLESS]
    assert judge([(ASKED, samples)], Settings(workers=2)).verdicts["echo", 1].confirmed is True
    assert judge([(ASKED, samples)], Settings(workers=2, confirm=False)).verdicts["echo", 1].confirmed is None


def test_a_run_that_breaks_off_while_it_confirms_has_no_row_in_doubt_and_the_next_has_each_once(monkeypatch):
    rows = {}

    async def broken(_self, _judge):
        raise KeyboardInterrupt

    class Kept(Told):
        def verdict(self, verdict):
            assert (verdict.problem_id, verdict.sample_index) not in rows
            rows[verdict.problem_id, verdict.sample_index] = verdict

    samples = [ASKED.reference, ENDLESS, "def f(x):\n    return 0\n"]
    monkeypatch.setattr("court.Found", Kept)
    with monkeypatch.context() as patch:
        patch.setattr(Doubts, "settle", broken)
        with pytest.raises(KeyboardInterrupt):
            judge([(ASKED, samples)], Settings(workers=1))
    assert rows.keys() == {("echo", 0), ("echo", 2)}

    def done(problem_id, index):
        row = rows.get((problem_id, index))
        return row and row.job_digest

    judge([(ASKED, samples)], Settings(workers=1), done)
    assert rows.keys() == {("echo", 0), ("echo", 1), ("echo", 2)}
    assert rows["echo", 1].confirmed is True


def test_a_person_is_told_how_many_wait_and_which_is_judged_again():
    events, bench = Told(), Bench(Outcome.TIME_LIMIT)
    held(events, [(1, 0, "a"), (1, 1, "a"), (1, 2, "b"), (1, 3, "c")], others=250, settled_by=bench)
    waiting = [(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0)]
    assert events.doubts == [*waiting, (4, 0, 2), (2, 1, 2), (0, 0, 0)]
