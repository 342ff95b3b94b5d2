"""What an instrumented test talks to while it runs: it counts asserts, remembers what they compared, and names what went wrong.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from assay.judge.loading import with_line
from assay.judge.session import Opaque, Session
from assay.judge.showing import cut, show, show_call

if TYPE_CHECKING:
    from assay.judge.instrument import Instrumented

PASSED, WRONG, RUNTIME, MEMORY, NOT_RUN = "PWRMX"
"""The letters of a case: passed, wrong answer, runtime error, out of memory, not run because the session had ended."""

_COMPARE: dict[str, Any] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


class Recorder:
    """What `instrument` makes a test talk to, under the name `__assay__`."""

    isolated = (Exception, Opaque)

    def __init__(self, session: Session, test: Instrumented | None = None) -> None:
        self._session = session
        self.test = test
        self.log: list[str] = []
        self.counts = [0] * (len(test.sites) if test else 0)
        self.first: dict[str, Any] | None = None
        self._sides: tuple[str, object, object] | None = None
        self._site: int | None = None
        self._text = ""

    def settle(self) -> None:
        """A statement ended: changes to arguments that were held back come in."""
        self._session.settle()

    def compare(self, site: int, name: str, left: object, right: object) -> object:
        """Evaluates an assert's comparison and remembers both sides."""
        self._site, self._sides = site, (name, left, right)
        return _COMPARE[name](left, right)

    def truth(self, site: int, value: object) -> object:
        """Remembers which assert is at its decision."""
        self._site, self._sides = site, None
        return value

    def watch(self, sides: tuple[str, object, object] | None, text: str) -> None:
        """Remembers what an assertion asks that is no statement: the operator with both sides, where there are two, and its text."""
        self._site, self._sides, self._text = None, sides, text

    def held(self, site: int) -> None:
        """An assert was evaluated and held."""
        self.log.append(PASSED)
        self.counts[site] += 1
        self._session.settle()

    def failed(self, site: int | None, error: BaseException) -> None:
        """An isolated statement failed; `site` is its number where it is an assert."""
        letter, message = judge_error(error, self._session)
        if site is not None:
            self.log.append(letter)
            self.counts[site] += 1
        if self.first is None:
            self.first = self.describe(error, letter, message)
        self._session.settle()

    def describe(self, error: BaseException, letter: str, message: str) -> dict[str, Any]:
        """The failure as plain texts: call, expected, got, message."""
        failure = note(letter, message)
        if error is self._session.last_raised:
            failure["frames"] = self._session.last_frames
        if self._session.last_call is not None:
            failure["call"] = show_call(*self._session.last_call)
        if isinstance(error, AssertionError) and error is not self._session.last_raised:
            self._explain(failure)
        return failure

    def _explain(self, failure: dict[str, Any]) -> None:
        if self._sides is not None:
            name, left, right = self._sides
            failure["got"] = show(left)
            failure["expected"] = ("" if name == "==" else f"{name} ") + show(right)
        elif self._site is not None and self.test is not None:
            failure["expected"] = cut(self.test.sites[self._site].text)
        else:
            failure["expected"] = cut(self._text)


def note(letter: str, message: str) -> dict[str, Any]:
    """A failure that no call and no comparison tells."""
    return {"letter": letter, "message": message, "call": "", "expected": "", "got": ""}


def judge_error(error: BaseException, session: Session) -> tuple[str, str]:
    """`(letter, message)` for what ended a case: the candidate's own exceptions are its runtime errors, an assert's is a wrong answer."""
    if isinstance(error, Opaque):
        return WRONG, str(error)
    if isinstance(error, MemoryError):
        return MEMORY, "MemoryError"
    if isinstance(error, NameError) and error.name == session.entry_point and error.name not in session.names:
        return RUNTIME, f"the program does not define {error.name!r}"
    name = type(error).__name__
    text = cut(str(error)) if type(error).__module__ == "builtins" else ""
    told = f"{name}: {text}" if text else name
    if error is session.last_raised:
        return RUNTIME, with_line(told, session.last_frames)
    if isinstance(error, AssertionError):
        return WRONG, text
    return RUNTIME, f"the test met {told}"
