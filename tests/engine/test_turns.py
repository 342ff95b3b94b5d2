"""Whose turn it is, shown with problems that are only names."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

from assay.engine.turns import Order, Seat, Turns
from assay.engine.work import Chunk


class Problem(SimpleNamespace):
    """What a lane's turn depends on."""

    __hash__ = object.__hash__


def order(task: Any) -> Order:
    return Order(Chunk(task, [], ()), Future())


async def at_peace() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def never() -> None:
    raise AssertionError("nothing is to rest here")


def known(name: str) -> Problem:
    return Problem(name=name, ready=True)


def test_problems_take_turns_and_a_long_list_holds_up_nobody():
    async def scenario() -> list[str]:
        turns, long, short = Turns(), known("long"), known("short")
        for task in (long, long, long, short):
            turns.put(order(task))
        lanes = [Seat(never) for _ in range(4)]
        return [(await turns.take(lane)).task.name for lane in lanes]

    assert asyncio.run(scenario()) == ["long", "short", "long", "long"]


def test_a_lane_stays_with_its_problem_but_not_for_ever(monkeypatch):
    async def scenario(stay_s: float) -> list[str]:
        monkeypatch.setattr("assay.engine.turns.STAY_S", stay_s)
        turns, seat, one, other = Turns(), Seat(never), known("one"), known("other")
        for task in (one, other, one, other, one):
            turns.put(order(task))
        return [(await turns.take(seat)).task.name for _ in range(5)]

    assert asyncio.run(scenario(60)) == ["one", "one", "one", "other", "other"]
    assert asyncio.run(scenario(0)) == ["one", "other", "one", "other", "one"]


def test_what_comes_goes_to_the_idle_lane_that_has_its_problem_open():
    async def scenario() -> bool:
        turns, first, second, mine = Turns(), Seat(never), Seat(never), known("mine")
        second.last = mine
        waits = [asyncio.create_task(turns.take(seat)) for seat in (first, second)]
        await at_peace()
        turns.put(order(mine))
        await at_peace()
        found = waits[1].done() and not waits[0].done()
        waits[0].cancel()
        return found

    assert asyncio.run(scenario())


def test_while_one_lane_looks_at_a_problem_the_others_judge_other_problems():
    async def scenario() -> list[bool]:
        turns, new, other = Turns(), Problem(name="new", ready=False), known("other")
        seats = [Seat(never) for _ in range(3)]
        for task in (new, new, other):
            turns.put(order(task))
        assert (await turns.take(seats[0])).task is new
        assert (await turns.take(seats[1])).task is other
        last = asyncio.create_task(turns.take(seats[2]))
        await at_peace()
        before = last.done()
        new.ready = True
        turns.prepared(new)
        await at_peace()
        return [before, last.done()]

    assert asyncio.run(scenario()) == [False, True]


def test_a_lane_that_has_nothing_to_do_lets_go_of_its_problem(monkeypatch):
    monkeypatch.setattr("assay.engine.turns.REST_S", 0.0)

    async def scenario() -> bool:
        rested = asyncio.Event()

        async def rest() -> None:
            rested.set()

        turns = Turns()
        lane = asyncio.create_task(turns.take(Seat(rest)))
        await rested.wait()
        turns.put(order(known("late")))
        return (await lane).task.name == "late"

    assert asyncio.run(scenario())


def test_a_lane_does_not_go_on_with_a_problem_that_another_looks_at_anew():
    async def scenario() -> list[str]:
        turns, new, other = Turns(), Problem(name="new", ready=False), known("other")
        first, second = Seat(never), Seat(never)
        for task in (new, new, new):
            turns.put(order(task))
        taken = [await turns.take(first)]
        turns.prepared(new)  # nothing came of it: the sandbox failed
        taken.append(await turns.take(second))
        turns.put(order(other))
        taken.append(await turns.take(first))
        return [each.task.name for each in taken]

    assert asyncio.run(scenario()) == ["new", "new", "other"]
