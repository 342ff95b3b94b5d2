"""Figures of what samples used, and of the differences between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.report.svg import Figure, Plot, Scale, Table, nice_steps, percent, tag

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.report.numbers import View
    from assay.report.survey import Spread


def seconds(value: float) -> str:
    """A time as people write it.

    >>> seconds(0.0001), seconds(0.0042), seconds(0.25), seconds(12.5)
    ('under 1 ms', '4.2 ms', '250 ms', '12.5 s')
    """
    if value < 0.00095:
        return "under 1 ms"
    return f"{1000 * value:.2g} ms" if value < 0.0995 else f"{1000 * value:.0f} ms" if value < 1 else f"{value:.3g} s"


def mebibytes(value: float) -> str:
    """A size of memory as people write it.

    >>> mebibytes(0.1374), mebibytes(12.34), mebibytes(1024)
    ('0.14 MiB', '12.3 MiB', '1,024 MiB')
    """
    return f"{value:.2g} MiB" if value < 1 else f"{value:,.3g} MiB" if value < 1000 else f"{value:,.0f} MiB"


def time_figure(view: View) -> Figure | None:
    """How long samples took."""
    return _histogram(
        view.survey.times, "Time a sample", seconds, "effective time: wall time without the wait for a processor"
    )


def memory_figure(view: View) -> Figure | None:
    """How much memory samples used."""
    return _histogram(view.survey.memory, "Memory a sample", mebibytes, "peak above what the interpreter itself needs")


def _histogram(spread: Spread, title: str, written: Callable[[float], str], what: str) -> Figure | None:
    if not spread.values:
        return None
    first, last = min(spread.bins), max(spread.bins) + 1
    first, last = min(first, last - 6), max(last, first + 6)
    most = max(spread.bins.values())
    plot = Plot(Scale(first, last, Plot.LEFT, Plot.RIGHT), Scale(0.0, most, Plot.BOTTOM, Plot.TOP))
    plot.upwards([step for step in nice_steps(0, most, 4) if step == int(step)], lambda step: f"{int(step):,}")
    width = (Plot.RIGHT - Plot.LEFT) / (last - first)
    for step, count in sorted(spread.bins.items()):
        top = plot.y(count)
        title_of_bar = tag("title", f"{written(10 ** (step / spread.PER_DECADE))} and more: {count:,}")
        plot.add(
            tag(
                "rect",
                title_of_bar,
                x=plot.x(step) + 0.5,
                y=top,
                width=max(width - 1, 1),
                height=max(Plot.BOTTOM - top, 1),
                class_="column",
            )
        )
    decades = [step for step in range(first, last + 1) if step % spread.PER_DECADE == 0]
    if len(decades) > 5:
        decades = decades[::2]
    if len(decades) < 2:
        decades = [first, (first + last) // 2, last]
    plot.across(
        decades, lambda step: written(10 ** (step / spread.PER_DECADE)), "samples by size, each step the same factor"
    )
    half, most_of = spread.quantile(0.5), spread.quantile(0.95)
    caption = (
        f"{what[0].upper()}{what[1:]}. Half of the samples stay below {written(half)}, 95% below {written(most_of)}; "
        f"the greatest is {written(spread.most)}."
    )
    rows = tuple(
        (written(10 ** (step / spread.PER_DECADE)), f"{count:,}") for step, count in sorted(spread.bins.items())
    )
    return Figure(title, caption, plot.drawn(title), Table(("from", "samples"), rows))


def difference_figure(names: tuple[str, str], pairs: Sequence[tuple[str, float, str]]) -> Figure | None:
    """The difference of two runs at each problem where they differ, from the greatest win to the greatest loss.

    Args:
        names: The runs: the measure, and the one held against it.
        pairs: Problem, difference (second minus first) and the name of its page, for each problem in common.
    """
    ordered = sorted((pair for pair in pairs if pair[1]), key=lambda pair: (-pair[1], pair[0]))
    if not ordered:
        return None
    plot = Plot(Scale(0.0, len(ordered), Plot.LEFT, Plot.RIGHT), Scale(-1.0, 1.0, Plot.BOTTOM, Plot.TOP))
    plot.upwards([-1.0, -0.5, 0.0, 0.5, 1.0], lambda step: f"{step:+.1f}" if step else "0")
    zero = plot.y(0.0)
    for class_, rising in (("win", True), ("loss-side", False)):
        steps = []
        for i, (_, difference, _page) in enumerate(ordered):
            if (difference > 0) is rising:
                left, right, end = plot.x(i), plot.x(i + 1), plot.y(difference)
                steps.append(f"M{left:.1f} {zero:.1f}V{end:.1f}H{right:.1f}V{zero:.1f}z")
        if steps:
            plot.add(tag("path", d="".join(steps), class_=class_))
    plot.add(tag("line", x1=Plot.LEFT, x2=Plot.RIGHT, y1=zero, y2=zero, class_="axis"))
    won = sum(1 for _, difference, _ in ordered if difference > 0)
    same = len(pairs) - len(ordered)
    one, two = names
    plot.add(tag("text", f"{two} better: {won:,}", x=Plot.LEFT + 2, y=zero + 18, class_="t strong"))
    plot.add(tag("text", f"{one} better: {len(ordered) - won:,}", x=Plot.RIGHT - 2, y=zero - 10, class_="t end strong"))
    caption = (
        f"{two} minus {one} at each problem where they differ; at {same:,} more they don't. Up is better for {two}."
    )
    rows = tuple((id_, f"{difference:+.3f}") for id_, difference, _ in ordered[:200])
    table = Table(("problem", f"{two} - {one}"), rows)
    return Figure(f"Who wins where: {two} against {one}", caption, plot.drawn(caption), table, kind="differences")


def groups_bar(value: float, low: float, high: float) -> str:
    """A value with its interval as a small bar of a table row."""
    width = 60.0
    return tag(
        "svg",
        tag("path", class_="track", d="M0 4h60"),
        tag("path", class_="value", d=f"M0 4h{width * value:.1f}"),
        tag("path", class_="whisker", d=f"M{width * low:.1f} 4H{width * high:.1f}"),
        class_="m",
        aria_label=percent(value),
    )
