"""A lane judges one sample at a time: it holds one judge fork and, for each sample, one agent.

A fork serves one problem and dies, unless the problem's tests are plain (`judge/plainness.py`): those leave nothing behind, and one fork
serves many such problems in turn.

Who died decides what is tried again. An agent's death is the candidate's own and is judged; where it was a SIGKILL that the sandbox knows
nothing of (a machine out of memory, a person) it is tried once more. A judge or a sandbox that dies is started again and the sample is
tried once more; a sample that ends the judge twice, in ways that are known, while the reference does not is `forbidden`, else the failure
is ours: `system_error`. So it is where a sample gets next to no processor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.engine.answers import forget_calibration, read_totals, take_calibration, take_kept
from assay.engine.endings import Starved, require_fair, was_starved, whose_end, with_patience
from assay.engine.exchange import NoEnd, ask_with_agent, judge_program
from assay.engine.hidden import Inquiry
from assay.engine.links import JudgeDied
from assay.engine.referee import Referee
from assay.engine.runs import Runner
from assay.engine.settings import LANES
from assay.engine.work import Unusable
from assay.engine.worker import Fork, Worker
from assay.errors import SandboxError
from assay.judge import Marks, of_tests, verdict_of_runs, weigh
from assay.records import Execution, Fault, InvalidProblem, Outcome, StoppedBy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.engine.settings import Settings
    from assay.engine.work import Chunk, Events, Job, Task
    from assay.judge import CaseRun, Report
    from assay.records import Limits, Verdict

TRIES = 2
"""How often a sample may end the judge or the sandbox before it is held against somebody."""

REASON_CUT = 4000
"""How much of a judge's text is taken over."""


class Lane:
    """One slot of a worker.

    Args:
        worker: Where it runs.
        slot: Which slot.
        settings: How to judge.
        events: Whom to tell.
    """

    def __init__(self, worker: Worker, slot: int, settings: Settings, events: Events) -> None:
        self._worker = worker
        self._slot = slot
        self._settings = settings
        self._events = events
        self._fork: Fork | None = None
        self._referee = Referee(LANES + slot)
        self._inquiry = Inquiry(self._ask_hidden, settings.seed)
        self._isolation = ""
        self._coming: Sequence[Job] = ()

    async def run(self, chunk: Chunk) -> None:
        """Judges a chunk and tells the verdicts.

        Raises:
            SandboxError: If the sandbox can't be kept running at all.
        """
        try:
            for number, job in enumerate(chunk.jobs, 1):
                verdict = await self.judge(chunk.task, job, chunk.flavour, chunk.jobs[number:])
                if verdict is None:
                    break
                self._events.verdict(verdict)
                self.require_sound()
        finally:
            await self.rest()

    async def judge(self, task: Task, job: Job, flavour: tuple[str, ...], coming: Sequence[Job] = ()) -> Verdict | None:
        """The verdict of one sample; None where its problem can't be judged, which is then told. `coming` are those of the same problem and
        flavour whose verdicts are asked for next, in this order: they may be begun now. `rest` ends what was begun and is not asked for.

        Raises:
            SandboxError: If the sandbox can't be kept running at all.
        """
        self._coming = coming
        try:
            await self.prepare(task)
            if job.program.no_code is not None:
                return self._no_code(task, job)
            return await self._judge_whatever(task, job, flavour)
        except Unusable as error:
            self._report_unusable(task, error)
            return None
        except SandboxError as error:
            return task.ruling.unjudged(self._marks(job), Outcome.SYSTEM_ERROR, str(error)[:REASON_CUT], task.totals)

    def require_sound(self) -> None:
        """Lets a run go on.

        Raises:
            SandboxError: If the sandbox fails again and again, in the same way, and judges nothing in between.
        """
        self._worker.require_sound()

    async def rest(self) -> None:
        """Lets go of a fork that may serve no other problem, where samples of another may come next."""
        if self._fork is not None and (self._fork.worn or self._fork.ahead.is_under_way):
            await self._drop_fork()

    async def close(self) -> None:
        """Ends the judge fork and the agent for references."""
        try:
            await self._drop_fork()
        finally:  # where the run breaks off, the wait for the fork does too
            await self._referee.close()

    def _report_unusable(self, task: Task, error: Unusable) -> None:
        if task.unusable is None:
            task.unusable, task.fault = str(error), error.fault
            self._events.invalid(InvalidProblem(id=task.problem.id, reason=str(error), fault=error.fault))

    async def _drop_fork(self) -> Execution | None:
        """Lets go of the fork, if there is one; tells how it ended, unless its server is gone, and the fork with it."""
        fork, self._fork = self._fork, None
        try:
            return None if fork is None else await fork.close()
        except SandboxError:
            return None

    # -- the problem

    async def prepare(self, task: Task) -> None:
        """Calibrates the problem, once for all lanes.

        Raises:
            Unusable: If it can't be judged.
            SandboxError: If the sandbox fails again and again.
        """
        if not task.ready:
            async with task.lock:
                if not task.ready:
                    await self._calibrate(task)
                    task.ready = True
        if task.unusable is not None:
            raise Unusable(task.unusable)

    async def _calibrate(self, task: Task) -> None:
        for attempt in range(TRIES):
            try:
                if attempt or not await self._recall(task):
                    await self._open(task, task.own_flavour)
                    if task.problem.reference is not None:
                        await self._run_reference(task)
                        if task.shelf is not None:
                            task.shelf.keep(task)
            except Unusable as error:
                self._report_unusable(task, error)
            except NoEnd as error:
                await self._drop_fork()
                self._report_unusable(task, Unusable(f"the reference did not finish: {error}", Fault.TIME))
            except JudgeDied as error:
                await self._drop_fork()
                if attempt + 1 == TRIES:
                    self._report_unusable(task, Unusable(f"its tests end the judge: {error or 'it was killed'}"))
                continue
            except SandboxError as error:
                await self._drop_fork()
                self._worker.note_failure(error)
                if attempt + 1 == TRIES:
                    raise
                continue
            return

    async def _recall(self, task: Task) -> bool:
        """Takes over what the reference told in an earlier run, if it was kept and a judge can read it."""
        kept = None if task.shelf is None else task.shelf.recall(task)
        if kept is None:
            return False
        try:
            take_kept(task, kept)
            await self._open(task, task.own_flavour)
        except (JudgeDied, Unusable):
            forget_calibration(task)
            await self._drop_fork()
            return False
        return True

    async def _open(self, task: Task, flavour: tuple[str, ...]) -> Fork:
        """A judge fork that has this problem open: the one at hand, where it may serve it too, else a new one."""
        pair = await self._worker.pair(flavour)
        fork = self._fork
        if fork is not None and fork.pair is pair and fork.serves is task:
            return fork
        if fork is None or fork.pair is not pair or fork.worn:
            await self._drop_fork()
            assert pair.isolation is not None
            self._isolation = pair.isolation.level
            self._fork = fork = Fork(pair, self._slot)
        fork.take(task, plain=task.plain_tests)
        opening = ("problem", task.plain, task.groups, task.plain_tests, task.calibration, task.screen or ())
        answer = await fork.link.ask(opening)
        match answer:
            case ("ready", bool(), totals):
                task.totals = task.totals or read_totals(task, totals)
                return fork
            case ("unusable", str(reason), bool(of_reference)):
                raise Unusable(reason[:REASON_CUT], Fault.REFERENCE if of_reference else Fault.TESTS)
            case _:
                raise JudgeDied("the judge's answer can't be read")

    async def _run_reference(self, task: Task) -> None:
        if task.runs_whole:
            await self._run_whole(task)
        elif not await self._run_in_company(task):
            await self._run_alone(task)

    async def _run_whole(self, task: Task) -> None:
        source, flavour = task.problem.reference or "", task.own_flavour
        runs = await self._run_cases(task, source, flavour)
        if any(was_starved(run.facts) for run in runs):
            runs = await self._run_cases(task, source, flavour, with_patience(task.limits))
        verdict = verdict_of_runs(task.ruling, Marks(0, "", ""), runs, task.totals)
        task.reference_s, task.reference_mib = verdict.time_s, verdict.peak_mib
        if not verdict.passed:
            fault = Fault.TIME if verdict.outcome is Outcome.TIME_LIMIT else Fault.REFERENCE
            raise Unusable(f"the reference fails its own tests: {verdict.told_in_full}", fault)

    async def _run_in_company(self, task: Task) -> bool:
        """Runs a plain reference where others were run before, if that goes well."""
        if not task.plain_reference:
            return False
        try:
            fork = await self._open(task, task.own_flavour)
            seed, screens = self._settings.seed, task.asks_hidden
            answer = await self._referee.calibrate(fork, task.limits, seed, screens=screens)
            match answer:
                case ("calibrated", bytes() as calibration, totals, screen, *foretold):
                    take_calibration(task, calibration, totals, screen, *foretold)
        except JudgeDied:
            await self._drop_fork()
        return task.calibration is not None

    async def _run_alone(self, task: Task) -> None:
        answer, facts = await self._ask_reference(task, task.limits)
        if was_starved(facts):
            answer, facts = await self._ask_reference(task, with_patience(task.limits))
        match answer:
            case ("calibrated", bytes() as calibration, totals, screen, *foretold):
                take_calibration(task, calibration, totals, screen, *foretold)
                task.reference_s, task.reference_mib = facts.time_s, facts.peak_mib
            case ("unusable", str(reason), bool(of_reference)):
                raise Unusable(reason[:REASON_CUT], Fault.REFERENCE if of_reference else Fault.TESTS)
            case ("lost", str()):
                why = facts.stopped_by or (
                    f"signal {facts.signal}" if facts.signal else f"exit status {facts.exit_code}"
                )
                raise Unusable(f"the reference did not finish: stopped by {why}", _fault(facts))
            case _:
                raise JudgeDied("the judge's answer can't be read")

    async def _ask_reference(self, task: Task, limits: Limits) -> tuple[tuple[Any, ...], Execution]:
        fork = await self._open(task, task.own_flavour)
        seed, screens = self._settings.seed, task.asks_hidden
        answer, facts = await ask_with_agent(fork, task, ("calibrate", seed, screens), limits)
        if answer == ("again",):
            answer, facts = await ask_with_agent(fork, task, ("calibrate live", seed, screens), limits)
        return answer, facts

    # -- a sample

    async def _judge_whatever(self, task: Task, job: Job, flavour: tuple[str, ...]) -> Verdict:
        """As `_judge`; a fault of ours costs this sample its verdict, not the run its other samples."""
        try:
            return await self._judge(task, job, flavour)
        except (Unusable, SandboxError):
            raise
        except Exception as error:  # noqa: BLE001 (it is told in the row, in the score and by the exit status)
            await self._drop_fork()
            reason = f"a fault of assay: {type(error).__name__}: {error}"[:REASON_CUT]
            return task.ruling.unjudged(self._marks(job), Outcome.SYSTEM_ERROR, reason, task.totals)

    async def _judge(self, task: Task, job: Job, flavour: tuple[str, ...]) -> Verdict:
        errors: list[Exception] = []
        while len(errors) < TRIES:
            try:
                verdict = await self._try(task, job, flavour)
            except NoEnd as error:
                await self._drop_fork()
                return task.ruling.unjudged(self._marks(job), Outcome.TIME_LIMIT, str(error), task.totals)
            except Starved as error:
                return task.ruling.unjudged(self._marks(job), Outcome.SYSTEM_ERROR, str(error), task.totals)
            except (JudgeDied, SandboxError) as error:
                self._coming = ()  # so that whoever did it does it to itself alone
                facts = await self._drop_fork()
                errors.append(error if isinstance(error, SandboxError) else whose_end(error, facts))
                if isinstance(error, SandboxError):
                    self._worker.note_failure(error)
            else:
                self._worker.note_success()
                return verdict
        return await self._blame(task, job, errors)

    async def _run_cases(
        self, task: Task, source: str, flavour: tuple[str, ...], limits: Limits | None = None
    ) -> list[CaseRun]:
        """A whole program on the problem's cases."""
        fork = await self._open(task, flavour)
        return await Runner(fork, task, self._settings.seed, limits or task.limits).run(source)

    async def _try(self, task: Task, job: Job, flavour: tuple[str, ...]) -> Verdict:
        if task.runs_whole:
            runs = await self._run_cases(task, job.program.source, flavour)
            require_fair(task.limits, *(run.facts for run in runs))
            return verdict_of_runs(task.ruling, self._marks(job), runs, task.totals)
        asks = bool(task.screen)
        report, facts = await self._run_tests(task, job, flavour, asks=asks)
        if asks and facts.stopped_by is not None and report.passed:
            # it may be the screen that took too much: the tests decide by themselves
            report, facts = await self._run_tests(task, job, flavour, asks=False)
        facts = of_tests(facts, report.screen_s)
        verdict = task.ruling.verdict(self._marks(job), report, facts)
        if not verdict.passed or not task.asks_hidden:
            return verdict
        found = await self._inquiry.count(task, job, facts.time_s, report.screened)
        return weigh(verdict, found, self._settings.hidden)

    async def _run_tests(
        self, task: Task, job: Job, flavour: tuple[str, ...], *, asks: bool
    ) -> tuple[Report, Execution]:
        """What the judge tells of one program, and the facts about its agent. One that passes is asked the screen too, if `asks` is set."""
        fork = await self._open(task, flavour)
        coming = [each.program.source for each in self._coming if each.program.no_code is None]
        seed = self._settings.seed
        found = await judge_program(fork, task, job.program.source, seed, asks=asks, coming=coming)
        require_fair(task.limits, found[1])
        return found

    async def _ask_hidden(
        self, task: Task, flavour: tuple[str, ...], message: tuple[Any, ...], limits: Limits
    ) -> tuple[Any, ...]:
        """What the judge tells of an agent of its own that it asks about hidden inputs.

        Raises:
            JudgeDied: If the judge is gone, or was given up.
        """
        try:
            fork = await self._open(task, flavour)
            answer, facts = await ask_with_agent(fork, task, message, limits)
        except (JudgeDied, NoEnd) as error:
            await self._drop_fork()
            raise JudgeDied(str(error)) from None
        require_fair(task.limits, facts)
        return answer

    def _marks(self, job: Job) -> Marks:
        return Marks(job.program.sample_index, job.digest, self._isolation, job.program.how_extracted)

    async def _blame(self, task: Task, job: Job, errors: list[Exception]) -> Verdict:
        """The judge or the sandbox was gone twice. It was the sample if it was the judge both times, and the judge still serves; a
        sandbox that dies takes all its samples with it, so nobody can be blamed for that.
        """
        reason = str(errors[-1]) or "the judge was ended while it judged this sample"
        try:
            can_tell = task.problem.reference is not None or task.runs_whole
            if can_tell and all(isinstance(error, JudgeDied) for error in errors):
                await self._see_it_serve(task)
                told = f"it ends the judge: {reason}"
                return task.ruling.unjudged(self._marks(job), Outcome.FORBIDDEN, told, task.totals)
        except (Unusable, JudgeDied, NoEnd, SandboxError) as error:
            reason = f"{reason}; then {'the reference' if task.problem.reference else 'an empty program'} failed too: {error}"
            await self._drop_fork()
        return task.ruling.unjudged(self._marks(job), Outcome.SYSTEM_ERROR, reason, task.totals)

    async def _see_it_serve(self, task: Task) -> None:
        """Shows that the judge serves others: the reference passes, or a whole program that does nothing gets some verdict."""
        if task.problem.reference is not None:
            await self._run_reference(task)
        else:
            await self._run_cases(task, "pass", task.own_flavour)

    def _no_code(self, task: Task, job: Job) -> Verdict:
        return task.ruling.unjudged(self._marks(job), Outcome.NO_CODE, job.program.no_code or "", task.totals)


def _fault(facts: Execution) -> Fault:
    """What is at fault where a reference did not finish."""
    late = facts.stopped_by in (StoppedBy.TIME, StoppedBy.CPU, StoppedBy.WALL)
    return Fault.TIME if late else Fault.REFERENCE
