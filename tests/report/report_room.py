"""Runs for reports, written as `assay judge` would write them but without a sandbox: what a report shows is all that is tested here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from assay.benchmarks import load
from assay.records import Failure, Isolation, Manifest, Outcome, Trust, Verdict, digest
from assay.report import Source
from assay.store import open_run, open_samples, read_run

if TYPE_CHECKING:
    from pathlib import Path

PROBLEMS = (
    {"id": "t/1", "prompt": "Double a number.", "tests": ["assert f(1) == 2", "assert f(2) == 4"], "tags": ["numbers"]},
    {"id": "t/2", "prompt": "Count letters.", "tests": ["assert g('a') == 1", "assert g('') == 0"], "tags": ["text"]},
    {"id": "t/10", "prompt": "Halve a number.", "tests": ["assert h(4) == 2", "assert h(2) == 1"], "tags": ["numbers"]},
)


class Judged(NamedTuple):
    """A sample, and how its verdict differs from a pass."""

    problem: str
    text: str = "def f(n):\n    return n\n"
    outcome: Outcome = Outcome.PASSED
    fields: dict[str, object] = {}  # noqa: RUF012 (a tuple's default, which no test changes)
    kind: str = "solution"


def wrong(problem, text="def f(n):\n    return 7\n", **failure):
    """A sample that fails the second case."""
    told = {"case": 1, "group": "base", "outcome": Outcome.WRONG_ANSWER, "call": "f(2)", "expected": "4", "got": "7"}
    fields = {"first_failure": Failure(**(told | failure)), "message": "f(2): expected 4, got 7"}
    return Judged(problem, text, Outcome.WRONG_ANSWER, fields)


def divided(text, line, frames=(), **fields):
    """A sample that divides by zero in that line, in the second case."""
    said = f"ZeroDivisionError: division by zero (line {line})"
    told = {
        "case": 1,
        "group": "base",
        "outcome": Outcome.RUNTIME_ERROR,
        "call": "h(2)",
        "message": said,
        "frames": frames,
    }
    return Judged(
        "t/10", text, Outcome.RUNTIME_ERROR, {"first_failure": Failure(**told), "message": f"h(2): {said}", **fields}
    )


def verdict(index, judged, cases):
    passed = cases if judged.outcome is Outcome.PASSED else cases - 1
    row = {
        "problem_id": judged.problem,
        "sample_index": index,
        "outcome": judged.outcome,
        "passed_cases": passed,
        "total_cases": cases,
        "groups": {"base": (passed, cases)},
        "cases": "1" * passed + "0" * (cases - passed),
        "trust": Trust.ANCHORED,
        "time_s": 0.01 * (index + 1),
        "peak_mib": 0.5,
        "message": "",
        "job_digest": digest(judged.problem, str(index), judged.text),
        "isolation": "L4",
    }
    return Verdict(**(row | judged.fields))


class Room:
    """A folder in which runs are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, name, samples, problems=PROBLEMS, *, lacking=0, **manifest) -> Path:
        """The folder of a run over these samples; `lacking` of the first problem's samples have no verdict."""
        data = self.folder / f"{name}.problems.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in problems))
        file = self.folder / f"{name}.samples.jsonl"
        file.write_text(
            "".join(json.dumps({"problem_id": each.problem, each.kind: each.text}) + "\n" for each in samples)
        )
        benchmark = load(str(data))
        cases = {each.id: sum(len(tests.cases) for tests in each.tests) for each in benchmark.problems}
        with open_samples(str(file), benchmark) as opened:
            expected = {each.id: len(opened.indices(each.id)) for each in benchmark.problems}
            samples_digest = opened.digest
        told = {
            "created": "2026-11-30T08:00:00+00:00",
            "benchmark": str(data),
            "benchmark_version": None,
            "benchmark_digest": benchmark.digest,
            "split": None,
            "limit": None,
            "problems": len(benchmark.problems),
            "invalid": (),
            "samples": str(file),
            "samples_digest": samples_digest,
            "settings": {"time_s": None, "trials": 1},
            "isolation": Isolation(level="L4", layers=("namespaces", "seccomp")),
            "interpreter": "CPython 3.11.7",
            "versions": {"assay": "0.1.0"},
            "seed": 0,
            "expected": expected,
        }
        folder = self.folder / name
        counts: dict[str, int] = {}
        with open_run(folder, Manifest(**(told | manifest))) as run:
            for each in samples[lacking:] if lacking else samples:
                index = counts.get(each.problem, lacking if each.problem == samples[0].problem else 0)
                run.append(verdict(index, each, cases[each.problem]))
                counts[each.problem] = index + 1
            run.finish()
        return folder

    def source(self, folder, stack) -> Source:
        """The run with all that it names."""
        run = read_run(folder)
        benchmark = load(run.manifest.benchmark)
        opened = stack.enter_context(open_samples(run.manifest.samples, benchmark))
        return Source(str(folder), run, benchmark, opened)


SOME = (
    Judged("t/1"),
    Judged("t/1"),
    wrong("t/1"),
    Judged("t/2", "def g(s):\n    return len(s)\n"),
    wrong("t/2", "def g(s):\n    return 1\n"),
    wrong("t/2", "def g(s):\n    return 2\n"),
    divided("def h(n):\n    return n / 0\n", 2),
    wrong("t/10", "def h(n):\n    return 2\n"),
    wrong("t/10", "def h(n):\n    return 2\n"),
)
"""Three samples of each of three problems: 3 of 9 are right."""

TEXT_OF_DEEP = "def h(n):\n    return k(n)\n\ndef k(n):\n    return n / 0\n"
DEEP = (
    Judged("t/1"),
    divided(TEXT_OF_DEEP, 5, frames=((2, "h"), (5, "k")), cpu_s=0.25, wall_s=2.5),
)
"""One sample that is right, and one whose error comes through two functions."""
