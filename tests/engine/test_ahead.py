"""Programs that are run one after the other, without the engine in between, get the verdicts that each would get by itself."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from types import SimpleNamespace

import msgspec
import pytest
from court import Found, judge, problem

from assay.engine import Settings, Work, ahead, judge_work, links
from assay.engine.ahead import FIRST, MOST, Ahead, lines_of
from assay.engine.calm import Calm
from assay.engine.work import CHUNK
from assay.errors import SandboxError
from assay.judge import Script
from assay.records import Execution, Mode, Outcome, Sample
from assay.sandbox import MOST_LINES_BYTES, Ended, Handover

REFERENCE = "def f(x):\n    return x * x\n"
TESTS = ("assert f(3) == 9", "assert f(20) == 400", "assert f(11) == 121")
SCRIPT = Script("", ("f",), b"plan", b"replies", b"questions", b"answers")


@pytest.fixture
def rows(monkeypatch):
    """How many programs each request had."""
    lengths = []
    recite = links.ServerLink.recite

    def noted(self, slot, limits, lines, *, alone=False):
        lengths.append(1 + len(lines.further))
        return recite(self, slot, limits, lines, alone=alone)

    monkeypatch.setattr(links.ServerLink, "recite", noted)
    return lengths


def outcomes(texts, **settings):
    found = judge([(problem(REFERENCE, *TESTS, id="p"), texts)], Settings(workers=1, cache=False, **settings))
    assert not found.invalids
    assert found.repeated == []
    return [found.verdicts["p", number].outcome for number in range(len(texts))]


def test_right_programs_are_told_of_several_at_a_time(rows):
    assert set(outcomes([f"# {n}\n{REFERENCE}" for n in range(30)])) == {Outcome.PASSED}
    assert sum(rows) == 30, "each was begun once"
    assert len(rows) <= 10
    assert max(rows) > FIRST


def test_after_a_wrong_program_the_rest_is_begun_anew(rows):
    wrong = "def f(x):\n    return x\n"
    texts = [wrong if n % 3 == 2 else f"# {n}\n{REFERENCE}" for n in range(18)]
    found = outcomes(texts)
    assert found == [Outcome.WRONG_ANSWER if n % 3 == 2 else Outcome.PASSED for n in range(18)]
    assert len(rows) >= 6


@pytest.mark.parametrize(
    "texts", [[REFERENCE] * 8, ["", REFERENCE, "", "", REFERENCE, REFERENCE, ""]], ids=["equal", "no code"]
)
def test_programs_that_are_equal_or_none_are_not_mixed_up(rows, texts):
    found = outcomes(texts)
    assert found == [Outcome.PASSED if text else Outcome.NO_CODE for text in texts]
    assert sum(rows) == len([text for text in texts if text])


def test_where_each_is_asked_about_hidden_inputs_anew_no_other_is_begun_before(monkeypatch, rows):
    """Questions go to agents in the same slot, which has to be free for them."""
    monkeypatch.setattr("assay.engine.exchange.CLEARED", 10**6)
    assert set(outcomes([f"# {n}\n{REFERENCE}" for n in range(6)])) == {Outcome.PASSED}
    assert set(rows) == {1}


class Killing(Found):
    """Ends the server of agents when the first verdict comes, which was told with others of its row perhaps."""

    def __init__(self, links_of):
        super().__init__()
        self._links = links_of
        self.times = 0

    def verdict(self, verdict):
        super().verdict(verdict)
        if self.times < 3 and len(self.verdicts) % 7 == 1:
            self.times += 1
            os.kill(self._links[-1]._server._process.pid, signal.SIGKILL)


def test_a_server_that_is_killed_in_the_middle_of_a_row_costs_no_sample_its_verdict(monkeypatch):
    used = []
    recite = links.ServerLink.recite

    def noted(self, *args, **named):
        used.append(self)
        return recite(self, *args, **named)

    monkeypatch.setattr(links.ServerLink, "recite", noted)
    found = Killing(used)
    # one lane's: a sample of another could be hit by each of two kills
    samples = [Sample(problem_id="p", index=n, text=f"# {n}\n{REFERENCE}", mode=Mode.SOLUTION) for n in range(CHUNK)]
    work = [Work(problem(REFERENCE, *TESTS, id="p"), samples.__iter__, CHUNK)]
    judge_work(work, Settings(workers=1, cache=False), found, lambda _i, _n: None)
    assert found.times == 3
    assert len(found.verdicts) == CHUNK
    assert found.repeated == []
    assert {verdict.outcome for verdict in found.verdicts.values()} == {Outcome.PASSED}


def test_a_program_that_takes_the_server_with_it_is_not_held_against_the_others_of_its_row(monkeypatch):
    recite = links.ServerLink.recite

    def breaks(self, slot, limits, lines, **named):
        if any(b"bad" in opening for opening in (lines.opening, *lines.further)):
            os.kill(self._server._process.pid, signal.SIGKILL)
            self._server._process.wait()  # the server has its signal then, and does nothing more
        return recite(self, slot, limits, lines, **named)

    monkeypatch.setattr(links.ServerLink, "recite", breaks)
    # the first row is the first two programs: this one is the second of the next
    found = outcomes([f"# {'bad' if n == 3 else n}\n{REFERENCE}" for n in range(9)])
    assert [number for number in range(9) if found[number] is not Outcome.PASSED] == [3]


# -- the row itself


class Agents:
    """A server that tells what it is given to tell."""

    def __init__(self, *told):
        self.told = deque(told)
        self.ended = []
        self.rows = []

    def recite(self, _slot, _limits, lines, **_):
        self.rows.append(lines)
        return 7

    async def heard(self, *_):
        told = self.told.popleft()
        if isinstance(told, Exception):
            raise told
        return told

    async def end(self, number):
        self.ended.append(number)


def ended(*, agreed=True, followed=True):
    return Ended(7, Execution(), True, agreed, 0.0, followed)


def under_way(agents, sources, calm=None):
    row = Ahead(agents, calm or Calm(), 0)
    recital = SimpleNamespace(script=SCRIPT)
    row.begin(None, recital, lines_of(SCRIPT, 0, sources), sources, alone=False)
    return row, recital


def test_each_program_gets_what_became_of_it_and_who_is_not_the_next_ends_the_row():
    async def conversation():
        agents = Agents(ended(), ended(), ended(followed=False))
        row, recital = under_way(agents, ["a", "b", "c", "d"])
        await row.told(1.0)
        assert await row.next("b") is recital
        await row.told(1.0)
        assert row.is_under_way
        assert await row.next("x") is None
        assert not row.is_under_way
        assert not agents.told

    asyncio.run(conversation())


@pytest.mark.parametrize(
    ("told", "most"),
    [
        ([ended(), ended(followed=False)], 2 * FIRST),
        ([ended(agreed=False, followed=False)], 1),
        ([ended(), ended(agreed=False, followed=False)], 1),
    ],
)
def test_rows_grow_where_they_go_well(told, most):
    async def conversation():
        row, _ = under_way(Agents(*told), ["a", "b"])
        for _ in told:
            await row.told(1.0)
        return row.most

    assert asyncio.run(conversation()) == most


def test_rows_do_not_grow_for_ever():
    async def conversation():
        agents = Agents()
        row, recital = under_way(agents, ["a"])
        for _ in range(10):
            agents.told.append(ended(followed=False))
            row.begin(None, recital, lines_of(SCRIPT, 0, ["a"]), ["a"], alone=False)
            await row.told(1.0)
        return row.most

    assert asyncio.run(conversation()) == MOST


def test_nobody_is_alone_before_the_row_is_over():
    async def conversation():
        calm, order = Calm(), []

        async def wants_calm():
            await calm.begin(alone=True)
            order.append("alone")
            calm.end(alone=True)

        await calm.begin()
        row, _ = under_way(Agents(ended(), ended(followed=False)), ["a", "b"], calm)
        await row.told(1.0)
        waiting = asyncio.create_task(wants_calm())
        calm.end()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await row.told(1.0)
        order.append("b")
        calm.end()
        await waiting
        return order

    assert asyncio.run(conversation()) == ["b", "alone"]


@pytest.mark.parametrize("last", [ended(agreed=False, followed=False), "handover", SandboxError("gone")])
def test_a_row_that_is_given_up_leaves_no_turn_and_no_child(last):
    async def conversation():
        ours, theirs = links.socket.socketpair()
        handed = Handover(7, b"", ours)
        agents, calm = Agents(ended(), ended(), handed if last == "handover" else last), Calm()
        await calm.begin()
        row, _ = under_way(agents, ["a", "b", "c"], calm)
        await row.told(1.0)
        calm.end()
        try:
            await row.close()
        except SandboxError:
            assert isinstance(last, SandboxError)
        await asyncio.wait_for(calm.begin(alone=True), 1)
        assert agents.ended == ([7] if last == "handover" else [])
        assert (ours.fileno() < 0) is (last == "handover")
        ours.close()
        theirs.close()

    asyncio.run(conversation())


def test_a_request_holds_as_many_programs_as_fit():
    long = "x" * (MOST_LINES_BYTES // 3)
    assert lines_of(SCRIPT, 0, [long * 4]) is None
    assert len(lines_of(SCRIPT, 0, [long] * 5).further) == 1
    assert lines_of(SCRIPT, 0, ["a"]).opening == SCRIPT.opening("a", 0)


def test_verdicts_of_a_row_are_those_of_one_by_one(monkeypatch):
    texts = [f"# {n}\n{REFERENCE}" for n in range(12)]
    texts[5] = "def f(x):\n    return x * x if x != 20 else 0\n"
    measured = {"time_s": 0.0, "cpu_s": 0.0, "wall_s": 0.0, "peak_mib": 0.0}

    def verdicts():
        found = judge([(problem(REFERENCE, *TESTS, id="p"), texts)], Settings(workers=1, cache=False))
        return {key: msgspec.structs.replace(verdict, **measured) for key, verdict in found.verdicts.items()}

    several = verdicts()
    monkeypatch.setattr(ahead, "FIRST", 1)
    monkeypatch.setattr(ahead, "MOST", 1)
    assert verdicts() == several
