"""unittest's assertion methods, watched: what they compare, whether they held, how often each was evaluated.

unittest is changed for as long as a suite runs. Its assertion methods note what they are asked and that they held; an assertion that
unittest makes for itself on the way is part of the one that was written. Its messages are not made: they print and compare whole values,
and a value of the candidate's could make that take forever. Nothing in a suite can start another run of it. What a suite itself changes
of `TestCase` is undone, so that no sample finds anything of another's.

Runs inside the jailed judge process: standard library only. `unittest` is loaded when the first suite runs: most problems have none.
"""

from __future__ import annotations

import sys
import types
from collections import Counter
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from assay.judge.recorder import Recorder
from assay.judge.showing import cut, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.judge.session import Session
    from assay.judge.suites import Suite

_OPERATORS = {
    "assertEqual": "==", "assertEquals": "==", "assertListEqual": "==", "assertTupleEqual": "==", "assertSetEqual": "==",
    "assertDictEqual": "==", "assertSequenceEqual": "==", "assertMultiLineEqual": "==", "assertNotEqual": "!=", "assertIs": "is",
    "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in", "assertGreater": ">", "assertGreaterEqual": ">=",
    "assertLess": "<", "assertLessEqual": "<=", "assertAlmostEqual": "about", "assertNotAlmostEqual": "not about",
    "assertCountEqual": "in any order",
}  # fmt: skip
"""What two-sided assertions ask, as messages show it."""

_NONE = {"assertIsNone": "==", "assertIsNotNone": "!="}


class Assertions:
    """The assertions of one test at a time. `counts` says how often each was evaluated and held, by its place in the suite's code.

    Args:
        suite: The suite.
        session: The candidate.
    """

    def __init__(self, suite: Suite, session: Session) -> None:
        self._suite = suite
        self._session = session
        self._told: tuple[BaseException, str] | None = None
        self.recorder = Recorder(session, suite.test)
        self.counts: Counter[int] = Counter()

    def begin(self) -> Recorder:
        """A new test begins; it talks to the recorder that this gives."""
        self._session.last_call = self._session.last_raised = self._told = None
        self.recorder = Recorder(self._session, self._suite.test)
        self.counts = Counter()
        return self.recorder

    def evidence(self) -> tuple[tuple[int, int], ...]:
        """How often the test evaluated each assertion: pairs of a place (a statement's is below zero) and a number."""
        statements = [(-1 - site, count) for site, count in enumerate(self.recorder.counts) if count]
        return tuple(sorted((*statements, *self.counts.items())))

    def message_of(self, error: BaseException) -> str | None:
        """The suite's own message of a failed assertion, None where the failure is none of an assertion method's."""
        return self._told[1] if self._told is not None and self._told[0] is error else None

    def evaluate(self, method: types.FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Calls an assertion method for the suite's code, which is two frames above."""
        frame = sys._getframe(2)  # noqa: SLF001 (there is no other way to know which call it is)
        if str(frame.f_globals.get("__name__")).partition(".")[0] == "unittest":
            return method(*args, **keywords)
        place, line = frame.f_lineno << 16 | frame.f_lasti & 0xFFFF, frame.f_lineno
        self._watch(method.__name__, line, [*args[1:], *keywords.values()])
        try:
            result = method(*args, **keywords)
        except AssertionError as error:
            own = None if method.__name__.startswith("assertRaises") else _own_message(method, args, keywords)
            self._told = error, cut(str(error) if own is None else own)
            raise
        if hasattr(result, "__exit__"):
            return Expectation(result, self, place)
        self.held(place)
        return result

    def held(self, place: int) -> None:
        """An assertion was evaluated and held."""
        self.counts[place] += 1
        self.recorder.watch(None, "")

    def _watch(self, name: str, line: int, given: list[Any]) -> None:
        """Remembers what an assertion compares."""
        sides: tuple[str, object, object] | None = None
        if name in _OPERATORS and len(given) > 1:
            got, expected = given[1::-1] if line in self._suite.turned else given[:2]
            sides = _OPERATORS[name], got, expected
        elif name in _NONE and given:
            sides = _NONE[name], given[0], None
        text = "" if name.startswith("assertRaises") else self._suite.texts.get(line, name)
        self.recorder.watch(sides, text)


class Expectation:
    """A block that has to raise, `with self.assertRaises(...)`: it is evaluated when it is left, and held if that was raised."""

    def __init__(self, inner: Any, assertions: Assertions, place: int) -> None:
        self._inner = inner
        self._assertions = assertions
        self._place = place

    def __enter__(self) -> Any:
        return self._inner.__enter__()

    def __exit__(self, *raised: object) -> bool:
        self._assertions.recorder.watch(None, "")
        swallowed = bool(self._inner.__exit__(*raised))
        if swallowed:
            self._assertions.held(self._place)
        return swallowed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@contextmanager
def watching(assertions: Assertions) -> Iterator[None]:
    """Puts the watch on unittest's assertion methods, and takes it and whatever the suite changed of `TestCase` off again."""
    from unittest import TestCase  # noqa: PLC0415 (see the module's docstring)

    _quieten()
    kept = dict(vars(TestCase))
    for name, method in kept.items():
        if name.startswith("assert") and isinstance(method, types.FunctionType):
            setattr(TestCase, name, _watched(method, assertions))
    try:
        yield
    finally:
        now = dict(vars(TestCase))
        for name in now.keys() - kept.keys():
            delattr(TestCase, name)
        for name in (name for name, value in kept.items() if now.get(name) is not value):
            setattr(TestCase, name, kept[name])


def _watched(method: types.FunctionType, assertions: Assertions) -> Any:
    @wraps(method)
    def assertion(*args: Any, **keywords: Any) -> Any:
        return assertions.evaluate(method, args, keywords)

    return assertion


def _own_message(method: types.FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    """The message that the suite itself gives to an assertion."""
    names = method.__code__.co_varnames[: method.__code__.co_argcount]
    given = dict(zip(names, args, strict=False)) | keywords
    message = given.get("msg")
    return "" if message is None else message if type(message) is str else show(message)


def _quieten() -> None:
    """Makes unittest's messages short, and its runners idle; once is enough, since this process serves nobody else."""
    import unittest  # noqa: PLC0415 (see the module's docstring)
    from unittest import case  # noqa: PLC0415 (see the module's docstring)

    short: dict[str, object] = {
        "safe_repr": lambda value, short=False: show(value),  # noqa: ARG005 (as unittest calls it)
        "_common_shorten_repr": lambda *values: tuple(map(show, values)),
        "difflib": types.SimpleNamespace(ndiff=lambda *_: ()),
        "pprint": types.SimpleNamespace(pformat=show),
    }
    vars(case).update({name: stand_in for name, stand_in in short.items() if name in vars(case)})
    vars(unittest).update(main=lambda *_, **__: None)
    setattr(unittest.TextTestRunner, "run", lambda *_: unittest.TestResult())  # noqa: B010 (mypy forbids to assign to a method)
