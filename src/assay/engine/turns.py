"""Whose turn it is, where samples of many callers wait for few lanes.

What holds: problems take turns in the order in which they were asked about, so that nobody waits behind all of what another has asked. A
lane stays with its problem for a moment where more samples of it wait, since opening another costs more than a sample does. While a lane
finds out what a problem's reference says, no other lane waits for that: those samples keep their place, and the lanes judge others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Future

    from assay.engine.work import Chunk, Task
    from assay.records import InvalidProblem, Verdict

STAY_S = 0.1
"""How long a lane may stay with a problem while others wait."""

REST_S = 1.0
"""How long a lane that has nothing to do keeps its judge fork open for the same problem."""


class Order(NamedTuple):
    """One sample, and where its verdict goes, or what is wrong with its problem."""

    chunk: Chunk
    answer: Future[Verdict | InvalidProblem]

    @property
    def task(self) -> Task:
        """The problem."""
        return self.chunk.task


class Seat:
    """A lane as those who wait see it: the problem that it has open, and since when. `rest` lets go of that."""

    def __init__(self, rest: Callable[[], Awaitable[None]]) -> None:
        self.rest = rest
        self.last: Task | None = None
        self.since_s = 0.0
        self.order: asyncio.Future[Order] | None = None


class Turns:
    """Samples that wait, and lanes that do. For one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[Task, deque[Order]] = {}
        self._idle: list[Seat] = []
        self._preparing: set[Task] = set()

    def put(self, order: Order) -> None:
        """A sample comes; it goes to an idle lane at once, to one that has its problem open if there is one."""
        self._waiting.setdefault(order.task, deque()).append(order)
        self._hand_out()

    async def take(self, seat: Seat) -> Order:
        """The next sample for a lane. Where its problem was not looked at yet, no other of it is given out until `prepared`."""
        order = self._next(seat)
        if order is None:
            seat.order = asyncio.get_running_loop().create_future()
            self._idle.append(seat)
            await asyncio.wait((seat.order,), timeout=REST_S)
            if not seat.order.done():
                await seat.rest()
            order = await seat.order
        return self._given(seat, order)

    def prepared(self, task: Task) -> None:
        """It is known whether the problem can be judged; other lanes may take its samples."""
        if task in self._preparing:
            self._preparing.discard(task)
            self._hand_out()

    def _given(self, seat: Seat, order: Order) -> Order:
        if order.task is not seat.last:
            seat.last, seat.since_s = order.task, asyncio.get_running_loop().time()
        return order

    def _hand_out(self) -> None:
        while self._idle and (task := self._first()) is not None:
            seat = next((seat for seat in self._idle if seat.last is task), self._idle[0])
            self._idle.remove(seat)
            assert seat.order is not None
            seat.order.set_result(self._pop(task))

    def _next(self, seat: Seat) -> Order | None:
        last = seat.last
        stays = asyncio.get_running_loop().time() - seat.since_s < STAY_S
        if last is not None and stays and last in self._waiting and last not in self._preparing:
            return self._pop(last)
        task = self._first()
        if task is not None and task is last:
            seat.last = None  # nobody else waited: its time begins anew
        return None if task is None else self._pop(task)

    def _first(self) -> Task | None:
        return next((task for task in self._waiting if task not in self._preparing), None)

    def _pop(self, task: Task) -> Order:
        """A sample of the problem, which is then the last whose turn comes again."""
        orders = self._waiting.pop(task)
        order = orders.popleft()
        if orders:
            self._waiting[task] = orders
        if not task.ready:
            self._preparing.add(task)
        return order
