"""`assay plan`: how many problems and samples it takes, before they are paid for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from assay.cli.flags import Switch, read_ks
from assay.cli.outputs import require_free
from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import put, put_json, say
from assay.counts import count_of
from assay.errors import SettingsError
from assay.limits import Range
from assay.metrics import MOST_SAMPLES, Outlook, Precision, precision, precision_curve, samples_needed
from assay.store import replace_file_by

if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL_SAMPLES = (1, 2, 5, 10, 20, 50, 100, 200)
PROBLEMS = Range(1, 10_000_000)
"""How many problems a benchmark may have."""


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


@Parameter(name="*")
@dataclass(frozen=True)
class Showing:
    """How it is shown."""

    figure: Path | None = None
    """An SVG file to write: both widths against the number of samples. Such a figure that is there already is replaced."""
    json: Annotated[bool, Switch] = False
    """Print one JSON object; `curve` holds what the figure is drawn through, `least` what 10,000 samples of each would give."""


USUAL_OUTLOOK, USUAL_SHOWING = Expecting(), Showing()


def plan_runs(
    *,
    problems: int,
    p: float,
    difference: float | None = None,
    samples: Annotated[str | None, Parameter(name=["--samples", "-n"])] = None,
    expecting: Expecting = USUAL_OUTLOOK,
    showing: Showing = USUAL_SHOWING,
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
        showing: How it is shown.
    """
    if not PROBLEMS.holds(problems):
        raise SettingsError(f"--problems {problems} is out of range", hint=f"give {PROBLEMS}")
    outlook = Outlook(p, expecting.k, expecting.spread, expecting.correlation, expecting.level, expecting.power)
    numbers = read_ks(samples, "-n") if samples else tuple(n for n in USUAL_SAMPLES if n >= outlook.k) or (outlook.k,)
    rows = tuple(precision(outlook, problems, n, difference) for n in numbers)
    plan = Plan(outlook, rows, precision(outlook, problems, MOST_SAMPLES), difference)
    if showing.figure is not None:
        _write_figure(plan, showing.figure)
    if showing.json:
        put_json(plan.as_json())
    else:
        put(plan.as_text())
    return 0


class Plan(NamedTuple):
    """What is expected, and what comes of it for each number of samples; `least` is what no number of samples goes below."""

    outlook: Outlook
    rows: tuple[Precision, ...]
    least: Precision
    difference: float | None

    @property
    def problems(self) -> int:
        """How many problems there are."""
        return self.rows[0].problems

    @property
    def needed(self) -> int | None:
        """How many samples of each problem show the difference; None where none was asked about, or no number does."""
        return None if self.difference is None else samples_needed(self.outlook, self.problems, self.difference)

    def curve(self) -> tuple[Precision, ...]:
        """What a figure is drawn through: from k samples to the most that were asked about."""
        return precision_curve(self.outlook, self.problems, max(each.samples for each in self.rows))

    def as_json(self) -> dict[str, Any]:
        """What `assay plan --json` prints."""
        return {
            "outlook": self.outlook._asdict(),
            "difference": self.difference,
            "samples_needed": self.needed,
            "precision": [each._asdict() for each in self.rows],
            "curve": [_widths(each) for each in self.curve()],
            "least": _widths(self.least),
        }

    def as_text(self) -> str:
        """What `assay plan` prints."""
        told = wrap_text("; ".join(_told(self.outlook, self.problems)))
        least = (
            f"However many samples: an interval of +- {self.least.half_width:.4f}, a difference shown from {self.least.detectable:.4f}. "
            "Only more problems narrow that."
        )
        answer = _answer(self.rows, self.difference, self.needed)
        return f"{told}\n\n{_table(self.rows)}\n{wrap_text(least)}\n{answer}"


def _widths(each: Precision) -> dict[str, float]:
    return {"samples": each.samples, "half_width": each.half_width, "detectable": each.detectable}


def _write_figure(plan: Plan, path: Path) -> None:
    from assay.report import WIDTHS_MARK, Widths, draw_widths  # noqa: PLC0415 (a fifth of a second that only a figure needs)

    mark = WIDTHS_MARK.encode()
    require_free(path, "--figure", kind="figure of assay plan", is_ours=lambda head: head.startswith(mark))
    told = "\n".join(_told(plan.outlook, plan.problems))
    text = draw_widths(Widths(told, plan.curve(), plan.rows, plan.least, plan.difference))
    replace_file_by(path, (text.encode(),))
    say(f"{path}: the figure of width against n")


def _told(outlook: Outlook, problems: int) -> tuple[str, str]:
    """What is computed, and the guesses that it rests on."""
    guesses = f"p = {outlook.p}, spread {outlook.spread}, correlation {outlook.correlation}"
    return (
        f"pass@{outlook.k} over {count_of(problems, 'problem')} if {guesses}",
        f"level {outlook.level:.0%}, power {outlook.power:.0%}",
    )


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
        )
        for each in rows
    ]
    bars = [each.half_width / widest for each in rows]
    return draw_table(heads, cells, right=heads, bars=bars)


def _answer(rows: Sequence[Precision], difference: float | None, needed: int | None) -> str:
    if difference is None:
        return ""
    asked = count_of(rows[0].problems, "problem")
    if needed is not None:
        text = f"A difference of {difference} needs {count_of(needed, 'sample')} of each of {asked}."
    else:
        least = min(rows, key=lambda each: each.problems_needed or 0)
        text = (
            f"No number of samples shows a difference of {difference} with {asked}; "
            f"with {count_of(least.samples, 'sample')} each it takes {count_of(least.problems_needed or 0, 'problem')}."
        )
    return f"\n{wrap_text(text)}\n"
