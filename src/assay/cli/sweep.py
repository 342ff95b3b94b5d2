"""`assay sweep`: the same run at several temperatures, and which of them is best for which k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from assay.cli.asking import AskingFlags
from assay.cli.asking_and_judging import SAMPLES, run_plan
from assay.cli.asking_flags import checked_place
from assay.cli.flags import ALL_PROBLEMS, ONCE, USUAL_SCORING, PathOrStream, Repeating, Scoring, Selection, Switch
from assay.cli.summary import summarise
from assay.cli.sweep_summary import Heat, Sweep, distinct_programs, shared_ks
from assay.cli.terminal import put, put_json, say
from assay.errors import SettingsError
from assay.models import CANNED, REPLAY, split_name
from assay.records import Benchmark
from assay.store import open_samples, replace_file_by

RESULT = "sweep.json"


@Parameter(name="*")
@dataclass(frozen=True)
class SweepFolder:
    """At which temperatures, and where everything goes."""

    output: Annotated[PathOrStream, Parameter(name=["--output", "-o"])]
    """The sweep's folder, made if need be: a run folder for each temperature, and sweep.json."""
    temperatures: str = "0,0.2,0.6,0.8,1.0"
    """The temperatures, a list."""
    fresh: Annotated[bool, Switch] = False
    """Begin again what is there; old answers and verdicts are kept beside the new ones."""

    def heats(self) -> tuple[float, ...]:
        """The temperatures, each once, in rising order.

        Raises:
            SettingsError: One is no number from 0.
        """
        return read_temperatures(self.temperatures)

    def at(self, heat: float) -> str:
        """The run folder of a temperature."""
        return str(Path(checked_place(self.output)) / f"t{heat:g}")


def read_temperatures(text: str) -> tuple[float, ...]:
    """The numbers of `--temperatures 0,0.8`.

    Raises:
        SettingsError: One is no number from 0 to 100.

    >>> read_temperatures("0.8, 0,.80")
    (0.0, 0.8)
    """
    try:
        found = sorted({float(part) for part in text.split(",")})
    except ValueError:
        found = [-1.0]
    if not all(0 <= heat <= 100 for heat in found):
        raise SettingsError(
            f"--temperatures {text} is no list of temperatures", hint="for example --temperatures 0,0.2,0.8"
        )
    return tuple(found)


def sweep_temperatures(
    benchmark: str,
    /,
    *,
    folder: SweepFolder,
    asking: AskingFlags,
    selection: Selection = ALL_PROBLEMS,
    repeating: Repeating = ONCE,
    scoring: Scoring = USUAL_SCORING,
) -> int:
    """Run a benchmark at several temperatures: pass@k at each, the best for each k, and how many answers differ.

    A low temperature is usually best for pass@1, a high one for pass@k with a large k. Each temperature has a run folder of its own
    (FOLDER/t0.8), that other commands read as any run. The same command again goes on where it was interrupted. Exit status 1 if some
    answers did not come or some samples have no verdict.

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        folder: At which temperatures, and where everything goes.
        asking: Which model, what it is shown, and how hard its server is pressed.
        selection: Which problems.
        repeating: How samples are judged, and how often.
        scoring: Which numbers are shown.
    """
    heats = folder.heats()
    ks = shared_ks(scoring.ks(), asking.drawing.samples)
    if asking.drawing.temperature is not None:
        raise SettingsError("a sweep has temperatures of its own", hint="leave --temperature out: --temperatures 0,0.8")
    problems = selection.read(benchmark, repeating.judging)
    plan = asking.plan(benchmark, problems, selection)
    shown = replace(scoring, k=",".join(map(str, ks)))
    found, failed, heeded = [], 0, heeds_temperatures(asking.drawing.model, problems)
    if not heeded:
        say(f"warning: {asking.drawing.model} heeds no temperature: all points are the same answers, and none is best")
    for heat in heats:
        say(f"temperature {heat:g}")
        drawing = replace(asking.drawing, temperature=heat)
        at = plan._replace(output=folder.at(heat), drawing=drawing, sampling=drawing.sampling(), fresh=folder.fresh)
        ended = run_plan(at, repeating.settings())
        if ended.gave_up is not None:
            raise ended.gave_up
        plan = plan._replace(warned=plan.warned or ended.asked)
        failed += ended.failed
        found.append(_heat(heat, at.output, problems, shown))
    sweep = Sweep(problems.name, asking.drawing.model, asking.drawing.samples, ks, tuple(found), heeded)
    return _show(sweep, folder, as_json=scoring.json) or int(failed > 0)


def heeds_temperatures(model: str, problems: Benchmark) -> bool:
    """Whether a model draws by a temperature: one that is replayed does if any row says at which it was drawn.

    Raises:
        SettingsError: The file to replay is not there.
        DataError: It is no sample file of these problems.
    """
    kind, name = split_name(model)
    if kind != REPLAY:
        return kind not in CANNED
    with open_samples(name, problems) as samples:
        rows = (row for problem_id in samples.problem_ids() for row in samples.read(problem_id))
        return any(row.extra.get("temperature") is not None for row in rows)


def _heat(heat: float, folder: str, problems: Benchmark, scoring: Scoring) -> Heat:
    with open_samples(str(Path(folder) / SAMPLES), problems) as samples:
        distinct = distinct_programs(problems, samples)
    return Heat(heat, folder, summarise(folder, scoring), distinct)


def _show(sweep: Sweep, folder: SweepFolder, *, as_json: bool) -> int:
    data = msgspec.json.format(msgspec.json.encode(sweep.as_json()), indent=1)
    replace_file_by(Path(folder.output) / RESULT, (data, b"\n"))
    if as_json:
        put_json(sweep.as_json())
    else:
        put(sweep.as_text())
    return int(any(heat.summary.unjudged for heat in sweep.heats))
