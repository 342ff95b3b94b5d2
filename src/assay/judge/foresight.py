"""The calls that plain tests will make, found out before their reference runs: so they go to its agent in one batch, with the program.

Most tests hold literals, and one call in each statement. Such a test is run once with a name for its entry point that notes what it is
called with and then raises. Nothing rests on what comes of that: calls that the tests don't make after all end the run of the reference
as any plan that does not fit (`session.py`), and it is run again without. Tests that may ask twice in a statement, or in a loop, are left
alone, and with them all that follow.

Only for plain tests (`plainness.py`), which leave nothing behind however often they run.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from assay.judge.instrument import RECORDER
from assay.judge.prepared import AssertUnit, CallUnit, CheckUnit
from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judge.prepared import Prepared, Unit

_REPEATS = frozenset("for while lambda class async".split())
"""Words without which nothing that is written once is run twice, but for functions."""

_WORDS = re.compile(r"\w+")


def foresee(problem: Prepared) -> tuple[tuple[str, bytes], ...]:
    """The calls `(name, encoded arguments)` of plain tests, from the first on, as far as they can be told."""
    calls: list[tuple[str, bytes]] = []
    for unit in problem.units:
        found = None if problem.entry_point is None else _calls_of(unit, problem.entry_point)
        if found is None:
            break
        calls += [(problem.entry_point or "", arguments) for arguments in found]
    return tuple(calls)


def _calls_of(unit: Unit, entry: str) -> Sequence[bytes] | None:
    """The encoded arguments of a unit's calls; None where they can't be told."""
    match unit:
        case CallUnit():
            return unit.arguments
        case AssertUnit():
            return _noted(unit, entry, entry)
        case CheckUnit():
            return _noted(unit, entry, "candidate")
        case _:
            return None


def _noted(unit: AssertUnit | CheckUnit, entry: str, name: str) -> Sequence[bytes] | None:
    """What the test calls `name` with, if it does that once wherever the name stands."""
    words, is_check = _WORDS.findall(unit.test.text), isinstance(unit, CheckUnit)
    if not _REPEATS.isdisjoint(words) or words.count("def") != is_check or (is_check and entry in words):
        return None
    notes = _Notes()
    namespace: dict[str, Any] = {"__name__": "assay_tests", RECORDER: _Deaf(), entry: notes}
    with suppress(Exception):
        exec(unit.test.code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
        if is_check:
            namespace["check"](notes)
    try:
        found = [codec.encode(call) for call in notes.calls]
    except codec.CodecError:
        return None
    return found if len(found) == words.count(name) - is_check else None  # a check's head has its name too


class _Notes:
    """Stands for the function under test."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *args: object, **keywords: object) -> None:
        self.calls.append((args, tuple(keywords.items())))
        raise ArithmeticError


class _Deaf:
    """Stands for the recorder that tests talk to: no assert gets to its end."""

    isolated = Exception

    def __getattr__(self, _: str) -> Any:
        return _nothing


def _nothing(*_: object) -> None:
    pass
