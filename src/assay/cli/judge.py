"""`assay judge`: samples in, verdicts out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from assay.cli.flags import (
    ALL_PROBLEMS,
    ONCE,
    USUAL_SCORING,
    PathOrStream,
    Repeating,
    Scoring,
    Selection,
    Switch,
)
from assay.cli.judging import Plan, judge_plan
from assay.cli.summary import show_run
from assay.cli.waiting import Waiting
from assay.store import open_samples


@Parameter(name="*")
@dataclass(frozen=True)
class Files:
    """Where samples come from and verdicts go to."""

    output: Annotated[PathOrStream, Parameter(name=["--output", "-o"])]
    """The run's folder, made if need be; `-` writes verdict rows to stdout and keeps nothing."""
    fresh: Annotated[bool, Switch] = False
    """Begin again what is there; the old verdicts are kept beside it."""
    skip_bad_rows: Annotated[bool, Switch] = False
    """Go on without the rows of the sample file that can't be used."""


def judge_file(
    benchmark: str,
    samples: PathOrStream,
    /,
    *,
    files: Files,
    selection: Selection = ALL_PROBLEMS,
    repeating: Repeating = ONCE,
    scoring: Scoring = USUAL_SCORING,
) -> int:
    """Judge a file of samples and show the numbers.

    Verdicts are appended to RUN/verdicts.jsonl as they come. The same command again goes on where it was interrupted. Exit status 1
    if some samples have no verdict (a failure of assay's own, which the same command tries again).

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        samples: The sample file of this or another project, gzipped or not, or a folder of programs; `-` is standard input.
        files: Where verdicts go.
        selection: Which problems.
        repeating: How they are judged, and how often.
        scoring: Which numbers are shown.
    """
    scoring.ks()  # a mistake in -k is better told now than after an hour
    settings = repeating.settings()
    problems = selection.read(benchmark, repeating.judging)
    with Waiting().on(f"reading {'standard input' if samples == '-' else samples} ..."):
        opened = open_samples(samples, problems, skip_bad_rows=files.skip_bad_rows)
    with opened:
        plan = Plan(problems, opened, selection, settings, files.output, files.fresh, selection.file_of(benchmark))
        recorder = judge_plan(plan)
    if files.output == "-":
        return 1 if recorder.unjudged else 0
    return show_run(files.output, scoring)
