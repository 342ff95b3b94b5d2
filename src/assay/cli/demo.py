"""`assay demo`: the whole line on the embedded problems, and what it shows: samples that weak tests let through."""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from assay.benchmarks import load, recorded_samples
from assay.cli.flags import ALL_PROBLEMS, USUAL_JUDGING, USUAL_SCORING, Judging, Switch
from assay.cli.judging import Plan, judge_plan
from assay.cli.summary import Summary, summarise
from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import put, put_json
from assay.store import SampleFile, open_samples, read_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Benchmark, Verdict

BENCHMARK = "basics"
A_CATEGORY = 2
"""Problems of each category that the table shows, with one hidden sample each; `--json` lists all samples."""
WORDS, VALUE = 50, 24
"""Characters of a cell that holds words, and of one that holds a value."""


class Hidden(NamedTuple):
    """A wrong sample that the base tests let through, and what gave it away."""

    problem_id: str
    sample_index: int
    category: str
    what: str
    call: str
    expected: str
    got: str

    def as_cells(self) -> tuple[str, ...]:
        """A row of the table, cut to what a terminal can show."""
        values = (_short(value, VALUE) for value in (self.call, self.expected, self.got))
        return (f"{self.problem_id} #{self.sample_index}", _short(self.what, WORDS), *values)


class Demonstration(NamedTuple):
    """What the demo shows."""

    summary: Summary
    hidden: tuple[Hidden, ...]

    def _pass_at_1(self, tests: str) -> str:
        found = (each.value for each in self.summary.estimates if (each.name, each.tests) == ("pass@1", tests))
        value = next(found, None)
        return "unknown" if value is None else f"{value:.3f}"

    def as_json(self) -> dict[str, Any]:
        """Everything that does not change from run to run, and no time."""
        return self.summary.as_json() | {"hidden": [hidden._asdict() for hidden in self.hidden]}

    def as_text(self) -> str:
        """The tables that `make demo` ends with."""
        tally = self.summary.tally
        wrong = sum(counts.samples - counts.solved.get("all", 0) for counts in tally.problems.values())
        shown = list(_few_a_category(self.hidden))
        rows = [row.as_cells() for row in shown]
        categories = ", ".join(dict.fromkeys(row.category for row in shown))
        found = (
            f"Of {wrong} wrong samples, {len(self.hidden)} pass all base tests: 3 asserts a problem, as in a crowd-sourced set.\n"
            f"The plus tests, 20 and more inputs a problem, find them: pass@1 is {self._pass_at_1('base')} by base tests alone, "
            f"{self._pass_at_1('all')} by all.\n{len(shown)} of them, {A_CATEGORY} a category ({categories}):\n"
        )
        return "\n".join(
            (
                self.summary.as_text(hidden=False),
                wrap_text(found),
                draw_table(("sample", "what is wrong", "call", "expected", "got"), rows),
            )
        )


def run_demo(
    *,
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    judging: Judging = USUAL_JUDGING,
    json: Annotated[bool, Switch] = False,
) -> int:
    """Judge the recorded samples of the embedded problems, and show what weak tests hide.

    Needs no network and no model. Some samples are right, some wrong in ways that people and models are wrong.

    Args:
        output: Keep the run in this folder; otherwise it is thrown away.
        judging: How samples are judged.
        json: Print one JSON object.
    """
    benchmark = load(BENCHMARK, limits=judging.limits)
    path = recorded_samples(BENCHMARK) or ""
    with contextlib.ExitStack() as stack:
        samples = stack.enter_context(open_samples(path, benchmark))
        folder = output or stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-demo-"))
        recorder = judge_plan(Plan(benchmark, samples, ALL_PROBLEMS, judging.settings(), folder))
        hidden = tuple(_find_hidden(benchmark, samples, read_run(folder).verdicts()))
        shown = Demonstration(summarise(folder, USUAL_SCORING), hidden)
    if json:
        put_json(shown.as_json())
    else:
        put(shown.as_text())
    return 1 if recorder.unjudged else 0


def _find_hidden(benchmark: Benchmark, samples: SampleFile, verdicts: Iterable[Verdict]) -> Iterator[Hidden]:
    """The samples that pass every base case and are wrong all the same, in the benchmark's order."""
    found = {(verdict.problem_id, verdict.sample_index): verdict for verdict in verdicts if _is_hidden(verdict)}
    for problem in benchmark.problems:
        for sample in samples.read(problem.id):
            if verdict := found.get((problem.id, sample.index)):
                what = str(sample.extra.get("note", verdict.message)).removeprefix("wrong: ")
                failure = verdict.first_failure
                seen = (
                    (failure.call, failure.expected, failure.got or failure.message)
                    if failure
                    else ("", "", verdict.message)
                )
                yield Hidden(problem.id, sample.index, ", ".join(problem.tags), what, *seen)


def _is_hidden(verdict: Verdict) -> bool:
    passed, total = verdict.groups.get("base", (0, 0))
    return not verdict.passed and 0 < total == passed


def _few_a_category(rows: Iterable[Hidden]) -> Iterator[Hidden]:
    """The first row of the first problems of each category, in the order of the rows."""
    problems: set[str] = set()
    shown: Counter[str] = Counter()
    for row in rows:
        if row.problem_id not in problems and shown[row.category] < A_CATEGORY:
            problems.add(row.problem_id)
            shown[row.category] += 1
            yield row


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."
