"""What `run` and `sweep` share: a model writes samples into a run folder, and they are judged as they come.

The folder is in the end just what `assay generate -o RUN/samples.jsonl` and `assay judge RUN/samples.jsonl -o RUN` would have left, so that
every other command can read it, and both can go on with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio

from assay.api import plan_work
from assay.cli.asking import AskPlan, AskSession, ask_session
from assay.cli.growing import GrowingSamples, JudgeCount
from assay.cli.judging import Plan, Recorder
from assay.engine import Feed, Settings, judge_work_async
from assay.engine.pipeline import first_error
from assay.errors import ModelError
from assay.store import open_run, open_samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.engine import Work
    from assay.records import Isolation, Sample

SAMPLES = "samples.jsonl"
"""The sample file within a run folder."""


class Ended(NamedTuple):
    """How a run ended: whether anything was asked, how many answers did not come, and why the model was asked no further."""

    asked: bool
    failed: int
    gave_up: ModelError | None


class _Taker:
    """Hands samples to the judge, and adds what it found to the line of progress."""

    def __init__(self, count: JudgeCount) -> None:
        self.feed: Feed | None = None
        self.words = count.words

    async def take(self, sample: Sample) -> None:
        assert self.feed is not None
        await self.feed.take(sample)


class _Watched:
    """The engine's events on their way to the recorder; `ready` is set when the sandbox is up."""

    def __init__(self, recorder: Recorder) -> None:
        self.ready = anyio.Event()
        self._recorder = recorder
        self.invalid = recorder.invalid
        self.verdict = recorder.verdict
        self.note = recorder.note
        self.in_doubt = recorder.in_doubt

    def started(self, isolation: Isolation) -> None:
        self._recorder.started(isolation)
        self.ready.set()


def run_plan(plan: AskPlan, settings: Settings) -> Ended:
    """Asks for every answer that is missing, and judges every sample that has no verdict, both at the same time.

    Args:
        plan: What is asked; its output is the run folder.
        settings: How samples are judged.

    Raises:
        SettingsError: A flag can't be used.
        StoreError: The run folder can't be used.
        SandboxError: The machinery round the samples broke.
        KeyboardInterrupt: Ctrl-C; what was done is kept.
    """
    samples_path = str(Path(plan.output) / SAMPLES)
    count = JudgeCount()
    taker = _Taker(count)
    with ask_session(plan._replace(output=samples_path), taker) as session:
        count.draw, count.say = session.progress.draw, session.progress.note
        with open_samples(samples_path, plan.benchmark) as there:
            growing = GrowingSamples(there, plan.benchmark, plan.drawing.samples)
            data = plan.selection.file_of(plan.name)
            judging = Plan(plan.benchmark, growing, plan.selection, settings, plan.output, plan.fresh, data)
            with Recorder(judging, count) as recorder:
                work = plan_work(plan.benchmark, there)
                gave_up = anyio.run(_both, session, taker, judging, recorder, work)
        asked, failed = session.left > 0, session.failed
    _conclude(judging, recorder)
    return Ended(asked, failed, gave_up)


async def _both(
    session: AskSession, taker: _Taker, plan: Plan, recorder: Recorder, there: Iterator[Work]
) -> ModelError | None:
    problems = {problem.id: problem for problem in plan.benchmark.problems}
    feed = taker.feed = Feed(problems, there)
    events = _Watched(recorder)
    errors: list[ModelError] = []
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_ask, session, feed, events.ready, errors)
            await judge_work_async(feed, plan.settings, events, recorder.done)
    except BaseExceptionGroup as failures:
        raise first_error(failures) from None
    finally:
        feed.close()
    return errors[0] if errors else None


async def _ask(session: AskSession, feed: Feed, ready: anyio.Event, errors: list[ModelError]) -> None:
    await ready.wait()  # answers cost something: none is asked for where nothing could judge it
    try:
        await session.ask()
    except ModelError as error:
        errors.append(error)
    feed.end()


def _conclude(plan: Plan, recorder: Recorder) -> None:
    """Brings `run.json` up to date with the sample file as it is now."""
    assert recorder.run is not None
    told = recorder.run.manifest
    with open_samples(plan.samples.path, plan.benchmark) as samples:
        final = plan._replace(samples=samples).manifest(told.isolation)
        with open_run(plan.output, final) as run:
            for problem in told.invalid:
                run.mark_invalid(problem)
            run.finish()
