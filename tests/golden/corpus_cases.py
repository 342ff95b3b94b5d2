"""Turns a case of `corpus/cases.jsonl` into a problem row of our own form with its samples, and says which outcomes are right for it.

The corpus speaks of statuses, we of outcomes; `RIGHT` is the one table between them. What a case asks for and assay has no word for yet
is told by `not_judged`, from the case's fields, so that no case is left out in silence.
"""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any

from assay.records import Mode, Outcome, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assay.records import Verdict

Case = dict[str, Any]

INVALID, FLAKY = "invalid_problem", "flaky"
"""What is no outcome of one run: the problem was refused, and runs of one program had several outcomes."""

RIGHT: dict[str, set[str]] = {
    "passed": {Outcome.PASSED},
    "failed": {Outcome.WRONG_ANSWER},
    "error": {Outcome.RUNTIME_ERROR},
    "syntax_error": {Outcome.SYNTAX_ERROR, Outcome.NO_CODE},
    "timeout": {Outcome.TIME_LIMIT},
    "memory": {Outcome.MEMORY_LIMIT},
    "output_limit": {Outcome.OUTPUT_LIMIT},
    INVALID: {INVALID},
    FLAKY: {FLAKY},
}
"""What satisfies a status of the corpus."""

MODES = {"assert": Mode.SOLUTION, "check": Mode.SOLUTION, "differential": Mode.SOLUTION, "completion": Mode.COMPLETION}
"""Modes that are judged, and the mode of their candidates as samples."""

ORACLES = {"python": "exact", "strict_types": "types"}
"""Names of equality in the corpus, where answers are compared with a reference's."""

_NAMED = re.compile(r"\b[A-Z]\w*Error\b|\bSIG[A-Z]+\b|\bsignal \d+")


def read_cases(shared: Path) -> list[Case]:
    """All cases, in the order of the file."""
    lines = (shared / "corpus" / "cases.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def not_judged(case: Case) -> str | None:
    """Why a case can't be judged yet, None where it can."""
    if case["language"] != "python":
        return f"its language is {case['language']}"
    if case["mode"] not in MODES:
        return f"its mode is {case['mode']}"
    if "backend" in case:
        return f"its backend is {case['backend']}"
    if case["mode"] != "differential" and "equality" in case.get("options", {}):
        return "its asserts mean another equality than Python's"
    return None


def count_not_judged(cases: Sequence[Case]) -> dict[str, int]:
    """How many cases can't be judged, by reason."""
    return dict(Counter(reason for reason in map(not_judged, cases) if reason is not None))


def problem_row(case: Case) -> dict[str, Any]:
    """The case's problem, as a row of a user's own file."""
    optional = {key: case[key] for key in ("entry_point", "setup") if case.get(key)}
    prompt = case.get("prompt") or case["expected"]["detail"]
    return {"id": case["id"], "prompt": prompt, "limits": _limits(case), **optional, **_tests(case)}


def _limits(case: Case) -> dict[str, float]:
    given = case["limits"]
    times = len(case["tests"]) if given.get("scope") == "test" else 1  # ours is the time of all tests together
    disk = {"disk_mib": given["file_mb"]} if "file_mb" in given else {}
    return {"time_s": times * given["timeout_s"], "memory_mib": given["memory_mb"], **disk}


def _tests(case: Case) -> dict[str, Any]:
    if case["mode"] == "check":
        return {"check": "\n".join(case["tests"])}
    if case["mode"] == "differential":
        return {"inputs": case["inputs"], "reference": case["reference"], "oracle": _oracle(case.get("options", {}))}
    return {"tests": case["tests"]}


def _oracle(options: dict[str, Any]) -> str | dict[str, Any]:
    """The oracle that is meant. That nan equals nan needs no word: it does so under every one."""
    if "rel_tol" in options:
        return {"name": "close", "rtol": options["rel_tol"]}
    return ORACLES[options.get("equality", "python")]


def refused_row(case: Case) -> dict[str, Any] | None:
    """The problem with its reference and the test that this fails, where the case says that a check of the problem finds this."""
    said = case.get("problem_check")
    if said is None:
        return None
    base_test = re.search(r"base test (.+)", said)
    tests = [f"assert {base_test[1]}"] if base_test else case["tests"]
    return problem_row(case | {"id": f"{case['id']}, checked", "mode": "assert", "tests": tests}) | {
        "reference": case["reference"]
    }


def samples(case: Case, observer: str) -> list[Sample]:
    """The candidate, as often as the case wants it to be run, and behind it a program that tells what it finds."""
    texts = [(case["candidate"], MODES[case["mode"]])] * case.get("repeat", 1) + [(observer, Mode.SOLUTION)]
    return [Sample(problem_id=case["id"], index=n, text=text, mode=mode) for n, (text, mode) in enumerate(texts)]


def right(case: Case) -> set[str]:
    """The outcomes that are right for a case."""
    expected = case["expected"]
    return set().union(*(RIGHT[status] for status in (expected["status"], *expected.get("also_ok", ()))))


def outcome_of(verdicts: Sequence[Verdict], invalid: str | None) -> str:
    """The outcome of a case's runs."""
    if invalid is not None:
        return INVALID
    outcomes = {v.outcome.value for v in verdicts}
    return outcomes.pop() if len(outcomes) == 1 else FLAKY


def odd_details(case: Case, verdict: Verdict) -> list[str]:
    """What is wrong about a verdict whose outcome is right: cases that passed or failed against `per_test`, and errors that its message
    does not name although the case does.
    """
    statuses = case["expected"].get("per_test", ())
    odd = []
    if statuses and verdict.cases != "".join("1" if s == "passed" else "0" for s in statuses):
        odd.append(f"cases {verdict.cases} for {', '.join(statuses)}")
    first = verdict.first_failure
    if statuses and first is not None and first.outcome not in RIGHT[statuses[first.case]]:
        odd.append(f"case {first.case} is {first.outcome}, not {statuses[first.case]}")
    names = _errors_named(case)
    if names and not any(name in verdict.message for name in names):
        odd.append(f"the message {verdict.message!r} names none of {', '.join(names)}")
    return odd


def _errors_named(case: Case) -> list[str]:
    """The errors and signals that a case says its candidate ends by."""
    expected = case["expected"]
    if expected["status"] not in ("error", "syntax_error"):
        return []
    found = _NAMED.findall(expected["detail"])
    return [signal.Signals(int(name.split()[1])).name if name.startswith("signal") else name for name in found]
