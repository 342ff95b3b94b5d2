"""Judging while a model still writes: samples that come one by one, on their way to the lanes.

What holds: a sample is judged as soon as a lane is free, whatever problem it belongs to; what is known of a problem (its calibration) is
made once, however often its samples come; who writes samples waits where the judge is far behind, so that few of them are in memory.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import anyio

from assay.engine.work import Task, Work

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from assay.engine.settings import Keys, Settings
    from assay.engine.work import Keeper
    from assay.records import Problem, Sample

WAITING = 1000
"""So many samples may wait for the judge before who writes them has to."""


class Feed:
    """Samples as they come, for `judge_work_async`, which reads them in the same event loop.

    Args:
        problems: By id, those that samples may belong to.
        first: What is judged before anything comes: samples that are there already.
    """

    def __init__(self, problems: Mapping[str, Problem], first: Iterable[Work] = ()) -> None:
        self._problems = problems
        self._first = first
        self._send, self._receive = anyio.create_memory_object_stream["Sample"](WAITING)

    async def take(self, sample: Sample) -> None:
        """Hands a sample on; waits where too many wait already."""
        await self._send.send(sample)

    def end(self) -> None:
        """No more samples come."""
        self._send.close()

    def close(self) -> None:
        """Lets go of both ends, whoever still waits at them."""
        self._send.close()
        self._receive.close()

    async def works(self) -> AsyncIterator[Work]:
        """What is to be judged: all that waits, problem by problem, and then what has come meanwhile."""
        for work in self._first:
            yield work
        async for sample in self._receive:
            waiting: dict[str, list[Sample]] = {}
            for each in (sample, *self._others()):
                waiting.setdefault(each.problem_id, []).append(each)
            for problem_id, samples in waiting.items():
                yield Work(self._problems[problem_id], partial(iter, samples), len(samples))

    def _others(self) -> Iterator[Sample]:
        """What waits behind the first one."""
        while True:
            try:
                yield self._receive.receive_nowait()
            except (anyio.WouldBlock, anyio.EndOfStream):
                return


async def in_turn(work: Iterable[Work] | Feed) -> AsyncIterator[Work]:
    """The work, be it there already or yet to come."""
    if isinstance(work, Feed):
        async for item in work.works():
            yield item
    else:
        for item in work:
            yield item


class Tasks:
    """Makes the task of a problem; the same one where the problem comes again.

    Args:
        settings: How to judge.
        keys: Digests of what decides verdicts.
        shelf: What earlier runs have kept.
    """

    def __init__(self, settings: Settings, keys: Keys, shelf: Keeper | None) -> None:
        self._settings = settings
        self._keys = keys
        self._shelf = shelf
        self._kept: dict[str, Task] = {}
        self._made = 0

    def of(self, work: Work, *, again: bool) -> Task:
        """The task of the work's problem. `again` says that it may come again; otherwise nothing is kept of it."""
        problem, settings = work.problem, self._settings
        if problem.id in self._kept:
            return self._kept[problem.id]
        task = Task(problem, settings, self._keys.problem_part(problem, settings.groups), self._made)
        self._made += 1
        task.keep_in(self._shelf)
        if again:
            self._kept[problem.id] = task
        return task
