"""Figures over k, over temperature and of what base tests alone would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.counts import count_of
from assay.metrics import bias, pass_at_k_binomial, pass_at_k_first_order
from assay.records import Outcome
from assay.report.numbers import approximate
from assay.report.svg import Figure, Plot, Scale, Table, drawing, nice_steps, percent, tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.records import Estimate
    from assay.report.numbers import View

Point = tuple[float, float]


def _top(values: Sequence[float]) -> float:
    """The upper end of an axis of shares."""
    most = max(values, default=1.0)
    return next(end for end in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if most <= end or end == 1.0)


def _ks_plot(ks: Sequence[float], top: float) -> Plot:
    """A plot over k, by its logarithm where it goes far."""
    far = ks[-1] > 24
    plot = Plot(
        Scale(ks[0], ks[-1], Plot.LEFT + 8, Plot.RIGHT - 8, log=far), Scale(0.0, top, Plot.BOTTOM, Plot.TOP + 6)
    )
    plot.upwards(nice_steps(0.0, top), percent)
    wanted = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000] if far else nice_steps(ks[0], ks[-1], 8)
    steps = [step for step in wanted if ks[0] <= step <= ks[-1] and step == int(step)]
    plot.across(steps, lambda step: f"{int(step):,}", "samples drawn, k")
    return plot


def _series(view: View, tests: str) -> list[tuple[int, Estimate]]:
    """The known points of a run's curve."""
    return [
        (int(each.name.removeprefix("pass@")), each)
        for each in view.curve
        if each.tests == tests and each.value is not None
    ]


def _kinds(views: Sequence[View]) -> tuple[tuple[str, str], ...]:
    """Kinds of tests that are drawn, with their names: base tests only where one run alone is shown."""
    several = len(views) > 1
    return (("all", ""),) if several else (("all", "all tests"), ("base", "base tests only"))


def pass_curve(views: Sequence[View]) -> Figure | None:
    """pass@k against k with bands; None where nothing is known beyond k = 1."""
    drawn = [
        (view, tests, name, points)
        for view in views
        for tests, name in _kinds(views)
        if len(points := _series(view, tests)) > 1
    ]
    if not drawn:
        return None
    ks = sorted({k for _, _, _, points in drawn for k, _ in points})
    plot = _ks_plot(ks, _top([each.high or 0.0 for *_, points in drawn for _, each in points]))
    rows, legend = [], []
    for view, tests, name, points in drawn:
        class_ = f"run-{view.letter}" if len(views) > 1 else f"kind-{tests}"
        plot.band([(k, each.low or 0.0, each.high or 0.0) for k, each in points], class_)
        plot.line([(k, each.value or 0.0) for k, each in points], class_)
        legend.append((class_, name or f"run {view.letter}"))
        rows += [_curve_row(view.letter if len(views) > 1 else tests, k, each) for k, each in points]
    caption = (
        "The chance that at least one of k samples is right, averaged over problems; the band is the 95% interval. "
        "A steep curve means that the right answer is often among several: a way to choose would pay."
    )
    table = Table(("run" if len(views) > 1 else "tests", "k", "pass@k", "interval"), tuple(rows))
    title = "pass@k against k"
    return Figure(title, caption, plot.drawn(title), table, "curve", legend=tuple(legend) if len(legend) > 1 else ())


def _curve_row(name: str, k: int, each: Estimate) -> tuple[str, ...]:
    low, high = each.low or 0.0, each.high or 0.0
    return (name, f"{k:,}", f"{each.value:.4f}", f"{low:.4f} to {high:.4f}")


def approximations(view: View) -> Figure | None:
    """The exact curve beside both approximations; None where there is no curve."""
    points = _series(view, "all")
    told = [(k, each.value or 0.0, approximate(view.survey.tally, k)) for k, each in points]
    known = [(k, exact, both) for k, exact, both in told if both is not None]
    if len(known) < 2:
        return None
    plot = _ks_plot([k for k, *_ in known], _top([both[1] for *_, both in known]))
    lines = {
        "kind-all": [(k, exact) for k, exact, _ in known],
        "approx-1": [(k, both[0]) for k, _, both in known],
        "approx-2": [(k, both[1]) for k, _, both in known],
    }
    for class_, line in reversed(lines.items()):
        plot.line(line, class_)
    rows = tuple((f"{k:,}", f"{exact:.4f}", f"{both[0]:.4f}", f"{both[1]:.4f}") for k, exact, both in known)
    caption = (
        "Two short forms are in use for the exact estimator. The first is too low on average, the second never too low. "
        "They are shown to be known, and are used for no number of this report."
    )
    legend = (("kind-all", "exact"), ("approx-1", "1 - (1 - c/n)ᵏ"), ("approx-2", "k·c/n, at most 1"))
    table = Table(("k", "exact", "1 - (1 - c/n)^k", "k c / n"), rows)
    return Figure(
        "Approximations of pass@k", caption, plot.drawn("pass@k and its approximations"), table, legend=legend
    )


def biases(samples: int, k: int) -> Figure | None:
    """The mean error of both approximations against the success rate of a problem; None where k is 1."""
    if k < 2 or samples > 400:
        return None
    rates = [i / 50 for i in range(51)]
    lines = {
        class_: [(p, bias(form, samples, p, k)) for p in rates]
        for class_, form in (("approx-1", pass_at_k_binomial), ("approx-2", pass_at_k_first_order))
    }
    values = [error for line in lines.values() for _, error in line]
    low, high = min([*values, -0.01]), max([*values, 0.01])
    plot = Plot(Scale(0.0, 1.0, Plot.LEFT, Plot.RIGHT), Scale(low, high, Plot.BOTTOM, Plot.TOP))
    plot.upwards(nice_steps(low, high), lambda step: f"{100 * step:+.3g}" if step else "0")
    plot.across(nice_steps(0.0, 1.0), percent, "success rate of a problem")
    for class_, line in lines.items():
        plot.line(line, class_)
    rows = tuple(
        (percent(p), *(f"{100 * line[i][1]:+.2f}" for line in lines.values()))
        for i, p in enumerate(rates)
        if i % 5 == 0
    )
    caption = (
        f"Mean error in points of a hundred for k = {k} and n = {samples} samples, exact over all outcomes; "
        "the exact estimator has none."
    )
    legend = (("approx-1", "1 - (1 - c/n)ᵏ"), ("approx-2", "k·c/n, at most 1"))
    table = Table(("success rate", "1 - (1 - c/n)^k", "k c / n"), rows)
    return Figure("Their bias", caption, plot.drawn("bias of the approximations"), table, legend=legend)


def weak_tests(views: Sequence[View]) -> Figure | None:
    """pass@k by base tests alone beside pass@k by all; None where there are no other tests."""
    pairs = [
        (view, each.name, each, view.estimate(each.name))
        for view in views
        for each in view.estimates
        if each.tests == "base" and each.name.startswith("pass@")
    ]
    known = [
        (v, name, base, both)
        for v, name, base, both in pairs
        if both and base.value is not None and both.value is not None
    ]
    if not known:
        return None
    height = 34.0 + 46.0 * len(known)
    x = Scale(0.0, _top([base.value or 0.0 for _, _, base, _ in known]), 90.0, 430.0)
    parts: list[str] = [
        tag("line", x1=x(step), x2=x(step), y1=8, y2=height - 24, class_="grid") for step in nice_steps(0, x.high)
    ]
    parts += [tag("text", percent(step), x=x(step), y=height - 8, class_="t mid") for step in nice_steps(0, x.high)]
    for i, (view, name, base, both) in enumerate(known):
        title = f"{view.letter} {name}" if len(views) > 1 else name
        parts += _dumbbell(
            26.0 + 46 * i, title, (x(both.value or 0.0), x(base.value or 0.0)), (both.value or 0.0, base.value or 0.0)
        )
    rows = tuple(
        (view.letter, name, f"{base.value:.4f}", f"{both.value:.4f}", f"{(base.value or 0) - (both.value or 0):.4f}")
        for view, name, base, both in known
    )
    caption = f"What base tests alone would say (hollow), and what all tests leave of it (full). {_fooled(views)}"
    return Figure(
        "What weak tests hide",
        caption,
        drawing(460.0, height, parts, label="pass@k by base tests and by all"),
        Table(("run", "number", "base", "all", "hidden"), rows),
    )


def _fooled(views: Sequence[View]) -> str:
    """How many wrong samples base tests let through, in a sentence."""
    weak = sum(each.weak for view in views for each in view.survey.problems.values())
    wrong = sum(view.survey.samples - view.survey.tally.outcomes[Outcome.PASSED] for view in views)
    return f"Of {count_of(wrong, 'wrong sample')}, {weak:,} pass every base test."


def _dumbbell(y: float, title: str, ends: Point, values: Point) -> list[str]:
    (left, right), (low, high) = ends, values
    return [
        tag("text", title, x=80, y=y + 4, class_="t end strong"),
        tag("line", x1=left, x2=right, y1=y, y2=y, class_="loss"),
        tag("circle", cx=right, cy=y, r=5, class_="dot hollow kind-base"),
        tag("circle", cx=left, cy=y, r=5.5, class_="dot kind-all"),
        tag("text", f"{low:.3f}", x=left, y=y - 10, class_="t mid"),
        *([tag("text", f"{high:.3f}", x=right, y=y - 10, class_="t mid")] if right - left > 40 else []),
    ]


def sweep(views: Sequence[View], temperatures: dict[str, float]) -> Figure | None:
    """pass@k against temperature for several runs of known temperature; None where there are fewer than two such."""
    points = sorted((temperatures[view.letter], view) for view in views if view.letter in temperatures)
    if len({at for at, _ in points}) < 2:
        return None
    names = [
        each.name
        for each in points[0][1].estimates
        if each.tests == "all" and each.name.startswith("pass@") and all(v.estimate(each.name) for _, v in points)
    ]
    lines = {
        name: [(at, each) for at, view in points if (each := view.estimate(name)) and each.value is not None]
        for name in names
    }
    highest = _top([each.high or 0.0 for line in lines.values() for _, each in line])
    low, high = points[0][0], points[-1][0]
    plot = Plot(Scale(low, high, Plot.LEFT + 8, Plot.RIGHT - 8), Scale(0.0, highest, Plot.BOTTOM, Plot.TOP + 6))
    plot.upwards(nice_steps(0.0, highest), percent)
    plot.across(nice_steps(low, high), lambda step: f"{step:.3g}", "temperature")
    legend = []
    for i, (name, line) in enumerate(lines.items()):
        class_ = f"run-{'ABCDEF'[i % 6]}"
        plot.band([(at, each.low or 0.0, each.high or 0.0) for at, each in line], class_)
        plot.line([(at, each.value or 0.0) for at, each in line], class_)
        legend.append((class_, name))
    rows = tuple((f"{at:.3g}", name, f"{each.value:.4f}") for name, line in lines.items() for at, each in line)
    caption = (
        "Low temperatures suit one sample, high ones several: where the lines peak is where each k is served best."
    )
    return Figure(
        "pass@k against temperature",
        caption,
        plot.drawn("pass@k against temperature"),
        Table(("temperature", "number", "value"), rows),
        legend=tuple(legend),
    )
