"""How a benchmark's own references fare: judged as samples are, under several seeds, and measured.

Keeps true: `passed` is what `judge` would find, since the first trial runs under the settings' own seeds. Each further trial runs under
the next hash seed and the next seed of the random generators, in servers of its own, and is held to the answers of the first: what
comes out otherwise there rests on chance or on the order of a set, and so would a right candidate's.

A reference that is too slow for its limit is run once more with time to spare, so that it can be said which limit would fit.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
import msgspec

from assay.engine.fitting import HEADROOM, MEMORY_HEADROOM, fitting_limit_mib, fitting_limit_s
from assay.engine.lane import Lane
from assay.engine.pipeline import first_error, require_linux, start_workers
from assay.engine.settings import LANES, Settings, check_ranges, interpreter
from assay.engine.work import Chunk, Job, Task
from assay.engine.worker import Worker, close_together
from assay.errors import SandboxError
from assay.judge import count_vacuous
from assay.limits import RANGES
from assay.programs import assemble
from assay.records import Fault, Limits, Mode, Outcome, Record, Sample, Trust, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from assay.records import InvalidProblem, Isolation, Problem, Verdict

SPARE_S = 60.0
"""Time for a reference that was too slow for its limit, so that it can be measured; at least `HEADROOM` times the limit."""


class ReferenceCheck(Record):
    """How a problem's own reference fares.

    `passed` says that it passes under the seeds of a usual run; where it does not, `reason` says why, `fault` what is to blame, and
    `invalid` that not even its first run did. `runs` and `passed_runs` count all runs under all seeds. `time_s` is what it took and
    `peak_mib` what it used, 0.0 where it was not let finish, `limit_s` and `limit_mib` the limits under which it was judged. `vacuous`
    says that the problem has asserts that can't fail, `cases` how many cases there are.
    """

    id: str
    passed: bool
    reason: str
    vacuous: bool
    trust: Trust | None
    time_s: float
    cases: int
    invalid: bool = False
    fault: Fault | None = None
    runs: int = 1
    passed_runs: int = 1
    limit_s: float = Limits().time_s
    peak_mib: float = 0.0
    limit_mib: int = Limits().memory_mib

    @property
    def flaky(self) -> bool:
        """Whether it passes in some runs and not in others."""
        return 0 < self.passed_runs < self.runs and self.fault is not Fault.TIME

    @property
    def slow(self) -> bool:
        """Whether its limit is too near to the time that it takes."""
        return HEADROOM * self.time_s > self.limit_s

    @property
    def large(self) -> bool:
        """Whether its limit is too near to the memory that it uses."""
        return MEMORY_HEADROOM * self.peak_mib > self.limit_mib

    @property
    def fitting_s(self) -> float:
        """The limit that would fit the time that it takes, in seconds."""
        return fitting_limit_s(self.time_s)

    @property
    def fitting_mib(self) -> int:
        """The limit that would fit the memory that it uses, in MiB."""
        return fitting_limit_mib(self.peak_mib)


def check_references(
    problems: Iterable[Problem], settings: Settings, *, trials: int = 1, told: Callable[[bool], None] | None = None
) -> Iterator[ReferenceCheck]:
    """Judges each problem's reference as if it were a sample, and says which problems can't be judged or hold vacuous asserts.

    Args:
        problems: Problems with a reference.
        settings: How to judge.
        trials: Under how many seeds a reference is judged; the first are those of `settings`. One that fails is not tried again.
        told: Called when a reference has had all its trials, with whether it passes.

    Raises:
        SettingsError: As `judge_work`.
        SandboxUnavailable: As `judge_work`.
        SandboxError: As `judge_work`.
        KeyboardInterrupt: As `judge_work`.
    """
    kept = list(problems)
    settings = msgspec.structs.replace(
        settings, hidden="off"
    )  # it is the reference that would be asked, about its own answers
    found = _judge(kept, [settings.in_trial(trial) for trial in range(trials)], told)
    late = [problem for problem, runs in zip(kept, found, strict=True) if runs.fault is Fault.TIME]
    spare_s = {problem.id: _spare_s(settings.limits(problem).time_s) for problem in late}
    measured: dict[str, _Runs] = {}
    for seconds in sorted(set(spare_s.values())):
        group = [problem for problem in late if spare_s[problem.id] == seconds]
        patient = msgspec.structs.replace(settings, time_s=seconds)
        measured |= zip((problem.id for problem in group), _judge(group, [patient]), strict=True)
    for problem, runs in zip(kept, found, strict=True):
        yield runs.check(problem, settings.limits(problem), measured.get(problem.id))


def _spare_s(limit_s: float) -> float:
    return min(max(SPARE_S, HEADROOM * limit_s), RANGES["time_s"].most)


class _Runs:
    """What the engine tells of one problem's reference: that it can't be judged, or a verdict for each trial."""

    def __init__(self) -> None:
        self.invalid: InvalidProblem | None = None
        self.verdicts: list[Verdict] = []
        self.first_s = self.first_mib = 0.0

    @property
    def fault(self) -> Fault | None:
        """What is at fault where it does not pass under the first seeds."""
        if self.invalid is not None:
            return self.invalid.fault
        first = self.verdicts[0] if self.verdicts else None
        if first is None or first.outcome is Outcome.SYSTEM_ERROR:
            return Fault.TESTS
        if first.passed:
            return None
        return Fault.TIME if first.outcome is Outcome.TIME_LIMIT else Fault.REFERENCE

    @property
    def reason(self) -> str:
        """Why it does not pass in every run, as far as a run failed; else empty."""
        if self.invalid is not None:
            return self.invalid.reason
        failed = [(trial, verdict) for trial, verdict in enumerate(self.verdicts) if not verdict.passed]
        if not self.verdicts:
            return "it was not judged"
        return "".join(
            f"{'under other seeds: ' if trial else ''}{verdict.told_in_full}" for trial, verdict in failed[:1]
        )

    @property
    def time_s(self) -> float:
        """What it takes: the least time of a trial that passed, or that of the first run, which brings all answers back whole.

        0.0 where neither went well.
        """
        least_s = min((verdict.time_s for verdict in self.verdicts if verdict.passed), default=0.0)
        return max(least_s, self.first_s)

    @property
    def peak_mib(self) -> float:
        """What it uses at most, 0.0 where no run went well."""
        most_mib = max((verdict.peak_mib for verdict in self.verdicts if verdict.passed), default=0.0)
        return max(most_mib, self.first_mib)

    def check(self, problem: Problem, limits: Limits, patient: _Runs | None) -> ReferenceCheck:
        """What it all comes to; `patient` are runs with time to spare."""
        first = self.verdicts[0] if self.verdicts else None
        calibrated = int(self.invalid is None)
        return ReferenceCheck(
            id=problem.id,
            passed=first is not None and first.passed,
            reason=self.reason
            if patient is None or not patient.reason
            else f"{self.reason}; with time to spare: {patient.reason}",
            vacuous=count_vacuous(problem.tests) > 0,
            trust=None if first is None else first.trust,
            time_s=(patient or self).time_s,
            cases=0 if first is None else first.total_cases,
            invalid=self.invalid is not None or first is None,
            fault=self.fault,
            runs=len(self.verdicts) + 1,
            passed_runs=sum(verdict.passed for verdict in self.verdicts) + calibrated,
            limit_s=limits.time_s,
            peak_mib=max(self.peak_mib, 0.0 if patient is None else patient.peak_mib),
            limit_mib=limits.memory_mib,
        )


class _Listener:
    """Takes what the engine tells into the runs of its problem."""

    def __init__(self, found: dict[str, _Runs], told: Callable[[bool], None] | None) -> None:
        self._found = found
        self._told = told

    def started(self, isolation: Isolation) -> None:
        """Not of interest here."""

    def note(self, text: str) -> None:
        """Not of interest here."""

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Not of interest here."""

    def invalid(self, problem: InvalidProblem) -> None:
        """A reference fails, or its tests can't be judged."""
        self._found[problem.id].invalid = problem

    def verdict(self, verdict: Verdict) -> None:
        """A reference was judged."""
        self._found[verdict.problem_id].verdicts.append(verdict)

    def done(self, task: Task) -> None:
        """A reference has had all its trials."""
        runs = self._found[task.problem.id]
        runs.first_s, runs.first_mib = task.reference_s, task.reference_mib
        if self._told is not None:
            self._told(runs.fault is None)


def _judge(
    problems: Sequence[Problem], trials: Sequence[Settings], told: Callable[[bool], None] | None = None
) -> list[_Runs]:
    """The runs of each problem's reference, a trial for each of the settings."""
    found = {problem.id: _Runs() for problem in problems}
    if problems:
        anyio.run(_judge_all, problems, trials, _Listener(found, told))
    return list(found.values())


async def _judge_all(problems: Sequence[Problem], trials: Sequence[Settings], listener: _Listener) -> None:
    for settings in trials:
        check_ranges(settings)
    require_linux()
    interpreter(trials[0])
    teams = [
        [Worker(settings) for settings in trials] for _ in range(trials[0].workers or len(os.sched_getaffinity(0)))
    ]
    workers = [worker for team in teams for worker in team]
    waiting = iter(problems)
    try:
        await start_workers(workers, listener)
        async with anyio.create_task_group() as group:
            for team in teams:
                for slot in range(LANES):
                    pairs = zip(team, trials, strict=True)
                    lanes = [Lane(worker, slot, settings, listener) for worker, settings in pairs]
                    group.start_soon(_take, waiting, lanes, trials[0], listener)
        if group.cancel_scope.cancel_called:  # as in `judge_work_async`
            raise SandboxError("the run broke off before everything was judged")
    except BaseExceptionGroup as failures:
        raise first_error(failures) from None
    finally:
        close_together(workers)


async def _take(waiting: Iterator[Problem], lanes: Sequence[Lane], settings: Settings, listener: _Listener) -> None:
    """Judges references as long as any are waiting, each in all lanes in turn: the first one calibrates the problem for all."""
    try:
        for problem in waiting:
            sample = Sample(problem_id=problem.id, index=0, text=problem.reference or "", mode=Mode.SOLUTION)
            program = assemble(problem, sample)
            task = Task(problem, settings, digest(problem.digest()))
            job = Job(program, digest(task.key, program.source))
            for lane in lanes:
                await lane.run(Chunk(task, [job], task.flavour(program)))
                if task.unusable is not None:
                    break
            listener.done(task)
    finally:
        for lane in lanes:
            await lane.close()
