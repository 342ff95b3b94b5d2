"""Each sample judged as often as the user asks, every time under other seeds; and the one row that comes of it.

Trial n is what a run of one trial would be whose seeds (of hashes, and of `random`) are n further on: the reference is run under the same
seeds, so that a right answer that rests on the order of a set is not held against a sample that agrees with it. Where the reference itself
fails under a trial's seeds that trial is left out, which is told once for the problem.

The samples of a chunk are judged one by one, each in all its trials, so that a run that is ended loses no more than the samples in flight.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec

from assay.engine.lane import Lane
from assay.engine.work import Unusable
from assay.errors import SandboxError
from assay.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.engine.doubts import Doubts
    from assay.engine.settings import Settings
    from assay.engine.work import Chunk, Events, Job, Task
    from assay.engine.worker import Worker
    from assay.records import InvalidProblem, Isolation, Verdict


class Trials:
    """One slot of a worker, with a lane for each trial.

    Args:
        workers: One for each trial, under its seeds.
        slot: Which slot.
        settings: How to judge.
        events: Whom to tell.
        doubts: Takes the verdicts that are in doubt, in place of `events`; None where they are told too.
    """

    def __init__(
        self, workers: Sequence[Worker], slot: int, settings: Settings, events: Events, doubts: Doubts | None = None
    ) -> None:
        told = [events, *(_Aside(events, number) for number in range(1, len(workers)))]
        self._lanes = [
            Lane(worker, slot, settings.in_trial(number), told[number]) for number, worker in enumerate(workers)
        ]
        self._events = events
        self._doubts = doubts

    async def run(self, chunk: Chunk) -> None:
        """Judges a chunk and tells the verdicts.

        Raises:
            SandboxError: If the sandbox can't be kept running at all.
        """
        try:
            for number, job in enumerate(chunk.jobs, 1):
                # with several trials the lanes take turns, and one would run ahead beside the other
                coming = chunk.jobs[number:] if len(self._lanes) == 1 else ()
                verdict = await self.judge(chunk, job, coming)
                if verdict is None:
                    break
                if self._doubts is None or not self._doubts.take(chunk, job, verdict):
                    self._events.verdict(verdict)
                self.require_sound()
        finally:
            await self.rest()

    async def prepare(self, task: Task) -> None:
        """Calibrates the problem for all trials, where that was not done yet. What keeps it from being judged `judge` will find again."""
        for lane, each in zip(self._lanes, (task, *task.further), strict=True):
            with contextlib.suppress(Unusable, SandboxError):
                await lane.prepare(each)

    async def judge(self, chunk: Chunk, job: Job, coming: Sequence[Job] = ()) -> Verdict | None:
        """The row of one sample; None where its problem can't be judged. `coming`: as `Lane.judge`.

        Raises:
            SandboxError: If the sandbox can't be kept running at all.
        """
        first = await self._lanes[0].judge(chunk.task, job, chunk.flavour, coming)
        if first is None:
            return None
        verdicts = [first]
        for lane, task in zip(self._lanes[1:], chunk.task.further, strict=True):
            verdict = await lane.judge(task, job, chunk.flavour)
            if verdict is not None:
                verdicts.append(verdict)
        return first if len(self._lanes) == 1 else joined(verdicts)

    def require_sound(self) -> None:
        """As `Lane.require_sound`.

        Raises:
            SandboxError: If the sandbox of a trial fails again and again.
        """
        for lane in self._lanes:
            lane.require_sound()

    async def rest(self) -> None:
        """As `Lane.rest`, in all lanes."""
        for lane in self._lanes:
            await lane.rest()

    async def close(self) -> None:
        """Ends all lanes."""
        try:
            await self._lanes[0].close()
        finally:  # as in `Lane.close`
            for lane in self._lanes[1:]:
                await lane.close()


def joined(verdicts: Sequence[Verdict]) -> Verdict:
    """The one row of a sample's trials: that of the first trial with the worst outcome, told how many passed."""
    rank = {outcome: place for place, outcome in enumerate(Outcome)}
    speaks = min(verdicts, key=lambda verdict: rank[verdict.outcome])
    return msgspec.structs.replace(
        speaks,
        flaky=len({verdict.outcome for verdict in verdicts}) > 1,
        trials=len(verdicts),
        passed_trials=sum(verdict.passed for verdict in verdicts),
    )


class _Aside:
    """What a lane of a further trial has to tell: a problem that can't be judged there is judged all the same, in the others."""

    def __init__(self, events: Events, number: int) -> None:
        self._events = events
        self._number = number

    def started(self, isolation: Isolation) -> None:
        """The first trial tells it."""

    def verdict(self, verdict: Verdict) -> None:
        """It is given back, not told."""

    def invalid(self, problem: InvalidProblem) -> None:
        """Note it; its samples are judged in one trial less."""
        self._events.note(f"problem {problem.id} is left out of trial {self._number + 1}: {problem.reason}")

    def note(self, text: str) -> None:
        """Pass it on."""
        self._events.note(text)

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """The first trial tells it."""
