"""A judge that stays: workers started once, and a verdict for each sample when it comes.

For who asks again and again, a reward server or a trainer: a problem is looked at once, and each further sample of it costs what judging it
costs. Verdicts are those of `judge_samples`, but for one word: a time limit that other work may be to blame for is not confirmed, since
nobody waits until nothing else runs.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections import Counter, deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from assay.api.reading import read_problem, read_sample, sound
from assay.api.thread import EngineThread
from assay.engine import Settings, check_ranges
from assay.errors import InvalidProblemError
from assay.programs import assemble
from assay.records import InvalidProblem, Problem, Sample, Verdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from assay.api.thread import Answer

    AnyProblem = Problem | Mapping[str, Any]
    AnySample = str | Sample | Mapping[str, Any]

AT_ONCE = 64
"""Samples of one `verdicts` that are on their way to the judge at the same time: enough for many workers, few enough that other callers do
not wait for all of them.
"""

REMEMBERED = 1000
"""Records of problems that are known again when they come again."""

HELD = 10_000
"""Verdicts of one `verdicts` that are there and wait for one before them."""


class Judge:
    """Judges samples, one by one or many, in workers that stay until it is closed.

        with assay.Judge() as judge:
            verdict = judge.verdict(problem, "def add(a, b): return a + b")

    The workers start with the `with` block, or with the first call where there is none; then `close` it. It may be used by many threads at
    once, and samples of all of them are judged side by side; after a fork only where it was started. What was found out about a problem
    (what its reference answers) is kept for the thousand problems that were asked about last.

    Args:
        settings: Workers, limits, isolation, as for `judge_samples`.

    Raises:
        SettingsError: A setting is out of its range.
    """

    def __init__(self, *, settings: Settings | None = None) -> None:
        self._desk = _Desk(settings)
        weakref.finalize(self, self._desk.engine.stop).atexit = False  # the engine sees to the interpreter's end itself

    def __enter__(self) -> Self:
        """Starts the workers.

        Raises:
            SettingsError: A setting can't be used, or the judge was closed.
            SandboxUnavailable: This machine can't give the isolation that is asked for.
            SandboxError: The workers don't start.
        """
        try:
            self._desk.engine.start().result()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()

    def close(self) -> None:
        """Ends the workers and waits for their end; calls that still wait get a `SettingsError`. May be called again."""
        self._desk.engine.close()

    def verdict(self, problem: AnyProblem, sample: AnySample) -> Verdict:
        """The verdict of one sample; blocks until it is there.

        Args:
            problem: A `Problem`, or its row as a dict. A record is found again faster than a row, which is read each time.
            sample: The program's text, a `Sample`, or a row with `solution`, `completion` or `text` (a chat answer).

        Raises:
            InvalidProblemError: The problem can't be judged; its `reason` and `fault` say why.
            DataError: The row of the problem or of the sample is unusable.
            SettingsError: A limit of the problem is out of its range, the judge is closed or belongs to another process.
            SandboxUnavailable: This machine can't give the isolation that is asked for.
            SandboxError: The machinery round the candidates broke, again and again.
        """
        self._desk.engine.start().result()
        answer = self._desk.ask(problem, sample)
        try:
            return _or_raise(answer.result())
        finally:
            answer.cancel()  # for a caller that is interrupted

    def verdicts(self, pairs: Iterable[tuple[AnyProblem, AnySample]]) -> Iterator[Verdict | InvalidProblem]:
        """The verdicts of many samples, in the order of the pairs, each as soon as it and those before it are there.

        Pairs are read as they are needed. The `sample_index` of texts and rows counts from 0 for each problem. A problem that can't be
        judged is no error here: in the place of each of its samples stands the `InvalidProblem` that says why.

        Raises:
            DataError: As `verdict`, at the pair that is to blame; also of what follows.
            SettingsError: As `verdict`.
            SandboxUnavailable: As `verdict`.
            SandboxError: As `verdict`.
        """
        self._desk.engine.start().result()
        room, counts = threading.Semaphore(AT_ONCE), Counter[str]()
        waiting: deque[Answer] = deque()
        try:
            for problem, sample in pairs:
                room.acquire()
                answer = self._desk.ask(problem, sample, counts)
                waiting.append(answer)
                answer.add_done_callback(lambda _: room.release())
                while waiting and (waiting[0].done() or len(waiting) > HELD):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for answer in waiting:
                answer.cancel()

    def __reduce__(self) -> str:
        """Refuses to be sent to another process."""
        raise TypeError("a Judge can't be pickled: make one in each process")


class AsyncJudge:
    """A `Judge` for asyncio: the same calls, awaited, as many at once as there are tasks.

        async with assay.AsyncJudge() as judge:
            verdict = await judge.verdict(problem, "def add(a, b): return a + b")

    The engine works in a thread of its own: a loop that is busy holds up nobody's verdict but its own. A task that is cancelled before its
    sample's turn comes costs nothing; a sample that runs already runs to its end, and its verdict is thrown away.

    Args:
        settings: As for `Judge`.

    Raises:
        SettingsError: A setting is out of its range.
    """

    def __init__(self, *, settings: Settings | None = None) -> None:
        self._desk = _Desk(settings)
        weakref.finalize(self, self._desk.engine.stop).atexit = False  # as in `Judge`

    async def __aenter__(self) -> Self:
        """Starts the workers.

        Raises:
            SettingsError: As `Judge.__enter__`.
            SandboxUnavailable: As `Judge.__enter__`.
            SandboxError: As `Judge.__enter__`.
        """
        try:
            await self._start()
        except BaseException:
            self._desk.engine.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes it."""
        await self.close()

    async def close(self) -> None:
        """As `Judge.close`."""
        self._desk.engine.stop()
        await asyncio.to_thread(self._desk.engine.close)

    async def verdict(self, problem: AnyProblem, sample: AnySample) -> Verdict:
        """As `Judge.verdict`.

        Raises:
            InvalidProblemError: As `Judge.verdict`.
            DataError: As `Judge.verdict`.
            SettingsError: As `Judge.verdict`.
            SandboxUnavailable: As `Judge.verdict`.
            SandboxError: As `Judge.verdict`.
        """
        await self._start()
        return _or_raise(await asyncio.wrap_future(self._desk.ask(problem, sample)))

    async def verdicts(self, pairs: Iterable[tuple[AnyProblem, AnySample]]) -> AsyncIterator[Verdict | InvalidProblem]:
        """As `Judge.verdicts`.

        Raises:
            DataError: As `Judge.verdict`.
            SettingsError: As `Judge.verdict`.
            SandboxUnavailable: As `Judge.verdict`.
            SandboxError: As `Judge.verdict`.
        """
        await self._start()
        room, counts = asyncio.Semaphore(AT_ONCE), Counter[str]()
        waiting: deque[asyncio.Future[Verdict | InvalidProblem]] = deque()
        try:
            for problem, sample in pairs:
                await room.acquire()
                answer = asyncio.wrap_future(self._desk.ask(problem, sample, counts))
                waiting.append(answer)
                answer.add_done_callback(lambda _: room.release())
                while waiting and (waiting[0].done() or len(waiting) > HELD):
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:
            for answer in waiting:
                answer.cancel()

    async def _start(self) -> None:
        started = self._desk.engine.start()
        if not started.done() or started.exception() is not None:
            await asyncio.wrap_future(started)

    def __reduce__(self) -> str:
        """Refuses to be sent to another process."""
        raise TypeError("an AsyncJudge can't be pickled: make one in each process")


class _Desk:
    """Reads what callers give, and hands it to the engine."""

    def __init__(self, settings: Settings | None) -> None:
        self._settings = settings or Settings()
        check_ranges(self._settings)
        self.engine = EngineThread(self._settings)
        self._read: dict[int, tuple[Problem, Problem]] = {}

    def _problem(self, given: AnyProblem) -> Problem | InvalidProblem:
        """A record is read once: the engine finds the very one that it knows without looking into it."""
        if not isinstance(given, Problem):
            return read_problem(given)
        known = self._read.get(id(given))
        if known is None or known[0] is not given:
            if len(self._read) >= REMEMBERED:
                self._read.clear()
            known = self._read[id(given)] = given, sound(given)
        return known[1]

    def ask(self, problem: AnyProblem, sample: AnySample, counts: Counter[str] | None = None) -> Answer:
        """The answer to come. `counts` are the samples of each problem that were numbered before."""
        read = self._problem(problem)
        if isinstance(read, InvalidProblem):
            return _answered(read)
        self._settings.limits(read)  # one out of its range is told to who asks
        counts = Counter() if counts is None else counts
        program = assemble(read, read_sample(sample, read, counts[read.id]))
        counts[read.id] += 1
        return self.engine.ask(read, program)


def _answered(found: InvalidProblem) -> Answer:
    answer: Answer = Future()
    answer.set_result(found)
    return answer


def _or_raise(found: Verdict | InvalidProblem) -> Verdict:
    if isinstance(found, InvalidProblem):
        raise InvalidProblemError(found.id, found.reason, found.fault)
    return found
