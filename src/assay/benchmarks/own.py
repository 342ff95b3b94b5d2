"""Reader of our own form of problem rows: strict, so that a misspelt key is an error and never a weaker test.

{"id", "prompt", "entry_point"?, "reference"?, "setup"?, "limits"?, "tags"?, "split"?,
 one of "tests" | "check" | "inputs" | "cases" | "unittest", "oracle"?, "challenge"?, "plus"?, "checker"?}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.benchmarks.calls import argument_lists
from assay.benchmarks.entry import begins_program, defined_names, entry_of, entry_of_test, parses
from assay.benchmarks.fields import UnusableRow, describe, identifier, list_of_texts, optional_text, required_text
from assay.benchmarks.oracle_column import read_oracle
from assay.benchmarks.shapes import Shape
from assay.benchmarks.stdio_columns import read_cases
from assay.errors import did_you_mean
from assay.limits import limits_flaw
from assay.records import AssertTests, CallTests, CheckTests, InvalidProblem, Limits, Problem, Tests, UnittestTests

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = ("tests", "check", "inputs", "cases", "unittest")
"""The columns that hold base tests: a row has exactly one of them."""

_OTHERS = (
    "id",
    "prompt",
    "entry_point",
    "reference",
    "setup",
    "limits",
    "tags",
    "split",
    "oracle",
    "challenge",
    "plus",
    "checker",
)
_COLUMNS = frozenset((*KINDS, *_OTHERS))


def _read(row: Mapping[str, Any]) -> Problem | InvalidProblem:
    kind = _kind_of(row)
    name = identifier(row, "id")
    prompt = required_text(row, "prompt")
    split = optional_text(row, "split")
    if kind != "cases" and row.get("checker") is not None:
        raise UnusableRow("'checker' is for 'cases' only")
    entry_point = _entry_point(row, kind)
    tests = (*_base_tests(row, kind), *_more_tests(row))
    problem = Problem(
        id=name,
        prompt=prompt,
        tests=tests,
        entry_point=entry_point,
        reference=_needed_reference(row, kind),
        setup=optional_text(row, "setup") or "",
        prompt_is_code=begins_program(prompt, entry_point),
        limits=_limits(row),
        split=split,
        tags=list_of_texts(row, "tags"),
    )
    reason = _flaw(problem)
    return problem if reason is None else InvalidProblem(id=name, reason=reason, split=split)


def _kind_of(row: Mapping[str, Any]) -> str:
    for key in sorted(row.keys() - _COLUMNS):
        meant = did_you_mean(str(key), _COLUMNS)
        raise UnusableRow(f"unknown key {key!r}" + (f", did you mean {meant!r}?" if meant else ""))
    kinds = [kind for kind in KINDS if row.get(kind) is not None]
    if len(kinds) != 1:
        given = " and ".join(map(repr, kinds)) if kinds else "none"
        raise UnusableRow(f"exactly one of {', '.join(map(repr, KINDS))} is needed, {given} is given")
    return kinds[0]


def _entry_point(row: Mapping[str, Any], kind: str) -> str | None:
    if kind == "cases":
        return None
    given = optional_text(row, "entry_point")
    if given is not None:
        if not all(part.isidentifier() for part in given.split(".")):
            raise UnusableRow(f"'entry_point' must be a Python name, not {given!r}")
        return given
    reference = optional_text(row, "reference") or ""
    if kind == "tests":
        first = next(iter(list_of_texts(row, "tests")), "")
        return entry_of(first, reference) or entry_of_test(first, optional_text(row, "setup") or "")
    defined = defined_names(reference)
    if len(defined) != 1:
        raise UnusableRow(f"'entry_point' is missing, and 'reference' defines {len(defined)} names")
    return defined[0]


def _needed_reference(row: Mapping[str, Any], kind: str) -> str | None:
    reference = optional_text(row, "reference")
    if reference is None and (kind == "inputs" or row.get("plus") is not None):
        raise UnusableRow("'reference' is missing: the expected values of 'inputs' and 'plus' come from it")
    return reference


def _base_tests(row: Mapping[str, Any], kind: str) -> tuple[Tests, ...]:
    if kind == "cases":
        return read_cases(row)
    if kind == "check":
        return (CheckTests(source=required_text(row, "check")),)
    if kind == "unittest":
        return (UnittestTests(source=required_text(row, "unittest")),)
    if kind == "inputs":
        return (CallTests(inputs=_some(argument_lists(row["inputs"], "inputs"), "inputs"), oracle=read_oracle(row)),)
    return (AssertTests(cases=_some(list_of_texts(row, "tests"), "tests")),)


def _more_tests(row: Mapping[str, Any]) -> tuple[Tests, ...]:
    oracle = read_oracle(row)
    plus = () if row.get("plus") is None else argument_lists(row["plus"], "plus")
    challenge = list_of_texts(row, "challenge")
    more: tuple[Tests, ...] = (CallTests(inputs=plus, group="plus", oracle=oracle),) if plus else ()
    return (*more, AssertTests(cases=challenge, group="challenge")) if challenge else more


def _some(values: tuple[str, ...], key: str) -> tuple[str, ...]:
    if not values:
        raise UnusableRow(f"{key!r} is empty")
    return values


def _limits(row: Mapping[str, Any]) -> Limits:
    given = row.get("limits")
    try:
        limits = Limits() if given is None else msgspec.convert(given, Limits)
    except msgspec.ValidationError as error:
        raise UnusableRow(f"'limits' {describe(given)}: {error}") from None
    if (flaw := limits_flaw(limits)) is not None:
        raise UnusableRow(f"'limits': {flaw}")
    return limits


def _flaw(problem: Problem) -> str | None:
    """Why no sample of a well-formed row can be judged: code that Python can't read fails whatever is on trial."""
    texts = [("setup", problem.setup), ("reference", problem.reference or "")]
    for tests in problem.tests:
        match tests:
            case AssertTests():
                texts += [(f"{tests.group} test {number}", case) for number, case in enumerate(tests.cases)]
            case CheckTests():
                texts.append(("check", tests.source))
            case UnittestTests():
                texts.append(("unittest", tests.source))
            case _:
                pass
    broken = next((where for where, text in texts if not parses(text)), None)
    return None if broken is None else f"{broken} is not valid Python"


OWN = Shape("assay", "id", tuple(frozenset({"id", column}) for column in ("prompt", *KINDS)), _COLUMNS, _read)
"""Our own form; tried before the published ones."""
