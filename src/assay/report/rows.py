"""The table of problems, the lists of samples that deserve a look, and the runs held against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assay.metrics import pass_at_k
from assay.records import Outcome
from assay.report.pages import problems_by_id
from assay.report.shares import in_words, outcome_class, small_bar
from assay.report.spreads import difference_figure, seconds
from assay.visible import on_one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from assay.metrics import Comparison
    from assay.records import Problem
    from assay.report.numbers import View
    from assay.report.survey import Doubtful, Message, ProblemFacts
    from assay.report.svg import Figure

FIRST_WORDS = 64


class Cell(NamedTuple):
    """One run's result of a problem: right samples of judged ones, how they ended, right ones by base tests alone."""

    right: int
    samples: int
    bar: Markup
    base: int | None


class Row(NamedTuple):
    """A problem in the table. `marks` are what filters look for; `page` is empty where the file has none."""

    id: str
    page: str
    words: str
    cells: tuple[Cell | None, ...]
    time: str
    seconds: float
    mib: float
    tags: str
    marks: str
    difference: float | None


def problem_rows(ids: Sequence[str], pages: Mapping[str, str], views: Sequence[View]) -> list[Row]:
    """The rows of these problems, in this order."""
    problems = problems_by_id(views)
    return [_row(id_, pages.get(id_, ""), problems.get(id_), views) for id_ in ids]


def _row(id_: str, page: str, problem: Problem | None, views: Sequence[View]) -> Row:
    facts = [view.survey.problems.get(id_) for view in views]
    cells = tuple(_cell(view, id_) for view in views)
    known = [each for each in facts if each is not None]
    most = max((each.most_s for each in known), default=0.0)
    shares = [cell.right / cell.samples if cell and cell.samples else None for cell in cells]
    difference = shares[1] - shares[0] if len(shares) == 2 and shares[0] is not None and shares[1] is not None else None
    return Row(
        id=on_one_line(id_),
        page=page,
        words=_first_words(problem),
        cells=cells,
        time=seconds(most),
        seconds=most,
        mib=max((each.most_mib for each in known), default=0.0),
        tags=on_one_line(", ".join(problem.tags)) if problem else "",
        marks=" ".join(_marks(known, views, id_)),
        difference=difference,
    )


def _first_words(problem: Problem | None) -> str:
    """How the question begins; of code, what its docstring says first."""
    if problem is None:
        return ""
    text = problem.prompt
    if problem.prompt_is_code:
        parts = text.replace("'''", '"""').split('"""')
        text = parts[-2] if len(parts) > 2 else problem.entry_point or ""
    words = on_one_line(" ".join(text[:1000].split()))
    return words if len(words) <= FIRST_WORDS else f"{words[:FIRST_WORDS].rsplit(' ', 1)[0]} …"


def _cell(view: View, id_: str) -> Cell | None:
    facts, counts = view.survey.problems.get(id_), view.survey.tally.problems.get(id_)
    if facts is None or counts is None:
        return None
    base = counts.solved.get("base") if view.survey.tally.plus else None
    return Cell(counts.solved.get("all", 0), facts.samples, small_bar(facts.outcomes), base)


def _marks(known: Sequence[ProblemFacts], views: Sequence[View], id_: str) -> list[str]:
    """Words for filters: how often it was solved, how samples ended, what is doubtful."""
    right = sum(each.outcomes[Outcome.PASSED] for each in known)
    total = sum(each.samples for each in known)
    found = ["never" if not right else "always" if right == total else "sometimes"] if total else ["empty"]
    found += ["weak"] if any(each.weak for each in known) else []
    found += sorted({mark for each in known for mark in each.doubtful})
    found += sorted({outcome.value for each in known for outcome, count in each.outcomes.items() if count})
    lacking = any(counts.lacking for view in views if (counts := view.survey.tally.problems.get(id_)))
    return found + (["lacking"] if lacking else [])


class Listed(NamedTuple):
    """A sample in a list, as the template shows it."""

    id: str
    page: str
    sample: int
    words: str
    class_: str
    figure: str


def listed(rows: Sequence[Doubtful], pages: Mapping[str, str]) -> list[Listed]:
    """Rows of a list of samples."""
    return [
        Listed(
            on_one_line(row.problem_id),
            pages.get(row.problem_id, ""),
            row.sample_index,
            in_words(row.outcome),
            outcome_class(row.outcome),
            row.words or seconds(row.figure),
        )
        for row in rows
    ]


class Ending(NamedTuple):
    """An outcome in the table of outcomes."""

    outcome: str
    words: str
    class_: str
    severity: str
    counts: tuple[int, ...]
    shares: tuple[float, ...]


def endings(views: Sequence[View]) -> list[Ending]:
    """Outcomes that occurred, best first, counted for each run."""
    found = []
    for outcome in reversed(Outcome):
        counts = tuple(view.survey.tally.outcomes[outcome] for view in views)
        if any(counts):
            shares = tuple(count / max(view.survey.samples, 1) for count, view in zip(counts, views, strict=True))
            severity = outcome.severity or ("" if outcome is Outcome.PASSED else "ours")
            found.append(Ending(outcome.value, in_words(outcome), outcome_class(outcome), severity, counts, shares))
    return found


def frequent_messages(view: View, most: int = 12) -> list[tuple[Message, int, str]]:
    """The errors that most samples share, with their counts and colour classes."""
    return [
        (message, count, outcome_class(message.outcome)) for message, count in view.survey.messages.most_common(most)
    ]


class Contrast(NamedTuple):
    """Two runs held against each other: the numbers of `metrics.compare_all`, what they show in words, who wins where."""

    comparison: Comparison
    finding: str
    letters: tuple[str, str]
    figure: Figure | None
    won: tuple[tuple[str, str], ...]
    lost: tuple[tuple[str, str], ...]


def contrast(comparison: Comparison, pair: tuple[View, View], pages: Mapping[str, str]) -> Contrast:
    """A comparison as the report shows it.

    Args:
        comparison: The second run against the first, of pass@1.
        pair: Both runs.
        pages: Problem to the name of its page.
    """
    one, two = pair
    left = {*comparison.only_first, *comparison.only_second, *comparison.unjudged, *comparison.too_few}
    common = [id_ for id_ in one.survey.tally.ids() if id_ in two.survey.tally.problems and id_ not in left]
    pairs = [(on_one_line(id_), _share(two, id_) - _share(one, id_), pages.get(id_, "")) for id_ in common]
    named = [tuple((on_one_line(id_), pages.get(id_, "")) for id_ in ids) for ids in (comparison.won, comparison.lost)]
    letters = (one.letter, two.letter)
    figure = difference_figure(letters, pairs) if comparison.problems else None
    return Contrast(comparison, finding(comparison), letters, figure, named[0], named[1])


def _share(view: View, id_: str) -> float:
    counts = view.survey.tally.problems[id_]
    return pass_at_k(counts.samples, counts.solved.get("all", 0), 1) if counts.samples else 0.0


def finding(each: Comparison) -> str:
    """What a comparison shows, in words that never call a gap a win where chance explains it."""
    if each.reason or each.difference is None:
        return each.reason or "undefined"
    p = each.p_corrected if each.p_corrected is not None else each.p
    how = f"{each.test}, p = {p:.2g}"
    if each.is_shown:
        return f"{'Better' if each.difference > 0 else 'Worse'} by {100 * abs(each.difference):.1f} points ({how})."
    seen = (
        f" A true difference below {100 * each.detectable:.1f} points would often stay unseen here."
        if each.detectable
        else ""
    )
    return f"No difference shown: chance explains one of this size ({how}).{seen}"
