"""Everything that `assay check` has found, in one list: what running the references showed and what reading the tests showed.

For people a table of kinds with counts and ids, then the details, cut; for programs one JSON object that holds all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.benchmarks import FindingKind
from assay.cli.table import draw_table, wrap_text
from assay.counts import count_of, listed
from assay.judge import count_vacuous
from assay.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.benchmarks import Finding
    from assay.engine import ReferenceCheck
    from assay.records import Benchmark

IDS_SHOWN, DETAILS_SHOWN = 8, 5
"""Ids and details of a kind that people see; `--json` holds all."""

KINDS = {
    "failed": ("error", "references that fail"),
    "invalid": ("error", "problems that can't be judged"),
    "slow": ("warning", "references too slow for their limit"),
    "large": ("warning", "references too large for their limit"),
    "flaky": ("warning", "references that pass by chance"),
    "vacuous": ("warning", "tests that nothing could fail"),
    FindingKind.NO_CALL.value: ("warning", "tests that do not depend on the candidate"),
    FindingKind.DUPLICATE_TESTS.value: ("warning", "tests that repeat others"),
    FindingKind.PLUS_EQUAL_BASE.value: ("warning", "plus inputs that are base inputs"),
    FindingKind.ANSWER_CUT_OFF.value: ("warning", "asserts that a comma cuts off"),
    FindingKind.MISSING_ENTRY_POINT.value: ("warning", "entry points that are missing"),
    FindingKind.PROMPT_HOLDS_TEST.value: ("warning", "prompts that hold a test"),
    FindingKind.PROMPT_CONTRADICTS_TEST.value: ("warning", "prompts that contradict a test"),
    FindingKind.FEW_SHOT_OVERLAP.value: ("warning", "problems that few-shot prompts solve"),
    FindingKind.SHOWN_IN_PROMPT.value: ("note", "tests shown in the prompt as examples"),
}
"""Every kind of finding by its JSON key, in the order in which they are shown: how much it weighs, and how people call it."""


class Findings(NamedTuple):
    """What `assay check` has found: how the references fared in `trials` trials, and what reading showed."""

    benchmark: Benchmark
    checks: tuple[ReferenceCheck, ...]
    read: tuple[Finding, ...]
    trials: int = 1

    @property
    def problems(self) -> int:
        """All problems that were read."""
        return len(self.benchmark.problems) + len(self.benchmark.invalid)

    @property
    def passed(self) -> list[ReferenceCheck]:
        """References that pass their own tests."""
        return [check for check in self.checks if check.passed]

    @property
    def in_order(self) -> bool:
        """Whether every reference passes and every problem can be judged."""
        return not self.benchmark.invalid and len(self.passed) == len(self.checks)

    def details(self) -> dict[str, dict[str, str]]:
        """For each kind of `KINDS`, what was found by problem id."""
        found: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
        for kind, id_, detail in self._all():
            found[kind][id_] = detail
        return found

    def _all(self) -> Iterator[tuple[str, str, str]]:
        for unread in self.benchmark.invalid:
            yield "invalid", unread.id, unread.reason
        for check in self.checks:
            yield from ((kind, check.id, detail) for kind, detail in _of_reference(check))
        for problem in self.benchmark.problems:
            if count := count_vacuous(problem.tests):
                yield "vacuous", problem.id, count_of(count, "assert")
        for finding in self.read:
            yield finding.kind.value, finding.id, finding.detail

    def as_json(self) -> dict[str, Any]:
        """What `assay check --json` prints."""
        found = self.details()
        ids = {kind: list(by_id) for kind, by_id in found.items() if kind not in ("failed", "invalid")}
        return {
            "benchmark": self.benchmark.name,
            "digest": self.benchmark.digest,
            "problems": self.problems,
            "references": {"passed": len(self.passed), "failed": list(found["failed"]), "trials": self.trials},
            "invalid": [{"id": id_, "reason": reason} for id_, reason in found["invalid"].items()],
            **ids,
            "findings": [
                {"kind": kind, "id": id_, "weight": KINDS[kind][0], "detail": detail}
                for kind, by_id in found.items()
                for id_, detail in by_id.items()
            ],
        }

    def as_text(self) -> str:
        """What `assay check` prints."""
        everything = self.details()
        for id_ in everything["failed"]:
            everything["invalid"].pop(id_, None)  # told once is enough for people
        found = {kind: by_id for kind, by_id in everything.items() if by_id}
        if not found:
            return f"{self._headlines()}\nnothing was found"
        rows = [(*KINDS[kind], f"{len(by_id):,}", _some(list(by_id))) for kind, by_id in found.items()]
        table = draw_table(("", "what was found", "problems", "ids"), rows, right=("problems",))
        listings = [f"{KINDS[kind][1]}\n{_listing(by_id)}" for kind, by_id in found.items()]
        return "\n".join((f"{self._headlines()}\n", table, *listings)).rstrip("\n")

    def _headlines(self) -> str:
        trust = Counter(str(check.trust) for check in self.passed)
        words = ", ".join(f"{count} {name}" for name, count in sorted(trust.items()))
        without, unread = len(self.benchmark.problems) - len(self.checks), len(self.benchmark.invalid)
        failed = len(self.details()["failed"])
        return (
            f"{self.benchmark.name}: {count_of(self.problems, 'problem')}"
            + (f", {without} without a reference" if without else "")
            + (f", {unread} not judged at all" if unread else "")
            + f"\nreferences passed: {len(self.passed)} of {count_of(len(self.checks), 'problem')} with a reference"
            + (f", {failed} failed" if failed else "")
            + f" (trust: {words or 'none'})"
        )


def _of_reference(check: ReferenceCheck) -> Iterator[tuple[str, str]]:
    if not check.passed:
        yield "invalid", check.reason
        if check.fault in (Fault.REFERENCE, Fault.TIME):
            yield "failed", check.reason
    if check.slow:
        took = f"it takes {check.time_s:.1f} s, and its limit is {check.limit_s:g} s"
        yield "slow", f"{took}; {check.fitting_s:g} s would fit"
    if check.large:
        used = f"it uses {check.peak_mib:,.0f} MiB, and its limit is {check.limit_mib:,} MiB"
        yield "large", f"{used}; {check.fitting_mib:,} MiB would fit"
    if check.flaky:
        yield "flaky", f"it passes {check.passed_runs} of {check.runs} runs; {check.reason}"


def _some(ids: list[str]) -> str:
    return listed(ids, IDS_SHOWN)


def _listing(by_id: dict[str, str]) -> str:
    alike: dict[str, list[str]] = {}
    for id_, detail in by_id.items():
        alike.setdefault(" ".join(detail.split()), []).append(id_)
    lines = [wrap_text(f"  {_some(ids)}: {detail}") for detail, ids in list(alike.items())[:DETAILS_SHOWN]]
    rest = sum(len(ids) for ids in list(alike.values())[DETAILS_SHOWN:])
    return "\n".join((*lines, *([f"  and {rest:,} more (--json lists all)"] if rest else []), ""))
