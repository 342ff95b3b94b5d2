"""The column `oracle` of our own form: a name, or an object with a name and what that oracle needs.

`{"name": "any_of", "alternatives": [0, null]}`, `{"name": "formula", "formula": "lambda a, b: a - b"}`, `{"name": "close", "atol": 1e-4}`.
An oracle that lacks what it needs, or is given what it doesn't use, is refused: it would accept something else than its author thinks.
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

import msgspec

from assay.benchmarks.calls import literals
from assay.benchmarks.fields import UnusableRow, describe
from assay.errors import did_you_mean
from assay.records import Oracle
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Mapping

ORACLE_NAMES = ("exact", "types", "close", "set", "any_of", "not_none", "root", "formula")
"""The oracles that a row may name: those of the registry in `judge.oracles`."""

_NEEDED = {"any_of": "alternatives", "formula": "formula", "root": "atol"}
"""What an oracle can't do without."""

_WITHOUT_EQUALITY = ("not_none", "root")
"""Oracles that ask something else of an answer than that it equals another."""

_OWNERS = {"alternatives": "any_of", "formula": "formula"}
"""The only oracle that uses a field."""


def read_oracle(row: Mapping[str, Any]) -> Oracle:
    """The oracle of a row, `exact` where it names none.

    Raises:
        UnusableRow: It is unknown, or what it is given is not what it needs.

    >>> read_oracle({"oracle": {"name": "any_of", "alternatives": [0]}}).alternatives
    ('0',)
    """
    given = row.get("oracle")
    if given is None:
        return Oracle()
    try:
        oracle = msgspec.convert(_with_literals({"name": given} if isinstance(given, str) else given), Oracle)
    except msgspec.ValidationError as error:
        raise UnusableRow(f"'oracle' {describe(given)}: {error}") from None
    flaw = _flaw(oracle)
    if flaw is not None:
        raise UnusableRow(f"'oracle' {flaw}: {describe(given)}")
    return oracle


def _with_literals(given: Any) -> Any:
    if not isinstance(given, dict) or "alternatives" not in given:
        return given
    return {**given, "alternatives": literals(given["alternatives"], "alternatives")}


def _flaw(oracle: Oracle) -> str | None:
    if oracle.name not in ORACLE_NAMES:
        meant = did_you_mean(oracle.name, ORACLE_NAMES)
        hint = f"did you mean {meant!r}?" if meant else f"known are {', '.join(ORACLE_NAMES)}"
        return f"{oracle.name!r} is unknown, {hint}"
    if not all(math.isfinite(tolerance) and tolerance >= 0 for tolerance in (oracle.rtol, oracle.atol)):
        return "tolerances must not be negative or infinite"
    needed = _NEEDED.get(oracle.name)
    if needed is not None and not getattr(oracle, needed):
        return f"{oracle.name!r} needs {needed!r}"
    for field, owner in _OWNERS.items():
        if getattr(oracle, field) and oracle.name != owner:
            return f"{field!r} is for {owner!r} only"
    if oracle.equality is not None and oracle.name in _WITHOUT_EQUALITY:
        return f"{oracle.name!r} compares no answers, so it has no 'equality'"
    if oracle.formula and not _is_lambda(oracle.formula):
        return "'formula' must be a lambda"
    return None


def _is_lambda(text: str) -> bool:
    tree = parse_python(text.strip())
    statement = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda)
