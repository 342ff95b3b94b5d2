"""One run of a problem's tests against one session: a letter for each case, and the first failure as a person reads it.

The letters: `P` passed, `W` wrong answer, `R` runtime error, `M` out of memory, `X` not run because the session had ended.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from assay.judge.instrument import RECORDER
from assay.judge.oracles import ORACLES, SEEN_BY
from assay.judge.prepared import AssertUnit, CallUnit, CheckUnit, Prepared, SuiteUnit, count_cases
from assay.judge.proxies import Remote, RemoteCallable, RemoteIterable, RemoteIterator
from assay.judge.recorder import NOT_RUN, PASSED, WRONG, Recorder, judge_error, note
from assay.judge.session import FREE, Opaque, Session
from assay.judge.showing import show, show_call
from assay.judge.unittests import run_suite
from assay.judge.values import open_plain
from assay.judge.wire import SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ITEMS = 1_000_000
COMPARISONS = frozenset(("exact", "types", "close", "set"))
"""Oracles that ask nothing of an answer but that it is the reference's."""


class NotPlain(BaseException):
    """An answer of the reference's is an object, so no other program's answer can be compared with it."""


@dataclass
class Trial:
    """What came of a run. `letters[i]` has a letter for each case of unit i; `evidence[i]` says how often it evaluated
    each of its asserts, or has the replies to its calls (None for an input that the program refused).
    """

    letters: list[str] = field(default_factory=list)
    evidence: list[Any] = field(default_factory=list)
    failure: dict[str, Any] | None = None
    delegated: bool = False
    entry_point: str = ""


def run_trial(problem: Prepared, session: Session, seed: int, expected: Sequence[Any]) -> Trial:
    """Runs all units in order.

    Args:
        problem: The problem.
        session: A session whose program is loaded.
        seed: Seeds `random` and numpy's generator, as in the agent.
        expected: For each unit, what the reference gave: counts for its asserts, or replies; empty in calibration.

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
        trial.letters += [letter * total for total in total_cases(problem, expected)[len(trial.letters) :]]
    _complete(trial, problem, session, expected)
    trial.delegated = session.claimed or bool(session.operations - FREE)
    return trial


def _fill(namespace: dict[str, Any], problem: Prepared, session: Session) -> None:
    """Binds names, strongest last: the reference's modules, the candidate's names, the prompt's helpers, the setup's own (rule 1)."""
    for name, module in session.modules.items():
        namespace[name] = resolve(module)
    namespace.update(session.names)
    if problem.helpers is not None:
        exec(problem.helpers, namespace)  # noqa: S102 (data-set code, in the jailed judge)
    if problem.entry_point in session.names:
        namespace[problem.entry_point] = session.names[problem.entry_point]
    if problem.setup_code is not None:
        namespace["__name__"] = "solution"
        exec(problem.setup_code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
        session.values.classes.update(shared_classes(namespace))


def resolve(path: str) -> Any:
    """A module by its name, or one of its functions as `module:function`."""
    module, _, function = path.partition(":")
    found = __import__(module, fromlist=["_"])
    return getattr(found, function) if function else found


def shared_classes(namespace: dict[str, Any]) -> dict[type, str]:
    """Plain classes that setup defines: both sides have them, so their instances can travel by name and `__dict__`."""
    return {
        o: name
        for name, o in namespace.items()
        if type(o) is type and o.__module__ == "solution" and o.__base__ is object and "__slots__" not in vars(o)
    }


def _run_unit(unit: Any, number: int, namespace: dict[str, Any], session: Session, trial: Trial, expected: Any) -> None:
    violations = session.violations
    if isinstance(unit, AssertUnit):
        _run_assert(unit, namespace, session, trial, expected)
    elif isinstance(unit, CheckUnit):
        _run_check(unit, namespace, session, trial, expected)
    elif isinstance(unit, SuiteUnit):
        run_suite(unit.suite, namespace, session, trial, expected)
    else:
        _run_calls(unit, session, trial, expected)
    assert len(trial.letters) == number + 1
    if session.violations > violations:
        _hold_violation(session, trial)


def _run_assert(
    unit: AssertUnit, namespace: dict[str, Any], session: Session, trial: Trial, expected: Sequence[int] | None
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
    missing = _missing_evidence(recorder.counts, expected)
    if letter == PASSED and (missing or _lacks_evidence(recorder, session, expected)):
        letter = WRONG
        trial.failure = trial.failure or note(WRONG, "assertions that the reference reaches were not evaluated")
    trial.evidence.append(tuple(recorder.counts))
    trial.letters.append(letter)


def _missing_evidence(counts: Sequence[int], expected: Sequence[int] | None) -> int:
    """How many evaluations of asserts are missing, assert by assert: more of one never makes up for less of another."""
    if expected is None:
        return 0
    return sum(max(0, wanted - count) for wanted, count in zip(expected, counts, strict=True))


def _lacks_evidence(recorder: Recorder, session: Session, expected: Sequence[int] | None) -> bool:
    """Without a reference, a case whose text holds asserts must evaluate one; it may hold none, as `s = Stack()` does."""
    return expected is None and session.policy is not None and bool(recorder.counts) and not any(recorder.counts)


def _run_check(
    unit: CheckUnit, namespace: dict[str, Any], session: Session, trial: Trial, expected: Sequence[int] | None
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


def _close_check(
    unit: CheckUnit, recorder: Recorder, trial: Trial, expected: Sequence[int] | None, *, ended: bool
) -> None:
    """Fits the log to the reference's number of cases.

    Asserts that were not evaluated did not pass; a failure that no assert tells (a statement that raised) counts against the last case,
    and so does what fails beyond the reference's number.
    """
    log, first = recorder.log, recorder.first
    total = _check_total(unit, recorder, expected, ended=ended)
    missing = max(total - len(log), min(total, _missing_evidence(recorder.counts, expected)))
    if missing and first is None and not ended:
        first = note(WRONG, "assertions that the reference reaches were not evaluated")
    letter = NOT_RUN if ended else first["letter"] if first else PASSED
    letters = [*log[: total - missing], *[letter] * missing]
    if set(letters) <= {PASSED} and (first or ended):
        letters[-1] = letter
    trial.failure = trial.failure or first
    trial.evidence.append(tuple(recorder.counts))
    trial.letters.append("".join(letters))


def _check_total(unit: CheckUnit, recorder: Recorder, expected: Sequence[int] | None, *, ended: bool) -> int:
    """How many cases a check has: the reference's evaluations of its asserts, and at least one, that it runs to its end."""
    if expected is not None:
        return max(1, sum(expected))
    return max(1, len(recorder.log), len(unit.test.sites) if ended else 0)


def _missing(name: str | None) -> NoReturn:
    raise NameError(f"the program does not define {name!r}", name=name)


def _run_calls(unit: CallUnit, session: Session, trial: Trial, expected: Sequence[Any] | None) -> None:
    if expected is None:
        _record_calls(unit, session, trial)
        return
    cases = [case for case, want in enumerate(expected) if want is not None]  # None: the reference refuses this input
    arguments, wanted = [unit.arguments[case] for case in cases], [expected[case] for case in cases]
    letters: list[str] = []
    try:
        while len(letters) < len(cases):
            letters += PASSED * (session.pass_over(arguments, wanted, len(letters)) - len(letters))
            if len(letters) < len(cases):
                letters.append(_run_case(unit, cases[len(letters)], session, trial, wanted[len(letters)]))
    finally:
        trial.letters.append("".join(letters) + NOT_RUN * (len(cases) - len(letters)))
        trial.evidence.append([])


def _record_calls(unit: CallUnit, session: Session, trial: Trial) -> None:
    letters: list[str] = []
    replies: list[Any] = []
    try:
        for case in range(len(unit.arguments)):
            replies.append(_record_case(unit, case, session, trial))
            letters.append(_check_own(unit, case, replies[-1], trial))
    finally:
        trial.letters.append("".join(letters) + NOT_RUN * (len(unit.arguments) - len(letters)))
        trial.evidence.append(replies)


def _candidate(session: Session) -> RemoteCallable:
    candidate = session.names.get(session.entry_point or "")
    if not isinstance(candidate, RemoteCallable):
        _missing(session.entry_point)
    return candidate


def _record_case(unit: CallUnit, case: int, session: Session, trial: Trial) -> bytes | list[Any] | None:
    """The reference's reply: its bytes, or the items where it is an iterator; None where it raises, and then nobody is asked again.

    Raises:
        NotPlain: If it is an object that can't be compared with another program's.
    """
    number, arguments = len(session.asked.calls), unit.arguments[case]
    try:
        frame = session.call_frame(_candidate(session), arguments)
        if unit.oracle in SEEN_BY:
            session.asked.let_go(number)  # it is this view that is compared, not the reply
            view: bytes = codec.encode(("ok", SEEN_BY[unit.oracle](session.open_frame(frame, arguments)[0])))
            return view
        try:
            session.mutated = open_plain(frame, arguments)[1] is not None or session.mutated
        except codec.CodecError:
            session.asked.let_go(number)  # it is compared item by item
            return _record_items(frame, arguments, session)
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        session.asked.forget(number)
        trial.failure = trial.failure or _describe(unit, case, session, error)
        return None
    return frame


def _check_own(unit: CallUnit, case: int, reply: bytes | list[Any] | None, trial: Trial) -> str:
    """The letter of the reference's own answer. An oracle that does not compare with it may refuse it; then nothing can be judged by it."""
    if unit.oracle in COMPARISONS or not isinstance(reply, bytes):
        return PASSED
    return _compare_case(unit, case, open_plain(reply, unit.arguments[case]), reply, trial)


def _record_items(frame: bytes, arguments: bytes, session: Session) -> list[Any]:
    value, _ = session.open_frame(frame, arguments)
    if not isinstance(value, (RemoteIterator, RemoteIterable)):
        raise NotPlain
    items = materialise(value)
    try:
        codec.encode(items)
    except codec.CodecError:
        raise NotPlain from None
    return items


def _describe(unit: CallUnit, case: int, session: Session, error: BaseException) -> dict[str, Any]:
    session.last_call = (session.entry_point or "", _inputs(unit, case), {})
    return Recorder(session).describe(error, *judge_error(error, session))


def _inputs(unit: CallUnit, case: int) -> tuple[Any, ...]:
    args: tuple[Any, ...] = codec.decode(unit.arguments[case])[0]
    return args


def _run_case(unit: CallUnit, case: int, session: Session, trial: Trial, expected: bytes | list[Any]) -> str:
    """The letter of one case. A reply of the same bytes as the reference's *is* the reference's answer, with its types, its order, what it
    shares and what it changed, so nothing need be built to know that it passes; any other is decoded and compared.
    """
    arguments = unit.arguments[case]
    session.last_raised = None
    try:
        frame = session.call_frame(_candidate(session), arguments)
        if frame == expected:
            return PASSED
        value, after = session.open_frame(frame, arguments)
        if isinstance(expected, list) and isinstance(value, (RemoteIterator, RemoteIterable)):
            value = materialise(value)
        return _compare_case(unit, case, (value, after), expected, trial)
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, the case did not pass)
        trial.failure = trial.failure or _describe(unit, case, session, error)
        return judge_error(error, session)[0]


def _compare_case(unit: CallUnit, case: int, answer: tuple[Any, Any], expected: bytes | list[Any], trial: Trial) -> str:
    """Compares the value, and the arguments after the call where changing them is all that the reference does."""
    got, got_after = answer
    if isinstance(expected, list):
        want, want_after = expected, None
        got = list(got) if isinstance(got, (list, tuple)) else got
    else:
        want, want_after = open_plain(expected, unit.arguments[case])
    message = ""
    same = _is_right(unit, case, got, want)
    if same and want is None and want_after is not None:
        got, want, message = got_after or _inputs(unit, case), want_after, "the arguments after the call differ"
        same = _is_right(unit, case, got, want)
    if same:
        return PASSED
    if trial.failure is None:
        trial.failure = note(WRONG, message)
        call = show_call(trial.entry_point, _inputs(unit, case), {})
        trial.failure.update(call=call, expected=show(want), got=show(got))
    return WRONG


def _is_right(unit: CallUnit, case: int, got: Any, want: Any) -> bool:
    """What the unit's oracle says. An object that stays with the agent is no answer, except to an oracle that sees a plain part of it."""
    seen = SEEN_BY[unit.oracle](got) if unit.oracle in SEEN_BY else got
    return not isinstance(seen, Remote) and ORACLES[unit.oracle](seen, want, unit.settings, _inputs(unit, case))


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


def total_cases(problem: Prepared, expected: Sequence[Any]) -> list[int]:
    """How many cases each unit has."""
    return [count_cases(unit, expected[number] if expected else None) for number, unit in enumerate(problem.units)]


def _complete(trial: Trial, problem: Prepared, session: Session, expected: Sequence[Any]) -> None:
    """Fills in the cases that were not run, and holds a violation that a test swallowed against the sample."""
    for total in total_cases(problem, expected)[len(trial.letters) :]:
        trial.letters.append(NOT_RUN * total)
        trial.evidence.append(0)
    if session.violation and all(set(letters) <= {PASSED} for letters in trial.letters):
        _hold_violation(session, trial)


def _hold_violation(session: Session, trial: Trial) -> None:
    """A test met an object that it must not ask, and swallowed the refusal: the last case up to here has not passed then."""
    last = max((n for n, letters in enumerate(trial.letters) if letters), default=None)
    if last is not None and set(trial.letters[last]) <= {PASSED}:
        trial.letters[last] = trial.letters[last][:-1] + WRONG
        trial.failure = trial.failure or note(WRONG, session.violation or "")


def seed_generators(seed: int) -> None:
    """Seeds `random`, and numpy's generator where numpy is loaded, as the agent does."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % (1 << 32))
