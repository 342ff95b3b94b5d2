"""One run of a unittest suite against one session: each test method is a case.

unittest's own machinery runs the suite: fixtures, clean-ups, subtests and skips are as in Python. What it says is only listened to. A case
passes if its method ran to its end without a failure, was neither skipped nor expected to fail, and evaluated each of its assertions at
least as often as it did with the reference. Tests that the reference's own run skips, or that are expected to fail, are no cases.

Runs inside the jailed judge process: standard library only. `unittest` is loaded when the first suite runs: most problems have none.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any, Protocol

from assay.judge.assertions import Assertions, watching
from assay.judge.instrument import RECORDER
from assay.judge.recorder import NOT_RUN, PASSED, WRONG, judge_error, note
from assay.judge.session import Mismatch, Opaque, Session
from assay.judge.showing import cut
from assay.judge.suites import SOLUTION
from assay.judge.wire import SessionEnded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.judge.suites import Suite

Evidence = dict[str, tuple[tuple[int, int], ...]]
"""By the name of each case, how often it evaluated each of its assertions: pairs of a place in the code and a number."""

_MODULE = "assay_tests"
_SKIPPED = "S"
"""The letter, in this file only, of a test that was skipped or is expected to fail."""

_UNREACHED = "assertions that the reference reaches were not evaluated"


class Sheet(Protocol):
    """Where it is written down what came of each unit of tests: a `trial.Trial`."""

    letters: list[str]
    evidence: list[Any]
    failure: dict[str, Any] | None


def run_suite(
    suite: Suite, namespace: dict[str, Any], session: Session, sheet: Sheet, expected: Evidence | None
) -> None:
    """Runs a suite and writes down what came of it. `expected` is what the reference's run gave, None in calibration.

    Raises:
        SessionEnded: If the agent was gone before the last case.
        Mismatch: If the session's plan does not fit.
    """
    run = _Run(suite, session, expected)
    try:
        run.run(namespace)
    finally:
        letters = run.close()
        sheet.failure = sheet.failure or run.failure
        sheet.evidence.append(run.evidence)
        sheet.letters.append(letters)


class _Run:
    """What unittest reports to (it takes anything that has the methods of a `TestResult`), and what becomes of it.

    `letters` and `evidence` are by the names of the cases, in the order in which they run.
    """

    failfast = False
    shouldStop = False

    def __init__(self, suite: Suite, session: Session, expected: Evidence | None) -> None:
        self._suite = suite
        self._session = session
        self._expected = expected
        self._assertions = Assertions(suite, session)
        self._namespace: dict[str, Any] = {}
        self._tests: dict[
            int, tuple[str, object]
        ] = {}  # with the test itself: unittest lets go of it, and its number would be used again
        self._case: str | None = None
        self._outside: str | None = None
        self._skips_class = False
        self._violations = 0
        self._interrupted: BaseException | None = None
        self.letters: dict[str, str] = {}
        self.evidence: Evidence = {}
        self.failure: dict[str, Any] | None = None

    def run(self, namespace: dict[str, Any]) -> None:
        """Defines the suite's classes in the namespace and runs their tests."""
        self._namespace = namespace
        module = sys.modules[_MODULE] = types.ModuleType(_MODULE)
        try:
            with watching(self._assertions):
                self._define()
                suite = self._collect()
                vars(module).update(namespace)  # unittest looks for `setUpModule` there
                suite.run(self)
        except (Exception, Opaque, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 (whatever it is, it was no pass)
            self._outside = self._outside or self._tell(error)
        finally:
            del sys.modules[_MODULE]
        if self._interrupted is not None:
            raise self._interrupted

    def _define(self) -> None:
        import unittest  # noqa: PLC0415 (see the module's docstring)

        names, entry = self._session.names, self._session.entry_point
        self._namespace.update({"__name__": _MODULE, "__file__": f"{_MODULE}.py", SOLUTION: _Solution(names)})
        self._namespace.setdefault("unittest", unittest)
        self._namespace[RECORDER] = self._assertions.begin()
        if entry is not None and "." not in entry and entry not in names:
            raise NameError(f"the program does not define {entry!r}", name=entry)
        exec(self._suite.test.code, self._namespace)  # noqa: S102 (data-set code, in the jailed judge)
        self._session.settle()

    def _collect(self) -> Any:
        """The tests in unittest's order: classes by the names that they are bound to, then methods."""
        import unittest  # noqa: PLC0415 (see the module's docstring)

        seen: set[object] = {unittest.TestCase, unittest.FunctionTestCase}
        found_tests: list[Any] = []
        for bound in sorted(self._namespace):
            found = self._namespace[bound]
            if isinstance(found, type) and issubclass(found, unittest.TestCase) and found not in seen:
                seen.add(found)
                tests: list[Any] = list(unittest.defaultTestLoader.loadTestsFromTestCase(found))
                self._tests |= {id(test): (f"{bound}.{test.id().rpartition('.')[2]}", test) for test in tests}
                found_tests += tests
        self.letters = {name: NOT_RUN for name, _ in self._tests.values()}
        return unittest.TestSuite(found_tests)

    # -- what unittest reports

    def startTest(self, test: object) -> None:
        """A test begins."""
        self._case = self._tests.get(id(test), (None, None))[0]
        self._violations = self._session.violations
        self._namespace[RECORDER] = self._assertions.begin()

    def stopTest(self, _: object) -> None:
        """It is over. What it evaluated is evidence; where that is less than it should be, it did not pass."""
        case, self._case = self._case, None
        if case is None:
            return
        self.evidence[case] = self._assertions.evidence()
        if not self._session.ended:
            self._session.settle()
        if self._session.ended:
            self.letters[case] = NOT_RUN
        elif self.letters[case] == PASSED and self._session.violations > self._violations:
            self._end(case, WRONG, self._session.violation or "")
        elif self.letters[case] == PASSED and self._lacks_evidence(case):
            self._end(case, WRONG, _UNREACHED)

    def addSuccess(self, _: object) -> None:
        """A test ran to its end without a failure."""
        if self._case is not None and self.letters[self._case] == NOT_RUN:
            self.letters[self._case] = PASSED

    def addError(self, _: object, raised: tuple[Any, BaseException, Any]) -> None:
        """A test, or a fixture of a class or module, raised."""
        error = raised[1]
        if isinstance(error, (Mismatch, SessionEnded)):
            self._interrupted = self._interrupted or error
            self.shouldStop = True
        elif self._case is None:
            self._outside = self._outside or self._tell(error)
        else:
            self._end(self._case, self._tell(error))

    addFailure = addError

    def addSubTest(self, test: object, _: object, raised: tuple[Any, BaseException, Any] | None) -> None:
        """A part of a test is over."""
        if raised is not None:
            self.addError(test, raised)

    def addSkip(self, _: object, reason: str) -> None:
        """A test, or all of a class, was skipped."""
        if self._case is None:
            self._skips_class = True
        else:
            self._end(self._case, _SKIPPED, f"skipped: {reason}")

    def addExpectedFailure(self, test: object, _: object) -> None:
        """A test failed, as it should: that is no evidence of anything."""
        self.addSkip(test, "it is expected to fail")

    def addUnexpectedSuccess(self, _: object) -> None:
        """A test did not fail, as it should."""
        if self._case is not None and not self._is_no_case(self._case):
            self._end(self._case, WRONG, "it is expected to fail, and did not")

    def addDuration(self, test: object, elapsed: float) -> None:
        """How long a test took: of no interest here."""

    def _tell(self, error: BaseException) -> str:
        """The letter for an error; the first is kept for the verdict's message."""
        letter, told = judge_error(error, self._session)
        if self.failure is None:
            own = self._assertions.message_of(error)
            self.failure = self._assertions.recorder.describe(error, letter, told if own is None else own)
        return letter

    def _end(self, case: str, letter: str, message: str = "") -> None:
        """Gives a case its letter, if it has none but `passed`."""
        if self.letters[case] in (NOT_RUN, PASSED):
            self.letters[case] = letter
        is_usual = letter == _SKIPPED and (self._is_calibration or self._is_no_case(case))
        if message and self.failure is None and not is_usual:
            self.failure = note(WRONG, cut(message))

    # -- what came of it

    @property
    def _is_calibration(self) -> bool:
        return self._session.policy is None

    def _is_no_case(self, test: str) -> bool:
        """Whether the reference has skipped a test, or was expected to fail it."""
        return self._expected is not None and test not in self._expected

    @property
    def _is_broken(self) -> bool:
        """Whether a suite that has shown no case counts as a case that did not pass. With the reference's cases their number is known."""
        if self._expected is not None:
            return False
        return not self._is_calibration or self._outside is not None or self._session.ended is not None

    def _lacks_evidence(self, case: str) -> bool:
        """Whether a case evaluated less than it should: each assertion as often as with the reference, or one at least where its text
        holds any and there is no reference.
        """
        counts = dict(self.evidence[case])
        if self._expected is not None:
            return any(counts.get(place, 0) < count for place, count in self._expected.get(case, ()))
        return not self._is_calibration and not counts and case.rpartition(".")[2] in self._suite.asserting

    def close(self) -> str:
        """A letter for each case: the reference's cases where there is one, else all tests.

        What fails beyond these (a clean-up of a class, a test that the reference does not have) counts against the last one.
        """
        if self._is_calibration:
            self._keep_cases()
        cases = list(self.letters) if self._expected is None else list(self._expected)
        rest = NOT_RUN if self._session.ended else self._outside or WRONG
        letters = [self.letters.get(case, rest) for case in cases] or ([rest] if self._is_broken else [])
        letters = [rest if letter == NOT_RUN else WRONG if letter == _SKIPPED else letter for letter in letters]
        if letters and set(letters) <= {PASSED} and (blame := self._blame(cases)):
            letters[-1] = blame
        if self.failure is None and WRONG in letters:
            self.failure = note(WRONG, _UNREACHED)
        return "".join(letters)

    def _keep_cases(self) -> None:
        """What the reference skips is no case. A suite in which it evaluates nothing at all is no evidence, and has none."""
        skipped = (_SKIPPED, NOT_RUN) if self._skips_class and self._outside is None else (_SKIPPED,)
        self.letters = {case: letter for case, letter in self.letters.items() if letter not in skipped}
        self.evidence = {case: self.evidence.get(case, ()) for case in self.letters}
        if not any(self.evidence.values()):
            self.evidence = {}

    def _blame(self, cases: list[str]) -> str | None:
        """The letter of what keeps a run from passing all of whose cases did."""
        others = (letter for case, letter in self.letters.items() if case not in cases)
        failed = self._outside or next((letter for letter in others if letter not in (PASSED, _SKIPPED, NOT_RUN)), None)
        if failed is None and not (self._is_calibration or self._expected or any(self.evidence.values())):
            return WRONG  # not one assertion was evaluated
        return NOT_RUN if failed is None and self._session.ended else failed


class _Solution:
    """The candidate's module, as a suite imports it."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the program does not define {name!r}")
