"""Programs that answer just as the reference did: what comes of their tests is known, and they need not be run again.

A plain test (`plainness.py`) is built of calls of the candidate, of literals and of what Python does with plain values: no clock, no
chance, nothing outside. What comes of it is decided by the replies that it gets. Where these are the reference's, byte for byte and every
one, it comes out as it did for the reference, which passed. Nothing is taken on trust: it is the same bytes, or the tests run.

The reference, or the first program that passes so, shows what others may say: the *script* is what is said to it and what it answers, as
bytes. An agent that keeps to the script needs no judge at all, since all that a judge knows of a program is what its agent says; the
sandbox holds both side by side (`sandbox/inside/ear.py`). One that says anything else comes here, with all that it has said.

What keeps the door small: all that the tests asked of the reference must have been calls of its entry point, a function, with plain
arguments, and all that came back data. So no test has asked anything of an object, or of a name that the candidate could define otherwise.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.judge.recorder import PASSED
from assay.judge.script import Script
from assay.judge.trial import Trial, total_cases
from assay.judge.wire import framed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judge.hidden import Screen
    from assay.judge.loading import Program
    from assay.judge.plan import Plan
    from assay.judge.prepared import Prepared
    from assay.judge.session import Session


def script_of(program: Program, plan: Plan, loaded: bytes, screen: Screen | None) -> Script:
    """What a program has kept to that said `loaded`, passed by heart, and agreed on all of the screen, if there is one."""
    replies = (loaded, *(answer for answer in plan.answers if answer is not None))
    questions = b"" if screen is None else framed(screen.batch.data)
    answers = () if screen is None else (question.answer for question in screen.questions)
    return Script(
        program.setup,
        program.names,
        plan.data,
        b"".join(map(framed, replies)),
        questions,
        b"".join(map(framed, answers)),
    )


def can_be_known(session: Session) -> bool:
    """Whether a run of plain tests that has just ended asked for nothing but data, from the entry point alone, and all replies are kept."""
    asked = session.asked
    # its own handle in a reply would be data of another kind: what has that number is for each program to say
    alone = len(session.names) == session.values.mentions == 1 and session.is_entry_a_function
    return asked.goes_on and alone and bool(asked.answers) and None not in asked.answers


def repeats_the_reference(session: Session) -> bool:
    """Whether the replies to the plan are the reference's, all of them; they count as used then."""
    return session.is_entry_a_function and session.replies.repeat_the_reference()


def passed_like_the_reference(problem: Prepared, session: Session, expected: Sequence[Any]) -> Trial:
    """The trial that such a program would have had."""
    letters = [PASSED * total for total in total_cases(problem, expected)]
    return Trial(letters, entry_point=problem.entry_point or "", delegated=session.claimed)
