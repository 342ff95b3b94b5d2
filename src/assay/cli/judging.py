"""What `judge` and `demo` share: a benchmark and a sample file go in, verdicts go into a run folder, and progress is seen.

A verdict is on disk before it is counted or shown. The run folder is opened when the engine says where samples run, since
the isolation is one of the conditions that a run can't change when it is taken up again.
"""

from __future__ import annotations

import datetime as dt
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from assay.api import expected_samples, plan_work
from assay.benchmarks import declared_limits
from assay.cli.progress import Progress
from assay.cli.waiting import Waiting
from assay.counts import count_of
from assay.engine import Settings, interpreter, judge_work
from assay.errors import DataError
from assay.records import Benchmark, InvalidProblem, Isolation, Manifest, Outcome, Verdict
from assay.store import RowWriter, Run, open_run

if TYPE_CHECKING:
    from types import TracebackType

    from assay.cli.flags import Selection
    from assay.cli.growing import GrowingSamples, JudgeCount
    from assay.store import SampleFile

MISSING_LISTED = 10


class Plan(NamedTuple):
    """What is judged, how, and where verdicts go: a run folder, or stdout where `output` is `-`.

    `data` is the problems' file, if there is one.
    """

    benchmark: Benchmark
    samples: SampleFile | GrowingSamples
    selection: Selection
    settings: Settings
    output: str
    fresh: bool = False
    data: str | None = None

    def manifest(self, isolation: Isolation) -> Manifest:
        """All that decides the numbers of this run."""
        benchmark, settings = self.benchmark, msgspec.structs.asdict(self.settings)
        return Manifest(
            created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            benchmark=benchmark.name,
            benchmark_version=benchmark.version,
            benchmark_digest=benchmark.digest,
            split=self.selection.split,
            limit=self.selection.limit,
            problems=len(benchmark.problems) + len(benchmark.invalid),
            invalid=benchmark.invalid,
            samples=self.samples.path,
            samples_digest=self.samples.digest,
            settings=settings,
            isolation=isolation,
            interpreter=interpreter(self.settings),
            versions={name: version(name) for name in ("assay", "numpy")} | {"linux": platform.release()},
            seed=self.settings.seed,
            expected=expected_samples(benchmark, self.samples),
            limits=declared_limits(benchmark.problems),
            data=self.data,
            data_path=_absolute(self.data),
            samples_path=_absolute(self.samples.path),
        )


def _absolute(path: str | None) -> str | None:
    """Where a file or folder lies, seen from anywhere; None for a pipe, which can't be opened again."""
    there = path is not None and (Path(path).is_file() or Path(path).is_dir())
    return os.path.abspath(path) if path is not None and there else None  # noqa: PTH100 (links stay links)


class Recorder:
    """The engine's events on their way to disk and to the person who waits; a context manager that closes the run.

    Args:
        plan: What is judged.
        progress: Counts it.
        first: What is done before the first verdict, in words.
    """

    def __init__(self, plan: Plan, progress: Progress | JudgeCount, first: str = "") -> None:
        self.run: Run | None = None
        self.verdicts = self.unjudged = 0
        self._plan = plan
        self._progress = progress
        self._rows = RowWriter(sys.stdout.fileno()) if plan.output == "-" else None
        self._first = first
        self._waiting = Waiting(progress.note)

    def started(self, isolation: Isolation) -> None:
        """Open the run folder, or take it up again."""
        self._waiting.over()
        if isolation.missing:
            self._progress.note(f"isolation {isolation.level}, without {', '.join(isolation.missing)}")
        if self._rows is None and self.run is None:
            self.run = open_run(self._plan.output, self._plan.manifest(isolation), fresh=self._plan.fresh)
            self._show_what_is_there(self.run)
        self._progress.begin()
        if self._first:
            self._waiting.on(self._first)

    def _show_what_is_there(self, run: Run) -> None:
        for text in run.notes:
            self._progress.note(text)
        for verdict in run.verdicts():
            if verdict.outcome is not Outcome.SYSTEM_ERROR:
                self._progress.reuse(verdict.passed)

    def done(self, problem_id: str, sample_index: int) -> str | None:
        """The job digest of a verdict that an earlier call of the command has left."""
        return None if self.run is None else self.run.done(problem_id, sample_index)

    def invalid(self, problem: InvalidProblem) -> None:
        """Note a problem that fails its own check."""
        if self.run is not None:
            self.run.mark_invalid(problem)
        indices = self._plan.samples.indices(problem.id)
        self._progress.leave_out(sum(self.done(problem.id, index) is None for index in indices))
        self._progress.note(f"invalid problem {problem.id}: {problem.reason}")

    def verdict(self, verdict: Verdict) -> None:
        """Keep a verdict, then count and show it."""
        self._waiting.over()
        if self._rows is not None:
            self._rows.append(verdict)
        elif self.run is not None:
            earlier = self.run.outcome(verdict.problem_id, verdict.sample_index)
            if earlier not in (None, Outcome.SYSTEM_ERROR):
                self._progress.again(earlier is Outcome.PASSED)
            self.run.append(verdict)
        self.verdicts += 1
        self.unjudged += verdict.outcome is Outcome.SYSTEM_ERROR
        self._progress.count(verdict.passed)

    def note(self, text: str) -> None:
        """Say what the engine wants said."""
        self._progress.note(text)

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Show how many samples wait to be judged again, and how far that is."""
        self._progress.in_doubt(held, done, again)

    def __enter__(self) -> Self:
        self._waiting.on("starting the sandbox ...")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._waiting.over()
        self._progress.finish()
        if isinstance(error, KeyboardInterrupt):
            error.add_note(self._kept())
        if self.run is None:
            return
        if error is None:
            self.run.finish()
        self.run.close()

    def _kept(self) -> str:
        if self.run is not None:
            return f"{self.run.folder}{os.sep} keeps what was done, the same command goes on"
        return "the rows that were written stay" if self.verdicts else "nothing was judged yet"


def judge_plan(plan: Plan) -> Recorder:
    """Judge everything that has no verdict yet.

    Raises:
        DataError: There are no samples of the problems to be judged.
        StoreError: The run folder can't be used.
        SandboxError: The machinery round the samples broke.
        KeyboardInterrupt: Ctrl-C; what was done is kept.
    """
    _require_samples(plan)
    progress = Progress(plan.samples.count)
    for text in (*plan.samples.warnings, *_missing_note(plan)):
        progress.note(text)
    with Recorder(plan, progress, "running references, then the first samples ...") as recorder:
        judge_work(plan_work(plan.benchmark, plan.samples), plan.settings, recorder, recorder.done)
    return recorder


def _require_samples(plan: Plan) -> None:
    """An empty file is a mistake (of a script, mostly), not a run in order; where every problem is invalid it is no matter."""
    if plan.benchmark.problems and not plan.samples.count:
        why = "".join(f"\n  {text}" for text in plan.samples.warnings)
        hint = "is it the right file, and do --split and --limit leave its problems in?"
        raise DataError(f"nothing to judge{why}", path=plan.samples.path, hint=hint)


def _missing_note(plan: Plan) -> tuple[str, ...]:
    missing, total = plan.samples.missing, len(plan.benchmark.problems)
    if not missing:
        return ()
    more = f" and {len(missing) - MISSING_LISTED} more" if len(missing) > MISSING_LISTED else ""
    told = f"{len(missing):,} of {count_of(total, 'problem')} {'has' if len(missing) == 1 else 'have'} no samples"
    return (f"{told}: {', '.join(missing[:MISSING_LISTED])}{more}",)
