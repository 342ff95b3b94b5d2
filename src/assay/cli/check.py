"""`assay check`: is the benchmark itself in order?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from assay.cli.flags import ALL_PROBLEMS, USUAL_JUDGING, Judging, Selection, Switch
from assay.cli.table import draw_table
from assay.cli.terminal import count_of, put, put_json, say
from assay.engine import ReferenceCheck, Settings, check_references
from assay.metrics import shorten_reason

if TYPE_CHECKING:
    from assay.records import Benchmark


class Findings(NamedTuple):
    """What judging the references has shown."""

    benchmark: Benchmark
    checks: tuple[ReferenceCheck, ...]

    @property
    def problems(self) -> int:
        """All problems that were read."""
        return len(self.benchmark.problems) + len(self.benchmark.invalid)

    @property
    def invalid(self) -> list[tuple[str, str]]:
        """Problems that can't be judged, and why; a failing reference makes its problem invalid."""
        found = [(problem.id, problem.reason) for problem in self.benchmark.invalid]
        return found + [(check.id, check.reason) for check in self.checks if not check.passed]

    @property
    def passed(self) -> list[ReferenceCheck]:
        """References that pass their own tests."""
        return [check for check in self.checks if check.passed]

    @property
    def failed(self) -> list[ReferenceCheck]:
        """References that do not pass their own tests; where the tests themselves are no good, no reference has failed."""
        return [check for check in self.checks if not check.passed and _blames_reference(check)]

    @property
    def vacuous(self) -> list[str]:
        """Problems with a test that nothing could fail."""
        return [check.id for check in self.checks if check.vacuous]

    def as_json(self) -> dict[str, Any]:
        """What `assay check --json` prints."""
        return {
            "problems": self.problems,
            "references": {
                "passed": len(self.passed),
                "failed": [check.id for check in self.failed],
            },
            "vacuous": self.vacuous,
            "invalid": [{"id": id_, "reason": reason} for id_, reason in self.invalid],
        }

    def as_text(self) -> str:
        """What `assay check` prints."""
        trust = Counter(str(check.trust) for check in self.passed)
        words = ", ".join(f"{count} {name}" for name, count in sorted(trust.items()))
        without, unread = len(self.benchmark.problems) - len(self.checks), len(self.benchmark.invalid)
        lines = [
            f"{self.benchmark.name}: {count_of(self.problems, 'problem')}"
            + (f", {without} without a reference" if without else "")
            + (f", {unread} not judged at all" if unread else ""),
            f"references passed: {len(self.passed)} of {count_of(len(self.checks), 'problem')} with a reference"
            + (f", {len(self.failed)} failed" if self.failed else "")
            + f" (trust: {words or 'none'})",
            f"problems with vacuous tests: {shorten_reason(', '.join(self.vacuous)) or 'none'}",
            f"invalid problems: {len(self.invalid) or 'none'}",
        ]
        return "\n".join(lines) + (
            "\n\n" + draw_table(("invalid problem", "reason"), self.invalid) if self.invalid else ""
        )


def _blames_reference(check: ReferenceCheck) -> bool:
    # Reasons begin with what is at fault: "the reference fails its own tests", but "its tests hold no assertion".
    return not check.invalid or check.reason.startswith("the reference ")


def check_benchmark(
    benchmark: str,
    /,
    *,
    selection: Selection = ALL_PROBLEMS,
    judging: Judging = USUAL_JUDGING,
    json: Annotated[bool, Switch] = False,
) -> int:
    """Judge the benchmark's own references, and find tests that nothing could fail and problems that can't be judged.

    Exit status 1 if a reference fails or a problem is invalid.

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        selection: Which problems.
        judging: How they are judged.
        json: Print one JSON object.
    """
    settings = judging.settings()
    problems = selection.read(benchmark)
    findings = Findings(problems, _judge_references(problems, settings))
    if json:
        put_json(findings.as_json())
    else:
        put(findings.as_text())
    return 1 if findings.invalid else 0


def _judge_references(benchmark: Benchmark, settings: Settings) -> tuple[ReferenceCheck, ...]:
    referred = [problem for problem in benchmark.problems if problem.reference is not None]
    say(f"judging {count_of(len(referred), 'reference')} ...")
    return tuple(check_references(referred, settings))
