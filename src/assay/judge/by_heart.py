"""Programs that answer just as the reference did: what comes of their tests is known, and they need not be run again.

A plain test (`plainness.py`) is built of calls of the candidate, of literals and of what Python does with plain values: no clock, no
chance, nothing outside. What comes of it is decided by the replies that it gets. Where these are the reference's, byte for byte and every
one, it comes out as it did for the reference, which passed. Nothing is taken on trust: it is the same bytes, or the tests run.

What keeps the door small: all that the tests asked of the reference must have been calls of its entry point, a function, with plain
arguments, and all that came back data. So no test has asked anything of an object, or of a name that the candidate could define otherwise.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.judge.recorder import PASSED
from assay.judge.trial import Trial, total_cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judge.prepared import Prepared
    from assay.judge.session import Session


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
