"""The middle of the line: samples in, verdicts out, over all lanes of all workers.

One producer reads samples in order and cuts them into chunks; lanes take chunks as they get free. At most a few chunks are in memory, so
the engine does not grow with the number of samples. A verdict is told the moment it is there.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from assay.engine.lane import Lane
from assay.engine.settings import LANES, Keys, Settings, check_ranges, interpreter
from assay.engine.work import CHUNK, Chunk, Events, Job, Task, Work
from assay.engine.worker import Worker
from assay.errors import SandboxError, SandboxUnavailable
from assay.judge import count_vacuous
from assay.programs import assemble
from assay.records import Isolation, Mode, Record, Sample, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from assay.records import InvalidProblem, Problem, Verdict


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
    anyio.run(judge_work_async, work, settings, events, done)


async def judge_work_async(
    work: Iterable[Work], settings: Settings, events: Events, done: Callable[[str, int], str | None]
) -> None:
    """`judge_work` for who runs an event loop already. It reads `work` and tells `events` in that loop's thread.

    Raises:
        SettingsError: As `judge_work`.
        SandboxUnavailable: As `judge_work`.
        SandboxError: As `judge_work`.
    """
    check_ranges(settings)
    _require_linux()
    name = interpreter(settings)
    workers = [Worker(settings) for _ in range(settings.workers or os.cpu_count() or 1)]
    try:
        isolation = await _start(workers, events)
        send, receive = anyio.create_memory_object_stream[Chunk](LANES * len(workers))
        async with anyio.create_task_group() as group:
            group.start_soon(_produce, work, settings, Keys(settings, isolation, name), done, send)
            for worker in workers:
                for slot in range(LANES):
                    group.start_soon(_consume, Lane(worker, slot, settings, events), receive.clone())
            receive.close()
        if group.cancel_scope.cancel_called:  # a task ended as cancelled, without an error, and took the others with it
            raise SandboxError("the run broke off before everything was judged")
    except BaseExceptionGroup as failures:
        raise _first(failures) from None
    finally:
        for worker in workers:
            worker.close()


def _require_linux() -> None:
    if not Path("/proc/self/ns").exists():
        raise SandboxUnavailable("Linux", "this system is not Linux", "run assay in Docker or in WSL")


def _first(failures: BaseExceptionGroup) -> BaseException:
    """The error to show of several that ended the run at the same time."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _start(workers: list[Worker], events: Events) -> Isolation:
    """Starts all workers at once and tells the isolation."""
    async with anyio.create_task_group() as group:
        for worker in workers:
            group.start_soon(worker.pair)
    pair = await workers[0].pair()
    assert pair.isolation is not None
    events.started(pair.isolation)
    return pair.isolation


async def _produce(
    work: Iterable[Work],
    settings: Settings,
    keys: Keys,
    done: Callable[[str, int], str | None],
    send: MemoryObjectSendStream[Chunk],
) -> None:
    async with send:
        for item in work:
            task = Task(item.problem, settings, keys.problem_part(item.problem, settings.groups))
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


async def _consume(lane: Lane, receive: MemoryObjectReceiveStream[Chunk]) -> None:
    try:
        async with receive:
            async for chunk in receive:
                await lane.run(chunk)
    finally:
        await lane.close()


class ReferenceCheck(Record):
    """How a problem's own reference fares: `vacuous` says that it has asserts that can't fail, `cases` how many cases there are."""

    id: str
    passed: bool
    reason: str
    vacuous: bool
    trust: Trust | None
    time_s: float
    cases: int
    invalid: bool = False


class _CheckEvents:
    """Collects what the engine tells while it judges references."""

    def __init__(self) -> None:
        self.verdicts: dict[str, Verdict] = {}
        self.invalids: dict[str, str] = {}

    def started(self, isolation: Isolation) -> None:
        """Not of interest here."""

    def note(self, text: str) -> None:
        """Not of interest here."""

    def invalid(self, problem: InvalidProblem) -> None:
        """A reference fails, or its tests can't be judged."""
        self.invalids[problem.id] = problem.reason

    def verdict(self, verdict: Verdict) -> None:
        """A reference was judged."""
        self.verdicts[verdict.problem_id] = verdict


def check_references(problems: Iterable[Problem], settings: Settings) -> Iterator[ReferenceCheck]:
    """Judges each problem's reference as if it were a sample, and says which problems can't be judged or hold vacuous asserts.

    Raises:
        SandboxError: As `judge_work`.
    """
    kept = list(problems)
    events = _CheckEvents()
    judge_work((Work(p, _reference_sample(p), 1) for p in kept), settings, events, lambda _p, _i: None)
    for problem in kept:
        yield _reference_check(problem, events)


def _reference_sample(problem: Problem) -> Callable[[], Iterator[Sample]]:
    def samples() -> Iterator[Sample]:
        yield Sample(problem_id=problem.id, index=0, text=problem.reference or "", mode=Mode.SOLUTION)

    return samples


def _reference_check(problem: Problem, events: _CheckEvents) -> ReferenceCheck:
    verdict = events.verdicts.get(problem.id)
    vacuous = count_vacuous(problem.tests) > 0
    if verdict is None:
        reason = events.invalids.get(problem.id, "it was not judged")
        return ReferenceCheck(
            id=problem.id, passed=False, reason=reason, vacuous=vacuous, trust=None, time_s=0.0, cases=0, invalid=True
        )
    return ReferenceCheck(
        id=problem.id, passed=verdict.passed, reason=verdict.message, vacuous=vacuous, trust=verdict.trust, time_s=verdict.time_s,
        cases=verdict.total_cases,
    )  # fmt: skip
