"""`assay generate`: a model's answers, as a file of samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import anyio
from cyclopts import Parameter

from assay.cli.asking import AskingFlags, ask_session
from assay.cli.asking_flags import checked_place
from assay.cli.flags import ALL_PROBLEMS, PathOrStream, Selection, Switch


@Parameter(name="*")
@dataclass(frozen=True)
class SampleFiles:
    """Where answers go to."""

    output: Annotated[PathOrStream, Parameter(name=["--output", "-o"])]
    """The sample file, made if need be."""
    fresh: Annotated[bool, Switch] = False
    """Begin again what is there; the old answers are kept beside it."""


def generate_samples(
    benchmark: str,
    /,
    *,
    files: SampleFiles,
    asking: AskingFlags,
    selection: Selection = ALL_PROBLEMS,
) -> int:
    """Ask a model and write its answers to a file of samples, for `assay judge` or other tools.

    Answers are appended as they come. The same command again asks only for what is missing; a larger -n asks for more. Beside FILE.jsonl
    lie FILE.generation.json (what decides the answers) and, where answers did not come, FILE.errors.jsonl. Exit status 1 if some did not.

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        files: Where answers go.
        asking: Which model, what it is shown, and how hard its server is pressed.
        selection: Which problems.
    """
    plan = asking.plan(benchmark, selection.read(benchmark), selection)
    with ask_session(plan._replace(output=checked_place(files.output), fresh=files.fresh)) as session:
        anyio.run(session.ask)
    return 1 if session.failed else 0
