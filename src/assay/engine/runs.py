"""A whole program on all cases of its problem: a fresh agent for each, one after the other.

Keeps true: an agent is not ended before its program has come to its end, because how it ends decides; the sandbox's limits see to it that
it does. What a case needs beyond the problem's limits, room for its input and for what nobody looks at, is added here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.engine.calm import run_until_clear
from assay.engine.endings import was_killed_by_others
from assay.engine.exchange import NoEnd, patience_s
from assay.engine.links import JudgeDied
from assay.judge import STDERR_MIB, CaseRun, cases_of, ends_sample, read_run

if TYPE_CHECKING:
    from assay.engine.work import Task
    from assay.engine.worker import Fork
    from assay.records import Limits, StdioCase

_MIB = 1 << 20


class Runner:
    """Runs programs of one problem.

    Args:
        fork: A judge fork that has the problem open.
        task: The problem.
        seed: Of the random generators.
        limits: What a case may use.
    """

    def __init__(self, fork: Fork, task: Task, seed: int, limits: Limits) -> None:
        self._fork = fork
        self._task = task
        self._seed = seed
        self._limits = limits
        self._patience_s = patience_s(limits)

    async def run(self, source: str) -> list[CaseRun]:
        """What was seen of each case, up to the first that ends the sample.

        Raises:
            JudgeDied: If the judge fork is gone.
            SandboxError: If the agents' server is gone, or memory runs out again and again.
            NoEnd: If a case goes on and on.
        """
        try:
            return await self._run_all(source)
        except TimeoutError:
            raise NoEnd(f"no end after {self._patience_s:g} s on the clock") from None

    async def _run_all(self, source: str) -> list[CaseRun]:
        runs: list[CaseRun] = []
        for unit, number, case in cases_of(self._task.problem.tests, self._task.groups):
            runs.append(await self._run_case(source, unit, number, case))
            if ends_sample(self._task.ruling, runs[-1]):
                break
        return runs

    async def _run_case(self, source: str, unit: int, number: int, case: StdioCase) -> CaseRun:
        async def run_once(alone: bool) -> CaseRun:
            return await self._run_once(source, unit, number, case, alone=alone)

        calm = self._fork.pair.calm
        run = await run_until_clear(calm, run_once, lambda run: run.facts)
        return await run_until_clear(calm, run_once, lambda run: run.facts) if was_killed_by_others(run.facts) else run

    async def _run_once(self, source: str, unit: int, number: int, case: StdioCase, *, alone: bool) -> CaseRun:
        agents = self._fork.agents
        agent, sock = self._fork.agent(limits_of_run(self._limits, case), alone=alone)
        try:
            answer = await self._fork.link.ask(("run", source, self._seed, unit, number), sock, self._patience_s)
            report = read_run(answer[1] if answer[0] == "ran" and len(answer) == 2 else None)
        except ValueError as error:
            await agents.end(agent)
            raise JudgeDied(f"the judge's report can't be read: {error}") from None
        except (JudgeDied, TimeoutError):
            await agents.end(agent)
            raise
        # one that printed too much is ended; any other is on its way to an end of its own
        facts = await agents.end(agent, 0.0 if report.ended == "flood" else self._patience_s)
        return CaseRun(unit, number, case.stdin, report, facts)


def limits_of_run(limits: Limits, case: StdioCase) -> Limits:
    """What the sandbox holds a run to: room for its input on the disk, and for what it prints to standard error; what it prints to
    standard output is counted by the judge.
    """
    input_mib = len(case.stdin) * 4 // _MIB  # no character has more bytes
    output_kib = max(limits.output_kib, STDERR_MIB * 1024)
    return msgspec.structs.replace(limits, disk_mib=limits.disk_mib + input_mib, output_kib=output_kib)
