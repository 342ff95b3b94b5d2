"""`assay plan`: how many problems and samples it takes, before they are paid for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from assay.cli.flags import Switch, read_ks
from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import put, put_json
from assay.errors import SettingsError
from assay.limits import Range
from assay.metrics import Outlook, Precision, precision, samples_needed

if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL_SAMPLES = (1, 2, 5, 10, 20, 50, 100, 200)
PROBLEMS = Range(1, 10_000_000)
"""How many problems a benchmark may have."""

_BAR = 30
"""Characters of the longest bar."""


@Parameter(name="*")
@dataclass(frozen=True)
class Expecting:
    """What is expected of the runs."""

    k: Annotated[int, Parameter(name="-k")] = 1
    """The k of pass@k."""
    spread: float = 0.5
    """How alike problems are: a + b of the Beta distribution of their success rates. Real runs have 0.15 to 1; 0.1 is nearly
    always-or-never, 50 nearly all alike."""
    correlation: float = 0.7
    """How alike two runs' success rates are over problems: about 0.7 for two models, 0.9 and more for two versions of one."""
    level: float = 0.95
    """Level of intervals and tests."""
    power: float = 0.8
    """How often a true difference is to be shown."""


USUAL_OUTLOOK = Expecting()


def plan_runs(
    *,
    problems: int,
    p: float,
    difference: float | None = None,
    samples: Annotated[str | None, Parameter(name=["--samples", "-n"])] = None,
    expecting: Expecting = USUAL_OUTLOOK,
    json: Annotated[bool, Switch] = False,
) -> int:
    """Say how wide an interval will be and which difference of two runs could be shown, for several numbers of samples.

    More samples of a problem narrow only what chance in answering adds; what problems differ stays, and only more problems narrow that.
    Everything rests on the outlook (p, spread, correlation), so try several.

    Args:
        problems: How many problems the benchmark has.
        p: The pass@1 that is expected.
        difference: The true difference of two runs that is to be shown; how much it takes is then said too.
        samples: Numbers of samples for each problem, such as 1,10,100.
        expecting: The outlook.
        json: Print one JSON object.
    """
    if not PROBLEMS.holds(problems):
        raise SettingsError(f"--problems {problems} is out of range", hint=f"give {PROBLEMS}")
    outlook = Outlook(p, expecting.k, expecting.spread, expecting.correlation, expecting.level, expecting.power)
    numbers = read_ks(samples, "-n") if samples else tuple(n for n in USUAL_SAMPLES if n >= outlook.k) or (outlook.k,)
    rows = [precision(outlook, problems, n, difference) for n in numbers]
    needed = None if difference is None else samples_needed(outlook, problems, difference)
    if json:
        put_json(_as_json(outlook, rows, difference, needed))
    else:
        put(f"{_told(outlook, problems)}\n{_table(rows)}{_answer(rows, difference, needed)}")
    return 0


def _as_json(
    outlook: Outlook, rows: Sequence[Precision], difference: float | None, needed: int | None
) -> dict[str, Any]:
    return {
        "outlook": outlook._asdict(),
        "difference": difference,
        "samples_needed": needed,
        "precision": [each._asdict() for each in rows],
    }


def _told(outlook: Outlook, problems: int) -> str:
    guesses = f"p = {outlook.p}, spread {outlook.spread}, correlation {outlook.correlation}"
    text = f"pass@{outlook.k} over {problems:,} problems if {guesses}; level {outlook.level:.0%}, power {outlook.power:.0%}"
    return f"{wrap_text(text)}\n"


def _table(rows: Sequence[Precision]) -> str:
    asked = rows[0].problems_needed is not None
    widest = max(each.half_width for each in rows)
    heads = ("samples each", "in all", "interval +-", "difference shown from", *(("problems needed",) if asked else ()))
    cells = [
        (
            f"{each.samples:,}",
            f"{each.samples * each.problems:,}",
            f"{each.half_width:.4f}",
            f"{each.detectable:.4f}",
            *((f"{each.problems_needed:,}",) if asked else ()),
            "#" * round(_BAR * each.half_width / widest),
        )
        for each in rows
    ]
    return draw_table((*heads, "width"), cells, right=heads)


def _answer(rows: Sequence[Precision], difference: float | None, needed: int | None) -> str:
    if difference is None:
        return ""
    problems = rows[0].problems
    if needed is not None:
        text = f"A difference of {difference} needs {needed:,} samples of each of the {problems:,} problems."
    else:
        least = min(rows, key=lambda each: each.problems_needed or 0)
        text = (
            f"No number of samples shows a difference of {difference} with {problems:,} problems; "
            f"with {least.samples:,} samples each it takes {least.problems_needed:,} problems."
        )
    return f"\n{wrap_text(text)}\n"
