"""The middle of the line: samples in, verdicts out, over all lanes of all workers.

One producer reads samples in order and cuts them into chunks; lanes take chunks as they get free. At most a few chunks are in memory, so
the engine does not grow with the number of samples. A verdict is told the moment it is there.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from assay.engine.doubts import Doubts
from assay.engine.overlap import Feed, Tasks, in_turn
from assay.engine.settings import LANES, Keys, Settings, check_ranges, interpreter
from assay.engine.shelf import Shelf
from assay.engine.trials import Trials
from assay.engine.work import CHUNK, Chunk, Events, Job, Work
from assay.engine.worker import Worker, close_together, start_together
from assay.errors import SandboxError, SandboxUnavailable
from assay.programs import assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from assay.engine.work import Task
    from assay.records import Isolation


def judge_work(
    work: Iterable[Work], settings: Settings, events: Events, done: Callable[[str, int], str | None]
) -> None:
    """Judges samples and tells the verdicts as they come.

    Args:
        work: Problems with their samples.
        settings: How to judge.
        events: Told of everything, in this thread.
        done: Gives the job digest of a verdict that is stored already; a sample with just that digest is not run again.

    Raises:
        SettingsError: If a number of the settings, or a limit of a problem, is out of its range.
        SandboxUnavailable: If this machine does not give the isolation that was asked for.
        SandboxError: If the sandbox can't be kept running.
        KeyboardInterrupt: On Ctrl-C, after everything that was started has been ended.
    """
    asyncio.run(judge_work_async(work, settings, events, done))


async def judge_work_async(
    work: Iterable[Work] | Feed, settings: Settings, events: Events, done: Callable[[str, int], str | None]
) -> None:
    """`judge_work` for who runs an event loop already. It reads `work` and tells `events` in that loop's thread. Where `work` is a `Feed`,
    samples are judged as they come.

    Raises:
        SettingsError: As `judge_work`.
        SandboxUnavailable: As `judge_work`.
        SandboxError: As `judge_work`.
    """
    check_ranges(settings)
    require_linux()
    name = interpreter(settings)
    teams = teams_of(settings)
    workers = [worker for team in teams for worker in team]
    doubts = Doubts(events) if settings.confirm else None
    try:
        isolation = await start_workers(workers, events)
        shelf = Shelf.open(settings, isolation, events.note)
        send, receive = anyio.create_memory_object_stream[Chunk](LANES * len(teams))
        async with anyio.create_task_group() as group:
            group.start_soon(_produce, work, settings, Keys(settings, isolation, name), done, send, shelf)
            for team in teams:
                for slot in range(LANES):
                    group.start_soon(_consume, Trials(team, slot, settings, events, doubts), receive.clone())
            receive.close()
        if group.cancel_scope.cancel_called:  # a task ended as cancelled, without an error, and took the others with it
            raise SandboxError("the run broke off before everything was judged")
        if doubts is not None:
            await _settle(doubts, Trials(teams[0], 0, settings, events))
        if shelf is not None:
            shelf.close()
    except BaseExceptionGroup as failures:
        raise first_error(failures) from None
    finally:
        close_together(workers)


async def _settle(doubts: Doubts, trials: Trials) -> None:
    try:
        await doubts.settle(trials.judge)
    finally:
        await trials.close()


def teams_of(settings: Settings) -> list[list[Worker]]:
    """The workers of a run, not started yet: as many teams as the user wants, in each a worker for every trial."""
    return [
        [Worker(settings.in_trial(number), processor) for number in range(settings.trials)]
        for processor in _processors(settings.workers)
    ]


def _processors(workers: int | None) -> list[int | None]:
    """The processor that each worker keeps to: where there are as many workers as processors, each has its own. Fewer would leave it to
    chance whether another run keeps to the same ones, so they keep to none.
    """
    usable = sorted(os.sched_getaffinity(0))
    count = workers or len(usable)
    return [usable[n % len(usable)] if count >= len(usable) else None for n in range(count)]


def require_linux() -> None:
    """Lets Linux pass.

    Raises:
        SandboxUnavailable: This is another system.
    """
    if not Path("/proc/self/ns").exists():
        raise SandboxUnavailable("Linux", "this system is not Linux", "run assay in Docker or in WSL")


def first_error(failures: BaseExceptionGroup) -> BaseException:
    """The error to show of several that ended the run at the same time."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def start_workers(workers: list[Worker], events: Events) -> Isolation:
    """Starts all workers at once and tells the isolation.

    Raises:
        SandboxUnavailable: If the machine does not give the isolation that was asked for.
        SandboxError: If one does not start.
    """
    await start_together(workers)
    pair = await workers[0].pair()
    assert pair.isolation is not None
    events.started(pair.isolation)
    return pair.isolation


async def _produce(
    work: Iterable[Work] | Feed,
    settings: Settings,
    keys: Keys,
    done: Callable[[str, int], str | None],
    send: MemoryObjectSendStream[Chunk],
    shelf: Shelf | None,
) -> None:
    async with send:
        tasks = Tasks(settings, keys, shelf)
        async for item in in_turn(work):
            task = tasks.of(item, again=isinstance(work, Feed))
            for chunk in _chunks(task, item, keys, done):
                await send.send(chunk)


def _chunks(task: Task, item: Work, keys: Keys, done: Callable[[str, int], str | None]) -> Iterator[Chunk]:
    """A problem's samples that are still to be judged, in pieces of one flavour each."""
    waiting: dict[tuple[str, ...], list[Job]] = {}
    for sample in item.samples():
        program = assemble(item.problem, sample)
        job = Job(program, keys.job(task.key, program))
        if done(sample.problem_id, sample.index) == job.digest:
            continue
        flavour = task.flavour(program)
        jobs = waiting.setdefault(flavour, [])
        jobs.append(job)
        if len(jobs) == CHUNK:
            yield Chunk(task, waiting.pop(flavour), flavour)
    for flavour, jobs in waiting.items():
        yield Chunk(task, jobs, flavour)


async def _consume(trials: Trials, receive: MemoryObjectReceiveStream[Chunk]) -> None:
    try:
        async with receive:
            async for chunk in receive:
                await trials.run(chunk)
    finally:
        await trials.close()
