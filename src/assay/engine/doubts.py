"""Time limits that were hit so near that other work on the machine may be to blame: such samples are judged once more, alone.

Waiting for a processor is not counted in a sample's time, so a busy machine alone makes no verdict wrong. What is left is what processors
share: a sample is slower while its neighbours use the same core, cache or memory bus, and a factor of two is taken for the most that this
can do. (Who was given up for want of a processor has no verdict, and is none of these.) So a sample that was stopped within
twice its time limit, by whatever clock, is in doubt; one that was let run longer is not, nor is one that was the only one of its run.

The rows in doubt are held back until nothing else runs, then their samples are judged again one by one, and each row is told once: a run
that is ended before has no row of theirs and judges them when it is taken up again. Most programs over their limit never end, so each
costs its limit: at most one sample in `SHARE` is judged again, at most `MOST` of them, and as many as have `MOST_S` seconds of limits
together; the first in the order of the work whatever the order in which they came. The others are told with the word that they are not
confirmed.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from assay.engine.work import Chunk, Events, Job
    from assay.records import Limits, Verdict

    Judge = Callable[[Chunk, Job], Awaitable[Verdict | None]]

NEAR = 2.0
"""A stop is near where it came within so many times the time limit."""

SHARE = 100
"""One in so many samples is judged again, at the most."""

MOST = 32
"""Rows that are held back at the most: so many are judged again when a run is taken up."""


MOST_S = 30.0
"""What the time limits of those judged again come to at the most, beyond the first: a user waits for it."""


class _Doubt(NamedTuple):
    """A row that is held back, with what its sample takes to be judged again; `place` orders them as the work is."""

    place: tuple[int, int]
    chunk: Chunk
    job: Job
    verdict: Verdict


class Doubts:
    """Holds back the rows in doubt.

    Args:
        events: Whom to tell of the others.
    """

    def __init__(self, events: Events) -> None:
        self._events = events
        self._held: list[_Doubt] = []
        self._samples = 0

    def take(self, chunk: Chunk, job: Job, verdict: Verdict) -> bool:
        """Counts a sample; whether its row is held back, and will be told later."""
        self._samples += 1
        if not is_near(verdict, chunk.task.limits):
            return False
        doubt = _Doubt((chunk.task.place, verdict.sample_index), chunk, job, verdict)
        bisect.insort(self._held, doubt, key=lambda held: held.place)
        if len(self._held) > MOST:
            self._events.verdict(_unconfirmed(self._held.pop().verdict))
        self._events.in_doubt(len(self._held))
        return True

    async def settle(self, judge: Judge) -> None:
        """Judges the samples again, as many as may be, and tells all rows that were held back. Nothing else may run meanwhile.

        Args:
            judge: Gives the verdict of a sample, None where there is none.

        Raises:
            SandboxError: If the sandbox can't be kept running at all.
        """
        if self._samples == 1:  # it had the machine to itself already
            self._tell_confirmed()
        chosen = self._chosen()
        known: dict[str, Verdict] = {}
        while self._held:
            doubt = self._held[0]
            if doubt.job.digest in chosen and doubt.job.digest not in known:
                self._events.in_doubt(len(self._held), len(known), len(chosen))
                known[doubt.job.digest] = await _alone(doubt, judge)
            self._held.pop(0)
            self._events.verdict(_of_sample(known.get(doubt.job.digest, _unconfirmed(doubt.verdict)), doubt))
        self._events.in_doubt(0)

    def _chosen(self) -> set[str]:
        """Digests of the jobs that are done again."""
        chosen: set[str] = set()
        spare_s = MOST_S
        for doubt in self._held[: -(-self._samples // SHARE)]:
            limit_s = doubt.chunk.task.limits.time_s
            if doubt.job.digest not in chosen and (not chosen or limit_s <= spare_s):
                chosen.add(doubt.job.digest)
                spare_s -= limit_s
        return chosen

    def _tell_confirmed(self) -> None:
        for doubt in self._held:
            self._events.verdict(msgspec.structs.replace(doubt.verdict, confirmed=True))
        self._held.clear()


async def _alone(doubt: _Doubt, judge: Judge) -> Verdict:
    """The verdict of a sample that runs alone; the one that it had where that came to nothing."""
    verdict = await judge(doubt.chunk, doubt.job)
    if verdict is None or verdict.outcome is Outcome.SYSTEM_ERROR:
        return _unconfirmed(doubt.verdict)
    return msgspec.structs.replace(verdict, confirmed=True)


def _of_sample(verdict: Verdict, doubt: _Doubt) -> Verdict:
    """The row of a sample whose program, word for word, was judged for another sample perhaps."""
    return msgspec.structs.replace(verdict, sample_index=doubt.verdict.sample_index)


def _unconfirmed(verdict: Verdict) -> Verdict:
    return msgspec.structs.replace(verdict, confirmed=False)


def is_near(verdict: Verdict, limits: Limits) -> bool:
    """Whether a verdict is a time limit that other work may be to blame for. One without a time was given up by the engine."""
    return verdict.outcome is Outcome.TIME_LIMIT and 0 < verdict.time_s <= NEAR * limits.time_s
