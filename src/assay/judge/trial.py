"""One run of a problem's tests against one session: a letter for each case, and the first failure as a person reads it.

The letters: `P` passed, `W` wrong answer, `R` runtime error, `M` out of memory, `X` not run because the session had ended.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import operator
import random
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from assay.judge.instrument import RECORDER, Instrumented
from assay.judge.oracles import ORACLES
from assay.judge.prepared import AssertUnit, CallUnit, CheckUnit, Prepared
from assay.judge.proxies import Remote, RemoteCallable, RemoteIterable, RemoteIterator
from assay.judge.session import FREE, Opaque, Session
from assay.judge.showing import cut, show, show_call
from assay.judge.values import open_plain
from assay.judge.wire import SessionEnded

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSED, WRONG, RUNTIME, MEMORY, NOT_RUN = "PWRMX"
MAX_ITEMS = 1_000_000

_COMPARE: dict[str, Any] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


@dataclass
class Trial:
    """What came of a run. `letters[i]` has a letter for each case of unit i; `evidence[i]` is the number of asserts that it
    evaluated, or the replies to its calls (None for an input that the program refused).
    """

    letters: list[str] = field(default_factory=list)
    evidence: list[Any] = field(default_factory=list)
    failure: dict[str, Any] | None = None
    delegated: bool = False
    entry_point: str = ""


class Recorder:
    """What `instrument` makes a test talk to, under the name `__assay__`."""

    isolated = (Exception, Opaque)

    def __init__(self, session: Session, test: Instrumented | None = None) -> None:
        self._session = session
        self.test = test
        self.log: list[str] = []
        self.first: dict[str, Any] | None = None
        self._sides: tuple[str, object, object] | None = None
        self._site: int | None = None

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

    def held(self, _: int) -> None:
        """An assert was evaluated and held."""
        self.log.append(PASSED)
        self._session.settle()

    def failed(self, site: int | None, error: BaseException) -> None:
        """An isolated statement failed; `site` is its number where it is an assert."""
        letter, message = judge_error(error, self._session)
        if site is not None or (letter == WRONG and isinstance(error, AssertionError)):
            self.log.append(letter)
        if self.first is None:
            self.first = self.describe(error, letter, message)
        self._session.settle()

    def describe(self, error: BaseException, letter: str, message: str) -> dict[str, Any]:
        """The failure as plain texts: call, expected, got, message."""
        failure = {"letter": letter, "message": message, "call": "", "expected": "", "got": ""}
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
        return RUNTIME, told if session.last_line is None else f"{told} (line {session.last_line})"
    if isinstance(error, AssertionError):
        return WRONG, text
    return RUNTIME, f"the test met {told}"


def run_trial(problem: Prepared, session: Session, seed: int, expected: Sequence[Any]) -> Trial:
    """Runs all units in order.

    Args:
        problem: The problem.
        session: A session whose program is loaded.
        seed: Seeds `random` and numpy's generator, as in the agent.
        expected: For each unit, what the reference gave: a count of asserts, or the replies of a call unit; empty in calibration.

    Raises:
        Mismatch: If the session's plan does not fit; the trial must be run again without one.
    """
    seed_generators(seed)
    trial = Trial(entry_point=problem.entry_point or "")
    namespace: dict[str, Any] = {"__name__": "assay_tests"}
    recorder = Recorder(session)
    namespace[RECORDER] = recorder
    try:
        _fill(namespace, problem, session)
        for number, unit in enumerate(problem.units):
            _run_unit(unit, number, namespace, session, trial, expected[number] if expected else None)
    except SessionEnded:
        pass  # the cases that are missing are filled in below
    except Opaque as error:
        trial.failure = trial.failure or recorder.describe(error, WRONG, str(error))
    except Exception as error:  # noqa: BLE001 (setup of the tests failed against this candidate)
        letter, message = judge_error(error, session)
        trial.failure = trial.failure or recorder.describe(error, letter, message)
        trial.letters += [letter * _total(u, expected, n) for n, u in enumerate(problem.units)][len(trial.letters) :]
    _complete(trial, problem, session, expected)
    trial.delegated = bool(session.operations - FREE)
    return trial


def _fill(namespace: dict[str, Any], problem: Prepared, session: Session) -> None:
    """Binds names, strongest last: the reference's modules, the candidate's names, the prompt's helpers, the setup's own (rule 1)."""
    for name, module in session.modules.items():
        namespace[name] = __import__(module, fromlist=["_"])
    namespace.update(session.names)
    if problem.helpers is not None:
        exec(problem.helpers, namespace)  # noqa: S102 (data-set code, in the jailed judge)
    if problem.entry_point in session.names:
        namespace[problem.entry_point] = session.names[problem.entry_point]
    if problem.setup_code is not None:
        namespace["__name__"] = "solution"
        exec(problem.setup_code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
        session.values.classes.update(shared_classes(namespace))


def shared_classes(namespace: dict[str, Any]) -> dict[type, str]:
    """Plain classes that setup defines: both sides have them, so their instances can travel by name and `__dict__`."""
    return {
        o: name
        for name, o in namespace.items()
        if type(o) is type and o.__module__ == "solution" and o.__base__ is object and "__slots__" not in vars(o)
    }


def _run_unit(unit: Any, number: int, namespace: dict[str, Any], session: Session, trial: Trial, expected: Any) -> None:
    if isinstance(unit, AssertUnit):
        _run_assert(unit, namespace, session, trial, expected)
    elif isinstance(unit, CheckUnit):
        _run_check(unit, namespace, session, trial, expected)
    else:
        _run_calls(unit, session, trial, expected)
    assert len(trial.letters) == number + 1


def _run_assert(
    unit: AssertUnit, namespace: dict[str, Any], session: Session, trial: Trial, expected: int | None
) -> None:
    recorder = Recorder(session, unit.test)
    namespace[RECORDER] = recorder
    session.last_call = session.last_raised = None
    letter = PASSED
    try:
        exec(unit.test.code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
        session.settle()
        if session.ended:
            raise SessionEnded(session.ended)
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        letter, message = judge_error(error, session)
        trial.failure = trial.failure or recorder.describe(error, letter, message)
    count = len(recorder.log)
    needed = _needed(unit, session, expected)
    if letter == PASSED and count < needed:
        letter = WRONG
        trial.failure = trial.failure or _note(WRONG, f"{count} assertions were evaluated, at least {needed} should be")
    trial.evidence.append(count)
    trial.letters.append(letter)


def _needed(unit: AssertUnit, session: Session, expected: int | None) -> int:
    """How many asserts a case must evaluate: as many as the reference did. Without one, at least one where the text holds any. A case
    may hold none at all (`s = Stack()`), but calibration refuses a problem in which no case has any.
    """
    if expected is not None:
        return expected
    return 0 if session.policy is None else min(1, len(unit.test.sites))


def _run_check(
    unit: CheckUnit, namespace: dict[str, Any], session: Session, trial: Trial, expected: int | None
) -> None:
    recorder = Recorder(session, unit.test)
    namespace[RECORDER] = recorder
    try:
        candidate = session.names.get(session.entry_point or "")
        if candidate is None:
            _missing(session.entry_point)
        exec(unit.test.code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
        namespace["check"](candidate)
        session.settle()
        if session.ended:
            raise SessionEnded(session.ended)
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        recorder.failed(None, error)
    finally:
        _close_check(unit, recorder, trial, expected, ended=session.ended is not None)


def _close_check(unit: CheckUnit, recorder: Recorder, trial: Trial, expected: int | None, *, ended: bool) -> None:
    """Fits the log to the reference's number of cases: what is missing was not evaluated, what is too much counts with the last."""
    log = recorder.log
    total = expected if expected is not None else max(len(log), len(unit.test.sites))
    trial.failure = trial.failure or recorder.first
    trial.evidence.append(len(log))
    if len(log) > total:
        extra = next((x for x in log[total - 1 :] if x != PASSED), PASSED)
        log = [*log[: total - 1], extra]
    if len(log) < total:
        reason = recorder.first["letter"] if recorder.first else WRONG
        log = log + [NOT_RUN if ended else reason] * (total - len(log))
        if not ended and trial.failure is None:
            trial.failure = _note(WRONG, f"{trial.evidence[-1]} assertions were evaluated, {total} should be")
    trial.letters.append("".join(log))


def _missing(name: str | None) -> NoReturn:
    raise NameError(f"the program does not define {name!r}", name=name)


def _run_calls(unit: CallUnit, session: Session, trial: Trial, expected: Sequence[Any] | None) -> None:
    letters: list[str] = []
    replies: list[Any] = []
    try:
        for case in range(len(unit.arguments)):
            if expected is None:
                replies.append(_record_case(unit, case, session, trial))
                letters.append(PASSED)
            elif expected[case] is not None:  # None: the reference itself refuses this input, so it is no case
                letters.append(_run_case(unit, case, session, trial, expected[case]))
    finally:
        total = len(unit.arguments) if expected is None else sum(e is not None for e in expected)
        trial.letters.append("".join(letters) + NOT_RUN * (total - len(letters)))
        trial.evidence.append(replies)


def _candidate(session: Session) -> RemoteCallable:
    candidate = session.names.get(session.entry_point or "")
    if not isinstance(candidate, RemoteCallable):
        _missing(session.entry_point)
    return candidate


def _record_case(unit: CallUnit, case: int, session: Session, trial: Trial) -> bytes | list[Any] | None:
    """The reference's reply: its bytes, or the items where it is an iterator; None where it raises."""
    try:
        frame = session.call_frame(_candidate(session), unit.inputs[case], unit.arguments[case])
        value, _ = session.open_frame(frame, unit.arguments[case])
        return materialise(value) if isinstance(value, (RemoteIterator, RemoteIterable)) else frame
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        trial.failure = trial.failure or Recorder(session).describe(error, *judge_error(error, session))
        return None


def _run_case(unit: CallUnit, case: int, session: Session, trial: Trial, expected: bytes | list[Any]) -> str:
    session.last_raised = None
    try:
        frame = session.call_frame(_candidate(session), unit.inputs[case], unit.arguments[case])
        if frame == expected:
            return PASSED
        value, after = session.open_frame(frame, unit.arguments[case])
        if isinstance(expected, list) and isinstance(value, (RemoteIterator, RemoteIterable)):
            value = materialise(value)
        return _compare_case(unit, case, (value, after), expected, trial)
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        letter, message = judge_error(error, session)
        trial.failure = trial.failure or Recorder(session).describe(error, letter, message)
        return letter


def _compare_case(unit: CallUnit, case: int, answer: tuple[Any, Any], expected: bytes | list[Any], trial: Trial) -> str:
    """Compares the value, and the arguments after the call where changing them is all that the reference does."""
    got, got_after = answer
    if isinstance(expected, list):
        want, want_after = expected, None
        got = list(got) if isinstance(got, (list, tuple)) else got
    else:
        want, want_after = open_plain(expected, unit.arguments[case])
    oracle = ORACLES[unit.oracle]
    same = not isinstance(got, Remote) and oracle(got, want, unit.settings)
    message = ""
    if same and want is None and want_after is not None:
        got, want, message = got_after or unit.inputs[case], want_after, "the arguments after the call differ"
        same = oracle(got, want, unit.settings)
    if same:
        return PASSED
    if trial.failure is None:
        trial.failure = _note(WRONG, message)
        call = show_call(trial.entry_point, unit.inputs[case], {})
        trial.failure.update(call=call, expected=show(want), got=show(got))
    return WRONG


def materialise(value: Any) -> list[Any]:
    """The items of an iterator of the candidate's.

    Raises:
        MemoryError: If there is no end to them.
    """
    out = []
    for item in value:
        out.append(item)
        if len(out) > MAX_ITEMS:
            raise MemoryError
    return out


def _note(letter: str, message: str) -> dict[str, Any]:
    return {"letter": letter, "message": message, "call": "", "expected": "", "got": ""}


def _total(unit: Any, expected: Sequence[Any], number: int) -> int:
    """How many cases a unit has."""
    if isinstance(unit, AssertUnit):
        return 1
    given = expected[number] if expected else None
    if isinstance(unit, CheckUnit):
        return len(unit.test.sites) if given is None else int(given)
    return len(unit.arguments) if given is None else sum(e is not None for e in given)


def total_cases(problem: Prepared, expected: Sequence[Any]) -> list[int]:
    """How many cases each unit has."""
    return [_total(unit, expected, number) for number, unit in enumerate(problem.units)]


def _complete(trial: Trial, problem: Prepared, session: Session, expected: Sequence[Any]) -> None:
    """Fills in the cases that were not run, and holds a violation that a test swallowed against the sample."""
    for number in range(len(trial.letters), len(problem.units)):
        trial.letters.append(NOT_RUN * _total(problem.units[number], expected, number))
        trial.evidence.append(0)
    if session.violation and all(set(letters) <= {PASSED} for letters in trial.letters):
        trial.letters[-1] = trial.letters[-1][:-1] + WRONG
        trial.failure = trial.failure or _note(WRONG, session.violation)


def seed_generators(seed: int) -> None:
    """Seeds `random`, and numpy's generator where numpy is loaded, as the agent does."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % (1 << 32))
