"""Figures of how samples ended: one bar over all, one column a problem, and the small bars of table rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from assay.counts import count_of
from assay.order import natural_key
from assay.records import Outcome
from assay.report.svg import Figure, Table, drawing, number, percent, tag

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping, Sequence

    from assay.report.numbers import View
    from assay.report.survey import ProblemFacts

ORDER = tuple(reversed(Outcome))
"""Outcomes as bars show them: best first, no verdict last."""

MOST_COLUMNS = 2_000
"""Problems of a map; of more, so many are drawn, evenly from the hardest to the easiest."""

MOST_CELLS, MOST_WIDE = 1_500, 100
"""Up to so many samples and problems a map draws each sample by itself; beyond, those that ended alike are one area."""

BAR = 60.0
"""Units of the width of a small bar."""


def outcome_class(outcome: Outcome) -> str:
    """The colour class of an outcome: passed, one of the four severities, or no verdict.

    >>> outcome_class(Outcome.NO_CODE), outcome_class(Outcome.PASSED)
    ('o-syntax', 'o-passed')
    """
    if outcome is Outcome.PASSED:
        return "o-passed"
    return f"o-{outcome.severity or 'none'}"


def in_words(outcome: Outcome) -> str:
    """An outcome as people write it."""
    return "no verdict" if outcome is Outcome.SYSTEM_ERROR else outcome.value.replace("_", " ")


def small_bar(outcomes: Counter[Outcome]) -> Markup:
    """How a problem's samples ended, as a bar for a row of a table."""
    total = outcomes.total()
    if not total:
        return Markup("")
    paths, at = [], 0.0
    for class_, count in by_class(outcomes).items():
        width = BAR * count / total
        paths.append(tag("path", class_=class_, d=f"M{number(at)} 4h{number(width)}"))
        at += width
    return tag("svg", *paths, class_="m", aria_hidden="true")


def by_class(outcomes: Mapping[Outcome, int]) -> dict[str, int]:
    """Samples of each colour class, in the order of bars."""
    found: dict[str, int] = {}
    for outcome in ORDER:
        if outcomes.get(outcome):
            class_ = outcome_class(outcome)
            found[class_] = found.get(class_, 0) + outcomes[outcome]
    return found


def outcome_bar(view: View) -> Markup:
    """How all samples of a run ended, as one bar."""
    total = max(view.survey.samples, 1)
    paths, at = [], 0.0
    for outcome in ORDER:
        count = view.survey.tally.outcomes[outcome]
        if count:
            width = 1000 * count / total
            title = tag("title", f"{in_words(outcome)}: {count:,} ({percent(count / total)})")
            paths.append(
                tag("rect", title, x=at, y=0, width=max(width - 1.5, 0.5), height=26, class_=outcome_class(outcome))
            )
            at += width
    label = f"outcomes of {count_of(total, 'sample')}"
    return tag(
        "svg", tag("title", label), *paths, viewBox="0 0 1000 26", preserveAspectRatio="none", role="img", class_="bar"
    )


def by_difficulty_order(facts: Mapping[str, ProblemFacts]) -> list[str]:
    """Problems from the most often to the never solved; of equal ones, those whose samples at least ran come first."""

    def key(id_: str) -> tuple[object, ...]:
        each = facts[id_]
        shares = [each.outcomes[outcome] / each.samples for outcome in ORDER]
        return (*(-share for share in shares), natural_key(id_))

    return sorted((id_ for id_, each in facts.items() if each.samples), key=key)


def thinned(ids: Sequence[str], most: int) -> list[str]:
    """So many of them at even distances, first and last among them.

    >>> thinned(list("abcdefg"), 3)
    ['a', 'd', 'g']
    """
    if len(ids) <= most:
        return list(ids)
    return [ids[round(i * (len(ids) - 1) / (most - 1))] for i in range(most)]


def problem_map(view: View, pages: Mapping[str, str], letter: str) -> Figure | None:
    """Problems x samples: a column a problem, easiest first, its samples stacked by outcome. None where nothing was judged.

    Args:
        view: The run.
        pages: Problem to the name of its page, for a click.
        letter: Of the run where there are several, otherwise nothing.
    """
    ordered = by_difficulty_order(view.survey.problems)
    columns = thinned(ordered, MOST_COLUMNS)
    if not columns:
        return None
    facts = [view.survey.problems[id_] for id_ in columns]
    cells = len(columns) <= MOST_WIDE and sum(each.samples for each in facts) <= MOST_CELLS
    paths: dict[str, list[str]] = {}
    for x, each in enumerate(facts):
        for class_, pieces in _stacked(x, each, cells=cells):
            paths.setdefault(class_, []).append(pieces)
    parts = [tag("path", d="".join(found), class_=class_) for class_, found in paths.items()]
    label = f"outcomes of the samples of {count_of(len(columns), 'problem')}, from the easiest to the hardest"
    svg = tag(
        "svg", tag("title", label), *parts, viewBox=f"0 0 {len(columns)} 100", preserveAspectRatio="none", role="img",
        class_="map cells" if cells else "map", data_order=" ".join(pages.get(id_, "") for id_ in columns),
    )  # fmt: skip
    never = sum(1 for id_ in ordered if not view.survey.problems[id_].outcomes[Outcome.PASSED])
    always = sum(
        1 for id_ in ordered if view.survey.problems[id_].outcomes[Outcome.PASSED] == view.survey.problems[id_].samples
    )
    some = len(ordered) - never - always
    thin = (
        ""
        if len(columns) == len(ordered)
        else f" {len(columns):,} of {len(ordered):,} problems are drawn, at even distances."
    )
    caption = (
        f"A column is a problem, from the easiest to the hardest; its samples are stacked by outcome. "
        f"{always:,} always solved, {some:,} sometimes, {never:,} never.{thin}"
    )
    rows = (("always solved", f"{always:,}"), ("sometimes", f"{some:,}"), ("never", f"{never:,}"))
    title = f"Problems and their samples{f', run {letter}' if letter else ''}"
    return Figure(title, caption, svg, Table(("problems", "count"), rows), kind="map-figure", wide=True)


def _stacked(x: int, facts: ProblemFacts, *, cells: bool) -> Iterator[tuple[str, str]]:
    """The column of a problem: a rectangle a sample, or one for all that ended alike."""
    at = 100.0
    for class_, count in by_class(facts.outcomes).items():
        pieces = count if cells else 1
        height = 100 * count / facts.samples / pieces
        yield (
            class_,
            "".join(f"M{x} {number(at - i * height)}v{number(-height)}h1v{number(height)}z" for i in range(pieces)),
        )
        at -= height * pieces


def interval_dots(rows: Sequence[tuple[str, str, float, float, float]]) -> Markup:
    """Values with their intervals under each other, as (name, class, value, low, high); on one scale from 0."""
    top = max([high for *_, high in rows], default=1.0)
    end = next(each for each in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if top <= each or each == 1.0)
    height = 26.0 * len(rows) + 22

    def at(value: float) -> float:
        return 84 + 356 * min(value / end, 1.0)

    parts = [tag("line", x1=at(end * i / 4), x2=at(end * i / 4), y1=2, y2=height - 18, class_="grid") for i in range(5)]
    parts += [tag("text", percent(end * i / 4), x=at(end * i / 4), y=height - 4, class_="t mid") for i in range(5)]
    for i, (name, class_, value, low, high) in enumerate(rows):
        y = 14 + 26.0 * i
        parts += [
            tag("text", name, x=72, y=y + 4, class_="t end strong"),
            tag("line", x1=at(low), x2=at(high), y1=y, y2=y, class_=f"whisker {class_}"),
            tag("circle", cx=at(value), cy=y, r=5, class_=f"dot {class_}"),
        ]
    return drawing(460.0, height, parts, label="values with their intervals")
