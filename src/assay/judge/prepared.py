"""A problem made ready for judging: its tests compiled and watched, its names sorted by where they come from, its inputs encoded.

Made once for each problem, in the process that serves it, and used for every sample.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
import builtins
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from assay.judge.instrument import Instrumented, definitions, free_names, instrument, prompt_helpers, read_attributes
from assay.judge.oracles import ORACLES, read_formula
from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType


class Unusable(Exception):
    """The problem can't be judged; the text says why, `of_reference` that its reference is to blame and not its tests."""

    def __init__(self, reason: str, *, of_reference: bool = False) -> None:
        self.of_reference = of_reference
        super().__init__(reason)


@dataclass(frozen=True)
class AssertUnit:
    """One case: a test's source, compiled."""

    group: str
    test: Instrumented


@dataclass(frozen=True)
class CheckUnit:
    """Source that defines `check`; each assert that it evaluates is a case."""

    group: str
    test: Instrumented


@dataclass(frozen=True)
class CallUnit:
    """Calls of the entry point: `arguments[i]` are the encoded arguments of case i."""

    group: str
    arguments: tuple[bytes, ...]
    oracle: str
    settings: Mapping[str, Any]


Unit = AssertUnit | CheckUnit | CallUnit


@dataclass(frozen=True)
class Prepared:
    """All that the judge needs of a problem. `names` are those that its tests take from the candidate, `attributes` those that they read
    of anything.
    """

    id: str
    entry_point: str | None
    units: tuple[Unit, ...]
    setup: str
    setup_code: CodeType | None
    shared_setup: str
    helpers: CodeType | None
    names: tuple[str, ...]
    attributes: tuple[str, ...]
    reference: str | None


def prepare(problem: Mapping[str, Any], groups: Sequence[str]) -> Prepared:
    """Compiles a problem, given as the plain form of `records.Problem`, for the groups of cases that are asked for.

    Raises:
        Unusable: If its tests don't compile or can't be judged.
    """
    tests = [t for t in problem["tests"] if t["group"] in groups]
    if not tests:
        raise Unusable("it has no tests")
    entry = problem["entry_point"]
    try:
        units = tuple(unit for t in tests for unit in _units(t))
        helpers = prompt_helpers(problem["prompt"], entry) if problem["prompt_is_code"] else None
        setup_code = (
            compile(problem["setup"], "<setup>", "exec", dont_inherit=True) if problem["setup"].strip() else None
        )
        shared = definitions(problem["setup"]) if setup_code else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"its tests or setup are not valid Python: {error}") from None
    _require_evidence(units)
    if entry is None and any(not isinstance(u, AssertUnit) for u in units):
        raise Unusable("it names no entry point")
    sources = _sources(problem, tests)
    return Prepared(
        id=problem["id"], entry_point=entry, units=units, setup=problem["setup"], setup_code=setup_code, shared_setup=shared,
        helpers=helpers, names=_names(sources, entry, helpers), attributes=read_attributes(sources), reference=problem["reference"],
    )  # fmt: skip


def _units(tests: Mapping[str, Any]) -> list[Unit]:
    kind, group = tests["type"], tests["group"]
    if kind == "assert":
        return [AssertUnit(group, instrument(source, f"<test {n}>")) for n, source in enumerate(tests["cases"])]
    if kind == "check":
        return [CheckUnit(group, instrument(tests["source"], "<check>", isolate="check"))]
    if kind == "calls":
        arguments = tuple(codec.encode((tuple(read_literal(text)), ())) for text in tests["inputs"])
        return [CallUnit(group, arguments, tests["oracle"]["name"], _settings(tests["oracle"]))]
    raise Unusable(f"tests of the kind {kind!r} can't be judged yet")


def _settings(oracle: Mapping[str, Any]) -> dict[str, Any]:
    """What a `records.Oracle` says beside its name, made ready for use."""
    if oracle["name"] not in ORACLES:
        raise Unusable(f"the oracle {oracle['name']!r} is unknown")
    settings = {"rtol": oracle["rtol"], "atol": oracle["atol"]}
    if oracle.get("alternatives"):
        settings["alternatives"] = tuple(map(read_literal, oracle["alternatives"]))
    if oracle.get("formula"):
        settings["formula"] = read_formula(oracle["formula"])
    return settings


def _require_evidence(units: Sequence[Unit]) -> None:
    """Refuses tests that could not fail.

    Raises:
        Unusable: If there is no assert, or none that could fail.
    """
    sites = [site for u in units if not isinstance(u, CallUnit) for site in u.test.sites]
    if any(isinstance(u, CallUnit) and u.arguments for u in units):
        return
    if not sites:
        raise Unusable("its tests hold no assertion")
    if all(site.vacuous for site in sites):
        raise Unusable("its tests hold no assertion that could fail")


def _sources(problem: Mapping[str, Any], tests: Sequence[Mapping[str, Any]]) -> str:
    """The setup and all tests that are code."""
    sources = [problem["setup"]]
    for t in tests:
        sources += list(t["cases"]) if t["type"] == "assert" else [t["source"]] if t["type"] == "check" else []
    return "\n".join(sources)


def _names(sources: str, entry: str | None, helpers: CodeType | None) -> tuple[str, ...]:
    """Names that the tests read and that neither they, the setup, the prompt nor Python define (rule 1), and the entry point."""
    own = set(helpers.co_names) if helpers else set()
    wanted = {n for n in free_names(sources) if n not in own and not hasattr(builtins, n)}
    return tuple(sorted(wanted | ({entry} if entry else set())))


def read_literal(text: str) -> Any:
    """The value of a Python literal that may hold `nan`, `inf` and `complex(real, imaginary)`.

    Most are JSON but for their spelling, and as that they are read in a tenth of the time that Python's own parser takes for the rest.

    >>> read_literal("[1, (2, -inf), {'a': {3}}]")
    [1, (2, -inf), {'a': {3}}]

    Raises:
        ValueError: If it is anything else.
    """
    try:
        return _read_json(_respelt(text))
    except (ValueError, RecursionError):
        pass
    tree = ast.parse(text.strip(), mode="eval")
    return ast.literal_eval(_Numbers().visit(tree).body)


_ODD = ('"', "\\", "null", "true", "false")
"""What JSON reads otherwise than Python, or Python not at all."""


def _respelt(text: str) -> str:
    """A literal as JSON, or what is none. A tuple becomes an object with the one key `(`.

    Nothing may be respelt within a string. A `(` there ends the string early, which is no JSON; so does a quote; a `)` alone is counted,
    and None and the bools are left alone as soon as there is a string.

    Raises:
        ValueError: If it holds something that JSON spells altogether differently.
    """
    if any(mark in text for mark in _ODD) or text.count("(") != text.count(")"):
        raise ValueError
    if "'" not in text:
        text = text.replace("None", "null").replace("True", "true").replace("False", "false")
    text = text.replace("'", '"')
    return text.replace("(", '{"(":[').replace(",)", ',"("]}').replace(")", "]}") if "(" in text else text


def _object(pairs: list[tuple[str, Any]]) -> Any:
    """A dictionary, or the tuple that `_respelt` has made one of. `(x)` is no tuple: only a comma makes it one, and leaves its mark."""
    if not pairs or pairs[0][0] != "(":
        return dict(pairs)
    items = pairs[0][1]
    if items and items[-1] == "(":
        items.pop()
    elif len(items) == 1:
        raise ValueError
    return tuple(items)


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_read_json = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object).decode
"""Reads JSON without `NaN` and `Infinity`, which are names to Python."""


class _Numbers(ast.NodeTransformer):
    """Turns the names nan and inf and calls of `complex` into the numbers."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ("nan", "inf"):
            return ast.copy_location(ast.Constant(float(node.id)), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not (
            isinstance(node.func, ast.Name) and node.func.id == "complex" and len(node.args) == 2 and not node.keywords
        ):
            return node
        parts = [ast.literal_eval(self.visit(part)) for part in node.args]
        return ast.copy_location(ast.Constant(complex(*parts)), node)
