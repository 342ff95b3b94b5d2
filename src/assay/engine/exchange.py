"""One message to a judge fork with a fresh agent beside it, and how that agent ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.engine.ahead import lines_of
from assay.engine.answers import read_answer
from assay.engine.calm import run_until_clear
from assay.engine.endings import was_killed_by_others
from assay.engine.links import JudgeDied
from assay.judge import CLEARED, Report, Script
from assay.sandbox import Handover

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Sequence

    from assay.engine.work import Recital, Task
    from assay.engine.worker import Fork
    from assay.records import Execution, Limits

    _Asked = tuple[tuple[Any, ...], Execution, bool]
    """The judge's answer, the facts about the agent, and whether it hung up first."""

LAST_WORDS_S = 0.2
"""How long an agent that hung up by itself may take to end."""


class NoEnd(Exception):
    """A sample and its judge went on and on, each within its own limits."""


async def ask_with_agent(
    fork: Fork, task: Task, message: tuple[Any, ...], limits: Limits
) -> tuple[tuple[Any, ...], Execution]:
    """The judge's answer, and the facts about the agent. An agent that somebody else killed is followed by one more; one that memory of
    others may have ended by some that are alone.

    Raises:
        JudgeDied: If the judge is gone, or its answer can't be read.
        NoEnd: If there is none.
        SandboxError: If the agents' server is gone, or memory runs out again and again.
    """

    async def ask(alone: bool) -> _Asked:
        return await _ask_once(fork, task, message, limits, *fork.agent(limits, alone=alone))

    return await _asked_clearly(fork, ask)


async def judge_program(
    fork: Fork, task: Task, source: str, seed: int, *, asks: bool, coming: Sequence[str] = ()
) -> tuple[Report, Execution]:
    """What is said of one program, and the facts about its agent. One that passes is asked the screen too, if `asks` is set. One that keeps
    to the problem's script needs no judge, and those that are `coming` may then be begun right after it (`ahead.py`).

    Raises:
        JudgeDied: The judge is gone, or its answer can't be read.
        NoEnd: There is none.
        SandboxError: The agents' server is gone, or memory runs out again and again.
    """
    message = ("judge", source, seed, asks)
    as_usual = asks == bool(task.screen)
    begun = await fork.ahead.next(source)
    known = begun or (task.known() if as_usual else None)
    answer: tuple[Any, ...] = ("unclear",)
    if known is not None:
        row = (source, *coming) if _settles(task, known) else (source,)
        answer, facts = await _let_recite(fork, task, message, known, row)
    if answer == ("unclear",):
        answer, facts = await ask_with_agent(fork, task, message, task.limits)
    if answer == ("again",):
        answer, facts = await ask_with_agent(fork, task, ("live", source, seed, asks), task.limits)
    match answer:
        case ("recited", bool(agreed), float(screen_s)) if known is not None:
            # where it does not agree the questions are asked anew, as of one that did not answer
            screened = known.report.screened if agreed else None
            return msgspec.structs.replace(known.report, screened=screened, screen_s=screen_s), facts
        case ("report", Report() as report):
            return report, facts
        case ("report", Report() as report, Script() as script):
            if as_usual:
                task.know(script, report)
            return report, facts
        case _:
            raise JudgeDied("the judge's answer can't be read")


def _settles(task: Task, known: Recital) -> bool:
    """Whether there is nothing more to ask a program that says all this, so that its slot is free for the next."""
    return not task.asks_hidden or task.screen == () or (known.report.screened or 0) >= CLEARED


async def _let_recite(
    fork: Fork, task: Task, message: tuple[Any, ...], known: Recital, row: Sequence[str]
) -> tuple[tuple[Any, ...], Execution]:
    """As `ask_with_agent`, for a message about the first program of a row, of which no judge need be asked if it keeps to the script: the
    answer is `("recited", whether it agrees on the screen, seconds for it)` then. It is `("unclear",)` where nothing was found out.
    """
    limits, script, seed = task.limits, known.script, message[2]
    begun = fork.ahead.is_under_way
    lines = None if begun else lines_of(script, seed, row[: fork.ahead.most])
    if lines is None and not begun:
        return await ask_with_agent(fork, task, message, limits)

    async def ask(alone: bool) -> _Asked:
        if not fork.ahead.is_under_way:
            said = lines_of(script, seed, row[:1]) if alone or lines is None else lines
            assert said is not None
            fork.ahead.begin(limits, known, said, row, alone=alone)
        told = await fork.ahead.told(patience_s(limits))
        if isinstance(told, Handover):
            said_all = (*message, told.heard, script.plan)
            return await _ask_once(fork, task, said_all, limits, told.child_id, told.session)
        return ("recited", told.agreed, told.asked_s) if told.kept else ("unclear",), told.facts, False

    return await _asked_clearly(fork, ask, begun=begun)


async def _asked_clearly(
    fork: Fork, ask: Callable[[bool], Awaitable[_Asked]], *, begun: bool = False
) -> tuple[tuple[Any, ...], Execution]:
    answer, facts, hung_up = await run_until_clear(fork.pair.calm, ask, lambda asked: asked[1], begun=begun)
    if hung_up and was_killed_by_others(facts):
        answer, facts, _ = await run_until_clear(fork.pair.calm, ask, lambda asked: asked[1])
    return answer, facts


async def _ask_once(
    fork: Fork, task: Task, message: tuple[Any, ...], limits: Limits, number: int, sock: socket.socket
) -> _Asked:
    try:
        answer = read_answer(task, await fork.link.ask(message, sock, patience_s(limits)))
    except JudgeDied:
        await fork.agents.end(number)
        raise
    except TimeoutError:
        await fork.agents.end(number)
        raise NoEnd(f"no end after {patience_s(limits):g} s on the clock") from None
    hung_up = answer[0] == "lost" or (answer[0] == "report" and answer[1].ended in ("lost", "torn"))
    # one that hung up first is on its way out by a death of its own, whose facts are wanted; only then it is ended
    facts = await (fork.agents.end(number, LAST_WORDS_S) if hung_up else fork.agents.end(number))
    return answer, facts, hung_up


def patience_s(limits: Limits) -> float:
    """How long the engine waits for a judge's answer: beyond what the watchers of agent and judge allow, should both be fooled. An agent
    whose judge waits for a processor all the time is let live for twice its wall time.
    """
    return 2 * limits.clock_s + 30
