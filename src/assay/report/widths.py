"""The figure of `assay plan`: how wide an interval is, and which difference of two runs is shown, against the samples of each problem.

Keeps true: the drawing is a file of its own. It brings its colours, light and dark, needs no network and holds no script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assay.report.svg import Plot, Scale, nice_steps, number, percent, tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.metrics import Precision

WIDTHS_MARK = "<!-- assay plan -->"
"""Stands at the beginning of every such file, so that one can be told from a file of somebody else."""

_STYLE = (
    "svg{--bg:#fff;--line:#e3e6eb;--ink:#1b1f27;--dim:#5c6573;--a:#2367b5;--b:#c2571a;background:var(--bg);"
    'font-family:system-ui,"Segoe UI",Roboto,Arial,sans-serif}'
    "@media(prefers-color-scheme:dark){svg{--bg:#12151a;--line:#2b313b;--ink:#e4e7ec;--dim:#98a2b1;--a:#6aa9f0;--b:#f0935a}}"
    "text{font-size:12px;fill:var(--dim)}.mid{text-anchor:middle}.end{text-anchor:end}.strong{fill:var(--ink);font-weight:600}"
    "line.grid{stroke:var(--line)}.axis,.tick,.asked{stroke:var(--dim)}.asked,.least{stroke-dasharray:3 4}"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round}.line.least{stroke-width:1}"
    ".interval{stroke:var(--a)}.shown{stroke:var(--b)}.dot{stroke:var(--bg);stroke-width:1.5}"
    ".dot.interval,text.interval{fill:var(--a)}.dot.shown,text.shown{fill:var(--b)}text.interval,text.shown{stroke:none}"
)
_HEAD = 62.0
"""Room above the plot, for what was asked and for the names of the lines."""


class Widths(NamedTuple):
    """What the figure is drawn of.

    `curve` runs over numbers of samples, `rows` are those that were asked about; `least` is what about endlessly many samples would give;
    `difference` is the one that is to be shown, if any. `told` says in two lines at most what all of it rests on.
    """

    told: str
    curve: tuple[Precision, ...]
    rows: tuple[Precision, ...]
    least: Precision
    difference: float | None = None


def draw_widths(widths: Widths) -> str:
    """The figure as the text of an SVG file: half the interval and the smallest difference shown, against n."""
    plot = _plot(widths)
    lines = (("interval", "half_width"), ("shown", "detectable"))
    for class_, field in lines:
        least = getattr(widths.least, field)
        ends = (widths.curve[0].samples, widths.curve[-1].samples)
        plot.line([(end, least) for end in ends], f"least {class_}")
        plot.line([(each.samples, getattr(each, field)) for each in widths.curve], class_)
        for each in widths.rows:
            at, value = float(plot.x(each.samples)), getattr(each, field)
            title = tag("title", f"n = {each.samples:,}: {percent(value)}")
            plot.add(tag("circle", title, cx=at, cy=float(plot.y(value)), r=4.0, class_=f"dot {class_}"))
    if widths.difference is not None:
        _add_asked(plot, widths.difference)
    return _file(plot, widths)


def _plot(widths: Widths) -> Plot:
    first, last = widths.curve[0].samples, widths.curve[-1].samples
    highest = max(max(each.half_width, each.detectable) for each in widths.curve)
    top = 1.06 * max(highest, widths.difference or 0.0)
    plot = Plot(Scale(first, last, Plot.LEFT + 8, Plot.RIGHT - 8, log=True), Scale(0.0, top, Plot.BOTTOM, Plot.TOP))
    plot.upwards(nice_steps(0.0, top), percent)
    plot.across(_ticks(first, last), lambda step: f"{int(step):,}", "samples of each problem, n")
    return plot


def _ticks(first: int, last: int) -> Sequence[float]:
    """Round numbers of samples between two, and these themselves where there is no other.

    >>> _ticks(1, 20), _ticks(500, 500)
    ([1, 2, 5, 10, 20], [500])
    """
    steps = [digit * 10**power for power in range(5) for digit in (1, 2, 5)]
    return [step for step in steps if first <= step <= last] or sorted({first, last})


def _add_asked(plot: Plot, difference: float) -> None:
    at = float(plot.y(difference))
    plot.add(tag("line", x1=Plot.LEFT, x2=Plot.RIGHT, y1=at, y2=at, class_="asked"))
    plot.add(tag("text", f"asked: {percent(difference)}", x=Plot.RIGHT, y=at - 5, class_="end strong"))


def _file(plot: Plot, widths: Widths) -> str:
    """The whole file: the plot under its head."""
    width, height = Plot.WIDTH, Plot.HEIGHT + _HEAD
    told = [tag("text", line, x=12.0, y=20.0 + 16 * i, class_="strong" if i == 0 else "") for i, line in
            enumerate(widths.told.split("\n")[:2])]  # fmt: skip
    names = (
        tag("text", "half an interval", x=Plot.LEFT, y=56.0, class_="interval"),
        tag("text", "smallest difference shown of two runs", x=Plot.RIGHT, y=56.0, class_="shown end"),
    )
    inside = (
        tag("title", "Width of the interval against the number of samples"),
        tag("desc", widths.told),
        tag("style", _STYLE),
        *told,
        *names,
        tag("g", *plot.parts, transform=f"translate(0 {number(_HEAD)})"),
    )
    whole = tag(
        "svg",
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )
    return f"{WIDTHS_MARK}\n{whole}\n"
