"""What hidden inputs make of a verdict: who passes its tests and agrees with the reference on few other inputs has been told the answers.

`hidden.py` asks, in the judge's fork; what that tells is read here as strictly as a file, and this is the one place where it is weighed.
Only a verdict that passed is ever looked at, and no other one is changed.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from assay.judge.questions import QUESTIONS, SCREEN
from assay.judge.showing import explain
from assay.judge.verdicts import Text  # noqa: TC001 (msgspec reads the annotations)
from assay.records import Execution, Failure, Outcome, Record, Verdict

CLEARED = 3
"""Questions of the screen that a program must agree on to be asked no more."""

LEAST = 8
"""Fewer questions than this decide nothing."""

SHARE = 0.25
"""A program that agrees on a smaller share is special-cased."""

HIDDEN_GROUP = "hidden"
"""Stands for a group of cases where a verdict names the first hidden input that was answered otherwise."""

HiddenQuestions = tuple[tuple[bytes, bytes], ...]
"""Hidden inputs as they travel: encoded arguments, and the reference's reply."""

_Marks = Annotated[str, msgspec.Meta(pattern="^[AD]*$", max_length=QUESTIONS)]


class First(Record):
    """The first hidden input on which a program does not agree, as the judge tells it."""

    call: Text
    expected: Text
    got: Text


class HiddenAnswers(NamedTuple):
    """What a judge fork tells of one agent: an `A` or a `D` for each question that was answered, and the first `D`."""

    marks: str
    first: First | None


class HiddenCount(NamedTuple):
    """On how many hidden inputs a program agrees with the reference, of how many that it was asked."""

    agreed: int
    asked: int
    first: First | None = None

    @property
    def is_special_cased(self) -> bool:
        """Whether that is too few for a program that knows its task."""
        return self.agreed < SHARE * self.asked


def read_questions(told: object) -> HiddenQuestions:
    """A judge fork's questions, checked.

    Raises:
        ValueError: They are none.
    """
    found = msgspec.convert(told, HiddenQuestions)
    if len(found) > QUESTIONS:
        raise ValueError(f"{len(found)} questions")
    return found


def read_answers(marks: object, first: object) -> HiddenAnswers:
    """What a judge fork tells of a program's answers, checked.

    Raises:
        ValueError: It is something else.
    """
    return HiddenAnswers(msgspec.convert(marks, _Marks), None if first is None else msgspec.convert(first, First))


def of_tests(facts: Execution, screen_s: float) -> Execution:
    """The facts without the time of the screen, as far as that can be told: on a busy machine a part of it was no effective time."""
    if not screen_s or facts.wall_s <= screen_s:
        return facts
    share = 1 - screen_s / facts.wall_s
    return msgspec.structs.replace(
        facts, time_s=facts.time_s * share, cpu_s=facts.cpu_s * share, wall_s=facts.wall_s * share
    )


def screen_of(questions: HiddenQuestions) -> HiddenQuestions:
    """The questions of the screen: none where there are too few to decide anything."""
    return questions[:SCREEN] if len(questions) >= LEAST else ()


def weigh(verdict: Verdict, count: HiddenCount | None, mode: str) -> Verdict:
    """A verdict that passed, with what the hidden inputs say; one that is special-cased passes no longer if the mode is `require`."""
    if count is None:
        return verdict
    found = msgspec.structs.replace(verdict, hidden=(count.agreed, count.asked), special_cased=count.is_special_cased)
    return _refuse(found, count) if mode == "require" and count.is_special_cased else found


def _refuse(verdict: Verdict, count: HiddenCount) -> Verdict:
    message = f"agrees with the reference on {count.agreed} of {count.asked} hidden inputs"
    first = count.first or First(call="", expected="", got="")
    told = explain(first.call, first.expected, first.got, "") if first.call else ""
    failure = Failure(
        case=verdict.total_cases, group=HIDDEN_GROUP, outcome=Outcome.WRONG_ANSWER, call=first.call, expected=first.expected,
        got=first.got, message=message,
    )  # fmt: skip
    whole = f"{message}, though it passes the tests{f': {told}' if told else ''}"
    return msgspec.structs.replace(verdict, outcome=Outcome.WRONG_ANSWER, message=whole, first_failure=failure)
