"""A problem made ready for judging: its tests compiled and watched, its names sorted by where they come from, its inputs encoded.

Made once for each problem, in the process that serves it, and used for every sample.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.judge.instrument import (
    AssertSite,
    Instrumented,
    definitions,
    free_names,
    instrument,
    prompt_helpers,
    read_attributes,
)
from assay.judge.literals import encode_inputs, read_literal
from assay.judge.oracles import ORACLES, read_formula
from assay.judge.simplicity import NotSimple
from assay.judge.suites import GIVEN, Suite, read_suite
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


@dataclass(frozen=True)
class SuiteUnit:
    """A unittest suite; each test method is a case."""

    group: str
    suite: Suite


Unit = AssertUnit | CheckUnit | CallUnit | SuiteUnit


@dataclass(frozen=True)
class Prepared:
    """All that the judge needs of a problem. `names` are those that its tests take from the candidate, `attributes` those that they read
    of anything, where no reference says what may be asked.
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


def prepare(problem: Mapping[str, Any], groups: Sequence[str], encoded: Sequence[tuple[bytes, bytes]] = ()) -> Prepared:
    """Compiles a problem, given as the plain form of `records.Problem`, for the groups of cases that are asked for.

    Args:
        problem: The problem.
        groups: The groups.
        encoded: The encoded inputs of each unit of calls, packed, where a calibration has them; else they are read and encoded.

    Raises:
        Unusable: If its tests don't compile or can't be judged.
    """
    tests = [t for t in problem["tests"] if t["group"] in groups]
    if not tests:
        raise Unusable("it has no tests")
    entry = problem["entry_point"]
    try:
        units = _with_inputs([unit for t in tests for unit in _units(t, problem)], tests, encoded)
        helpers = prompt_helpers(problem["prompt"], entry) if problem["prompt_is_code"] else None
        setup_code = (
            compile(problem["setup"], "<setup>", "exec", dont_inherit=True) if problem["setup"].strip() else None
        )
        shared = definitions(problem["setup"]) if setup_code else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"its tests or setup are not valid Python: {error}") from None
    except NotSimple as error:
        raise Unusable(f"its unittest suite can't be judged apart from the candidate: {error}") from None
    _require_evidence(units)
    if entry is None and any(not isinstance(u, AssertUnit) for u in units):
        raise Unusable("it names no entry point")
    sources = _sources(problem, tests, units)
    attributes = read_attributes(sources) if problem["reference"] is None else ()
    return Prepared(
        id=problem["id"], entry_point=entry, units=units, setup=problem["setup"], setup_code=setup_code, shared_setup=shared,
        helpers=helpers, names=_names(sources, entry, helpers, units), attributes=attributes, reference=problem["reference"],
    )  # fmt: skip


def _units(tests: Mapping[str, Any], problem: Mapping[str, Any]) -> list[Unit]:
    kind, group = tests["type"], tests["group"]
    if kind == "assert":
        return [AssertUnit(group, instrument(source, f"<test {n}>")) for n, source in enumerate(tests["cases"])]
    if kind == "check":
        return [CheckUnit(group, instrument(tests["source"], "<check>", isolate="check"))]
    if kind == "calls":
        return [CallUnit(group, (), tests["oracle"]["name"], _settings(tests["oracle"]))]
    if kind == "unittest":
        return [SuiteUnit(group, read_suite(tests["source"], problem))]
    raise Unusable(f"tests of the kind {kind!r} can't be judged yet")


def _with_inputs(
    units: Sequence[Unit], tests: Sequence[Mapping[str, Any]], encoded: Sequence[tuple[bytes, bytes]]
) -> tuple[Unit, ...]:
    """The units, of which those of calls get their inputs."""
    texts = (t["inputs"] for t in tests if t["type"] == "calls")
    inputs = map(codec.unpack, encoded) if encoded else map(encode_inputs, texts)
    return tuple(replace(unit, arguments=tuple(next(inputs))) if isinstance(unit, CallUnit) else unit for unit in units)


def count_cases(unit: Unit, given: Any) -> int:
    """How many cases a unit has; `given` is what the reference's run gave for it, None where that is not known (`trial.Trial`)."""
    match unit:
        case AssertUnit():
            return 1
        case CheckUnit():
            return max(1, len(unit.test.sites) if given is None else sum(given))
        case CallUnit():
            return len(unit.arguments) if given is None else sum(answer is not None for answer in given)
        case SuiteUnit():
            return max(1, unit.suite.methods) if given is None else len(given)


def _settings(oracle: Mapping[str, Any]) -> dict[str, Any]:
    """What a `records.Oracle` says beside its name, made ready for use."""
    if oracle["name"] not in ORACLES:
        raise Unusable(f"the oracle {oracle['name']!r} is unknown")
    settings = {"rtol": oracle["rtol"], "atol": oracle["atol"], "equality": oracle.get("equality")}
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
    sites = [site for u in units if not isinstance(u, CallUnit) for site in _sites(u)]
    if any(isinstance(u, CallUnit) and u.arguments for u in units):
        return
    if not sites:
        raise Unusable("its tests hold no assertion")
    if all(site.vacuous for site in sites):
        raise Unusable("its tests hold no assertion that could fail")


def _sites(unit: AssertUnit | CheckUnit | SuiteUnit) -> tuple[AssertSite, ...]:
    return unit.suite.sites if isinstance(unit, SuiteUnit) else unit.test.sites


def _sources(problem: Mapping[str, Any], tests: Sequence[Mapping[str, Any]], units: Sequence[Unit]) -> str:
    """The setup and all tests that are code."""
    sources = [problem["setup"]]
    for t in tests:
        sources += list(t["cases"]) if t["type"] == "assert" else [t["source"]] if t["type"] == "check" else []
    sources += [u.suite.text for u in units if isinstance(u, SuiteUnit)]
    return "\n".join(sources)


def _names(sources: str, entry: str | None, helpers: CodeType | None, units: Sequence[Unit]) -> tuple[str, ...]:
    """Names that the tests read and that neither they, the setup, the prompt nor Python define (rule 1), and the entry point."""
    suites = [unit.suite for unit in units if isinstance(unit, SuiteUnit)]
    own = {*(GIVEN if suites else ()), *(helpers.co_names if helpers else ())}
    wanted = {n for n in free_names(sources) if n not in own and not hasattr(builtins, n)}
    wanted.update(*(suite.wanted for suite in suites))
    return tuple(sorted(wanted | ({entry} if entry else set())))
