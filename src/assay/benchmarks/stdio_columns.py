r"""The columns `cases` and `checker` of our own form: whole programs, what they read and what they should print.

`"cases": [{"stdin": "3 4\n", "stdout": "7\n"}, {"stdin": "1 1\n", "stdout": "2\n", "group": "plus"}], "checker": "tokens"`. A checker is
a name, or an object with a name and what that checker needs. One that is given what it doesn't use is refused, and so are columns that
mean something to functions only: the tests would be other ones than their author thinks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from assay.benchmarks.entry import defined_names, parses
from assay.benchmarks.fields import UnusableRow, describe
from assay.errors import did_you_mean
from assay.records import Checker, StdioCase, StdioTests

if TYPE_CHECKING:
    from collections.abc import Mapping

CHECKER_NAMES = (
    "exact",
    "whitespace",
    "lines",
    "tokens",
    "numbers",
    "unordered_lines",
    "unordered_tokens",
    "custom",
)
"""The checkers that a row may name: those of `judge.checkers`."""

GROUPS = ("base", "plus", "challenge")
"""The groups that a case may belong to, in the order in which they are run."""

_FUNCTION_COLUMNS = ("entry_point", "setup", "oracle", "plus", "challenge")
_KEYS = frozenset(("stdin", "stdout", "group"))
_OWNERS = {"rtol": "numbers", "atol": "numbers", "source": "custom"}
"""The only checker that uses a field."""


def read_cases(row: Mapping[str, Any]) -> tuple[StdioTests, ...]:
    """The tests of a row with `cases`, one for each group.

    Raises:
        UnusableRow: A case or the checker is wrong, or a column has no meaning for whole programs.

    >>> [len(tests.cases) for tests in read_cases({"cases": [{"stdout": "7"}, {"stdout": "8", "group": "plus"}]})]
    [1, 1]
    """
    for column in _FUNCTION_COLUMNS:
        if row.get(column):
            way_out = "give a case its 'group'" if column in GROUPS else "a whole program stands alone"
            raise UnusableRow(f"{column!r} has no meaning beside 'cases': {way_out}")
    checker = read_checker(row)
    found: dict[str, list[StdioCase]] = {group: [] for group in GROUPS}
    for number, given in enumerate(_list(row["cases"])):
        group, case = _case(given, f"case {number}", checker)
        found[group].append(case)
    return tuple(
        StdioTests(cases=tuple(cases), group=group, checker=checker) for group, cases in found.items() if cases
    )


def _list(given: object) -> list[Any]:
    if not isinstance(given, list | tuple):
        raise UnusableRow(f"'cases' must be a list of objects, not {describe(given)}")
    if not given:
        raise UnusableRow("'cases' is empty")
    return list(given)


def _case(given: object, where: str, checker: Checker) -> tuple[str, StdioCase]:
    if not isinstance(given, dict):
        raise UnusableRow(f"{where} must be an object with 'stdin' and 'stdout', not {describe(given)}")
    for key in sorted(map(str, given.keys() - _KEYS)):
        meant = did_you_mean(key, _KEYS)
        raise UnusableRow(f"{where}: unknown key {key!r}" + (f", did you mean {meant!r}?" if meant else ""))
    if given.get("stdout") is None and checker.name != "custom":
        raise UnusableRow(f"{where}: 'stdout' is missing")
    group = given.get("group") or "base"
    if group not in GROUPS:
        raise UnusableRow(f"{where}: 'group' must be one of {', '.join(GROUPS)}, not {describe(group)}")
    return group, StdioCase(stdin=_text(given, "stdin", where), stdout=_text(given, "stdout", where))


def _text(case: Mapping[str, Any], key: str, where: str) -> str:
    value = case.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnusableRow(f"{where}: {key!r} must be a text, not {describe(value)}")
    return value


def read_checker(row: Mapping[str, Any]) -> Checker:
    """The checker of a row, `whitespace` where it names none.

    Raises:
        UnusableRow: It is unknown, or what it is given is not what it needs.

    >>> read_checker({"checker": {"name": "numbers", "atol": 0.01}}).atol
    0.01
    """
    given = row.get("checker")
    if given is None:
        return Checker()
    fields = {"name": given} if isinstance(given, str) else given
    try:
        checker = msgspec.convert(fields, Checker)
    except msgspec.ValidationError as error:
        raise UnusableRow(f"'checker' {describe(given)}: {error}") from None
    flaw = _flaw(checker, fields)
    if flaw is not None:
        raise UnusableRow(f"'checker' {flaw}: {describe(given)}")
    return checker


def _flaw(checker: Checker, given: Mapping[str, Any]) -> str | None:
    if checker.name not in CHECKER_NAMES:
        meant = did_you_mean(checker.name, CHECKER_NAMES)
        hint = f"did you mean {meant!r}?" if meant else f"known are {', '.join(CHECKER_NAMES)}"
        return f"{checker.name!r} is unknown, {hint}"
    for field, owner in _OWNERS.items():
        if field in given and checker.name != owner:
            return f"{field!r} is for {owner!r} only"
    if not all(math.isfinite(tolerance) and tolerance >= 0 for tolerance in (checker.rtol, checker.atol)):
        return "tolerances must not be negative or infinite"
    if checker.name == "custom":
        return _flaw_of_custom(checker)
    return None


def _flaw_of_custom(checker: Checker) -> str | None:
    if checker.ignore_case:
        return "'ignore_case' is not for 'custom'"
    if not checker.source:
        return "'custom' needs 'source'"
    if not parses(checker.source):
        return "'source' is not valid Python"
    return None if "check" in defined_names(checker.source) else "'source' must define check(stdin, expected, got)"
