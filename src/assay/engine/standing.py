"""An engine that stands: workers started once, and a verdict for whoever asks, until it is ended.

The same workers, lanes and judge as a run's (`pipeline.py`); samples come one by one, in no order that is known beforehand, and each
answer goes to who asked. What holds: an answer never waits for other samples but for a free lane; a failure of ours is told to the one
caller whose sample met it, and the next sample is tried all the same.

Nothing here can wait until nothing else runs, as `doubts.py` does: a verdict of a time limit that other work may be to blame for says so
(`confirmed` is false), unless its sample was the only one that ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import msgspec

from assay.engine.doubts import is_near
from assay.engine.known import Known
from assay.engine.pipeline import first_error, require_linux, start_workers, teams_of
from assay.engine.settings import LANES, Keys, check_ranges, interpreter
from assay.engine.shelf import Shelf
from assay.engine.trials import Trials
from assay.engine.turns import Order, Seat, Turns
from assay.engine.work import Chunk, Job
from assay.engine.worker import close_together
from assay.errors import SandboxError
from assay.records import InvalidProblem, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from assay.engine.settings import Settings
    from assay.engine.worker import Worker
    from assay.records import Isolation, Problem, Program


class _Silent:
    """Hears what the lanes tell beside verdicts: each caller is told what concerns it."""

    def started(self, isolation: Isolation) -> None:
        """Who waits for that is told by `serve`."""

    def invalid(self, problem: InvalidProblem) -> None:
        """It is the answer to each of its samples."""

    def verdict(self, verdict: Verdict) -> None:
        """It is given back, not told."""

    def note(self, text: str) -> None:
        """Notes are for people at a terminal."""

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Nothing is held back."""


class Standing:
    """Workers and lanes, for one event loop.

    Args:
        settings: How to judge.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns = Turns()
        self._known: Known | None = None
        self._begun = self._running = 0

    async def serve(self, ready: Callable[[], None]) -> None:
        """Starts the workers, calls `ready`, and judges what is asked until it is cancelled.

        Raises:
            SettingsError: As `judge_work`.
            SandboxUnavailable: As `judge_work`.
            SandboxError: The workers don't start.
        """
        settings = self._settings
        check_ranges(settings)
        require_linux()
        name = interpreter(settings)
        teams = teams_of(settings)
        workers = [worker for team in teams for worker in team]
        shelf = None
        try:
            isolation = await start_workers(workers, _Silent())
            shelf = Shelf.open(settings, isolation, _Silent().note)
            self._known = Known(settings, Keys(settings, isolation, name), shelf)
            await self._serve(teams, ready)
        except BaseExceptionGroup as failures:
            raise first_error(failures) from None
        finally:
            close_together(workers)
            if shelf is not None:
                shelf.close()

    def ask(self, problem: Problem, program: Program, answer: Future[Verdict | InvalidProblem]) -> None:
        """Has a program judged, after `ready`; the answer goes to the future, one that is cancelled before its turn comes costs nothing."""
        assert self._known is not None
        try:
            task = self._known.task_of(problem)
            job = Job(program, Keys.job(task.key, program))
            chunk = Chunk(task, [job], task.flavour(program))
        except Exception as error:  # noqa: BLE001 (whoever asked is told; the others have nothing to do with it)
            if answer.set_running_or_notify_cancel():
                answer.set_exception(error)
            return
        self._turns.put(Order(chunk, answer))

    async def _serve(self, teams: list[list[Worker]], ready: Callable[[], None]) -> None:
        async with anyio.create_task_group() as group:
            for slot in range(LANES):  # so that lanes of different workers come first
                for team in teams:
                    group.start_soon(self._work, Trials(team, slot, self._settings, _Silent()))
            ready()
        raise SandboxError("the lanes broke off")

    async def _work(self, trials: Trials) -> None:
        seat = Seat(trials.rest)
        try:
            while True:
                order = await self._turns.take(seat)
                try:
                    if order.answer.set_running_or_notify_cancel():
                        await self._carry_out(trials, order)
                finally:
                    self._turns.prepared(order.task)
        finally:
            await trials.close()

    async def _carry_out(self, trials: Trials, order: Order) -> None:
        self._begun += 1
        alone, begun = self._running == 0, self._begun
        self._running += 1
        try:
            found = await self._judge(trials, order)
        except Exception as error:  # noqa: BLE001 (as above)
            order.answer.set_exception(error)
        else:
            order.answer.set_result(self._doubted(order, found, alone=alone and begun == self._begun))
        finally:
            self._running -= 1

    async def _judge(self, trials: Trials, order: Order) -> Verdict | InvalidProblem:
        task = order.task
        if not task.ready:
            await trials.prepare(task)
            self._turns.prepared(task)
        verdict = await trials.judge(order.chunk, order.chunk.jobs[0])
        if verdict is None:
            return InvalidProblem(id=task.problem.id, reason=task.unusable or "", fault=task.fault)
        trials.require_sound()
        return verdict

    def _doubted(self, order: Order, found: Verdict | InvalidProblem, *, alone: bool) -> Verdict | InvalidProblem:
        if isinstance(found, Verdict) and self._settings.confirm and is_near(found, order.task.limits):
            return msgspec.structs.replace(found, confirmed=alone)
        return found
