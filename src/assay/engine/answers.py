"""What judges tell, read: taken over into the problem's task, or refused as strictly as a file.

A judge runs test code of third parties in a jail; what it says decides about its own problem and nothing else, and may be anything. So may
what an earlier run has kept of it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from assay.engine.links import JudgeDied
from assay.judge import SCREEN, Script, read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.engine.work import Task


def take_kept(task: Task, kept: tuple[Any, ...]) -> None:
    """Takes over what the reference told in an earlier run: calibration, totals, screen and questions.

    Raises:
        JudgeDied: If it can't be right.
    """
    calibration, totals, screen, questions = kept
    take_calibration(task, calibration, totals, screen)
    with _reading("what was kept"):
        task.questions = None if questions is None else read_questions(questions)


def forget_calibration(task: Task) -> None:
    """Leaves the problem as if its reference had told nothing."""
    task.calibration, task.totals, task.screen, task.questions = None, (), None, None
    task.forget_known()


def take_calibration(task: Task, calibration: bytes, totals: object, screen: object, *foretold: object) -> None:
    """Takes over what the reference's run told; `foretold` are report and script of programs that say the same, if they are known.

    Raises:
        JudgeDied: If it can't be right.
    """
    task.totals = read_totals(task, totals)
    with _reading("the judge's answer"):
        questions = () if screen is None else read_questions(screen)
    task.screen = None if screen is None else questions if len(questions) == SCREEN else ()
    task.calibration = calibration
    task.forget_known()
    if foretold:
        answer = read_answer(task, ("report", *foretold))
        if len(answer) == 3:
            task.know(answer[2], answer[1])


def read_totals(task: Task, told: object) -> tuple[int, ...]:
    """The numbers of cases in a judge's answer.

    Raises:
        JudgeDied: If they can't be right.
    """
    with _reading("the judge's answer"):
        return task.ruling.read_totals(told)


def read_answer(task: Task, answer: tuple[Any, ...]) -> tuple[Any, ...]:
    """A judge's answer; a report in it is read, once, as strictly as a file, and so is a script.

    Raises:
        JudgeDied: If it can't be read: then the judge is as good as dead.
    """
    if answer[0] != "report":
        return answer
    with _reading("the judge's report"):
        told, *script = answer[1:] or (None,)
        report = task.ruling.read_report(told, task.totals)
        return ("report", report, *(read_script(each) for each in script[:1]))


def read_script(told: object) -> Script:
    """A script.

    Raises:
        ValueError: It is none.
    """
    match told:
        case (
            str() as setup,
            tuple() as names,
            bytes() as plan,
            bytes() as replies,
            bytes() as questions,
            bytes() as answers,
        ):
            if replies and all(type(name) is str for name in names):
                return Script(setup, names, plan, replies, questions, answers)
    raise ValueError("it is no script")


@contextmanager
def _reading(what: str) -> Iterator[None]:
    """What can't be right ends the judge, whatever it is that was read."""
    try:
        yield
    except ValueError as error:
        raise JudgeDied(f"{what} can't be read: {error}") from None
