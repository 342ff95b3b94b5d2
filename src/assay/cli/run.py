"""`assay run`: from a benchmark and a model to numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from assay.cli.asking import AskingFlags
from assay.cli.asking_and_judging import run_plan
from assay.cli.asking_flags import checked_place
from assay.cli.flags import ALL_PROBLEMS, ONCE, USUAL_SCORING, PathOrStream, Repeating, Scoring, Selection, Switch
from assay.cli.summary import show_run


@Parameter(name="*")
@dataclass(frozen=True)
class RunFolder:
    """Where everything goes."""

    output: Annotated[PathOrStream, Parameter(name=["--output", "-o"])]
    """The run's folder, made if need be: answers, verdicts and numbers."""
    fresh: Annotated[bool, Switch] = False
    """Begin again what is there; old answers and verdicts are kept beside the new ones."""


def run_benchmark(
    benchmark: str,
    /,
    *,
    folder: RunFolder,
    asking: AskingFlags,
    selection: Selection = ALL_PROBLEMS,
    repeating: Repeating = ONCE,
    scoring: Scoring = USUAL_SCORING,
) -> int:
    """Ask a model, judge its answers as they come, and show the numbers.

    It is `assay generate` and `assay judge` at the same time; RUN/samples.jsonl holds the answers. The same command again asks for and
    judges only what is missing. Exit status 1 if some answers did not come or some samples have no verdict.

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        folder: Where everything goes.
        asking: Which model, what it is shown, and how hard its server is pressed.
        selection: Which problems.
        repeating: How samples are judged, and how often.
        scoring: Which numbers are shown.
    """
    scoring.ks()  # a mistake in -k is better told now than after an hour
    settings = repeating.settings()
    plan = asking.plan(benchmark, selection.read(benchmark, repeating.judging), selection)
    ended = run_plan(plan._replace(output=checked_place(folder.output), fresh=folder.fresh), settings)
    if ended.gave_up is not None:
        raise ended.gave_up
    status = show_run(folder.output, scoring)
    return 1 if ended.failed else status
