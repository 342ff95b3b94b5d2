"""Asks programs that have passed about inputs that no test shows, when the few questions of the screen have not cleared them.

That is rare, so it may cost something: the reference makes more questions, once for each problem, and the program answers them in agents of
its own. Keeps true: nothing that happens here touches what the tests found; a death, or no answer in time, is an answer that does not
agree, after which a fresh agent goes on with the next question; time is the sandbox's effective time, so that a busy machine changes no
count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.engine.links import JudgeDied
from assay.judge import CLEARED, LEAST, SCREEN, HiddenCount, read_answers, read_questions, screen_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from assay.engine.work import Job, Task
    from assay.judge import HiddenAnswers, HiddenQuestions
    from assay.records import Limits

    Ask = Callable[[Task, tuple[str, ...], tuple[Any, ...], Limits], Awaitable[tuple[Any, ...]]]

DEATHS = 4
"""How often a program, or the reference, may die over hidden inputs before it is asked no more."""

SPARE_S = 1.0
"""Time for all hidden inputs, beyond what the program took for its tests."""

MAKING_S = 0.05
"""The same for the reference. One that loops on inputs of another kind than the tests' would hold up the whole run for longer: each loop
costs this much, and a question that takes its own reference so long is none to ask of others."""


class Inquiry:
    """Finds out whether a program knows its task.

    Args:
        ask: Has a judge fork ask an agent: the task, the flavour, the message, the agent's limits. Gives the fork's answer.
        seed: Of the random generators, and of the choice of questions.
    """

    def __init__(self, ask: Ask, seed: int) -> None:
        self._ask = ask
        self._seed = seed

    async def count(self, task: Task, job: Job, spent_s: float, screened: int | None) -> HiddenCount | None:
        """On how many hidden inputs a program agrees; None where the problem has too few of them.

        Args:
            task: The problem.
            job: The program.
            spent_s: What it took for its tests.
            screened: On how many questions of the screen it agrees, where it answered them all.

        Raises:
            SandboxError: The sandbox is gone.
        """
        if screened is not None and screened >= CLEARED:
            return HiddenCount(screened, SCREEN)
        if task.screen == ():
            return None
        questions = await self._questions(task)
        if len(questions) < LEAST:
            return None
        return await self._interrogate(task, job, questions, _limits(task, spent_s), whole=screened is not None)

    async def _interrogate(
        self, task: Task, job: Job, questions: HiddenQuestions, limits: Limits, *, whole: bool
    ) -> HiddenCount:
        """Asks the screen, unless `whole` says that this has been done, and then the rest."""
        marks, first, deaths = "", None, 0
        flavour = task.flavour(job.program)
        while len(marks) < len(questions) and deaths < DEATHS:
            end = len(questions) if whole else SCREEN
            asked = ("ask", job.program.source, self._seed, questions[len(marks) : end])
            answers = await self._answers(task, flavour, asked, limits)
            marks += answers.marks
            first = first or answers.first
            if len(marks) < end:
                marks += "D"
                deaths += 1
            if not whole and len(marks) >= SCREEN:
                whole = True
                if marks.count("A") >= CLEARED:
                    break
        return HiddenCount(marks.count("A"), len(marks), first)

    async def _answers(
        self, task: Task, flavour: tuple[str, ...], message: tuple[Any, ...], limits: Limits
    ) -> HiddenAnswers:
        """What one agent answers; nothing where it takes the judge with it."""
        try:
            match await self._ask(task, flavour, message, limits):
                case ("answers", marks, first):
                    return read_answers(marks[: len(message[3])] if isinstance(marks, str) else marks, first)
        except (JudgeDied, ValueError):
            pass
        return read_answers("", None)

    async def _questions(self, task: Task) -> HiddenQuestions:
        """The problem's questions, made when they are first wanted."""
        async with task.hidden_lock:
            if task.questions is None:
                task.questions = await self._make(task)
                task.screen = screen_of(task.questions)
                if task.shelf is not None and task.questions:
                    task.shelf.keep(task)
            return task.questions

    async def _make(self, task: Task) -> HiddenQuestions:
        barred: list[int] = []
        for number in range(1, DEATHS + 1):
            message = ("questions", self._seed, tuple(barred))
            try:
                match await self._ask(task, task.own_flavour, message, _limits(task, task.reference_s, MAKING_S)):
                    case ("stuck", int(variant)) if variant > 0:
                        # the last time no further than this: what came before has to do
                        barred.append(-variant if number == DEATHS - 1 else variant)
                    case ("questions", found):
                        return read_questions(found)
                    case _:
                        return ()
            except (JudgeDied, ValueError):
                return ()
        return ()


def _limits(task: Task, spent_s: float, spare_s: float = SPARE_S) -> Limits:
    return msgspec.structs.replace(task.limits, time_s=min(task.limits.time_s, spent_s + spare_s))
