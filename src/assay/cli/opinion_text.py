"""Opinions as people read them: scores or preferences, what the order of answers did, and how far the judge agrees with tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.cli.table import draw_table, wrap_text
from assay.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.metrics import Checked, Preferences, Score
    from assay.records import Rubric


def scores_text(rubric: Rubric, scores: Sequence[Score]) -> str:
    """The mean score by each criterion."""
    heads = ("criterion", f"score of {rubric.scale}", "interval", "problems", "samples", *_numbers(rubric))
    rows = [
        (
            each.criterion,
            f"{each.value:.3f}",
            f"{each.low:.2f} to {each.high:.2f} ({each.level:.0%})",
            f"{each.problems:,}",
            f"{each.samples:,}",
            *(f"{each.spread[score]:,}" for score in _numbers(rubric)),
        )
        for each in scores
    ]
    return draw_table(heads, rows, right=(heads[1], *heads[3:]))


def _numbers(rubric: Rubric) -> tuple[str, ...]:
    """Each score as a column, where there are few."""
    return tuple(str(score) for score in range(1, rubric.scale + 1)) if rubric.scale <= 10 else ()


def preferences_text(names: Sequence[str], found: Preferences) -> str:
    """Who is preferred, and what order did; sources are A and B."""
    legend = "".join(f"{letter} = {name}\n" for letter, name in zip("AB", names, strict=True))
    heads = ("B against A", "share of B", "interval", "p", "B better", "A better", "ties", "problems")
    numbers = (f"{count:,}" for count in (found.won, found.lost, found.tied, found.problems))
    interval = (
        "-" if found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f} ({found.level:.0%})"
    )
    row = (count_of(found.pairs, "pair"), _number(found.value, ".4f"), interval, _number(found.p, ".3g"), *numbers)
    table = draw_table(heads, [row], right=(heads[1], *heads[3:]))
    return f"{legend}\n{table}\n" + "".join(f"{wrap_text(line)}\n" for line in _order(found))


def _order(found: Preferences) -> Iterator[str]:
    """What the order of answers did, in words."""
    if not found.pairs:
        return
    share = found.order_decided / found.pairs
    yield f"position bias: in {found.order_decided:,} of {count_of(found.pairs, 'pair')} ({share:.0%}) the order decided, so they are ties"
    if found.order_decided:
        partly = found.order_decided - found.first_twice - found.second_twice
        told = (
            f"the answer that stood first won both times in {found.first_twice:,}, the second in {found.second_twice:,}"
        )
        yield f"  {told} (p = {found.order_p:.3g}), one order was a tie in {partly:,}"


def checked_text(checked: Checked) -> str:
    """How far the judge agrees with verdicts."""
    found = checked.agreement
    words = [f"kappa {_between(found.kappa, found.kappa_low, found.kappa_high)}"]
    words.append(f"the same said of {_between(found.raw, found.raw_low, found.raw_high)}")
    if checked.rank_correlation is not None:
        words.append(f"rank correlation {checked.rank_correlation:.2f}")
    what = "pair" if checked.by_pair else "sample"
    head = f"Against verdicts ({count_of(found.samples, what)} of {count_of(found.problems, 'problem')}, intervals at {found.level:.0%}): "
    tables = [_outcomes_table(checked)] if checked.by_outcome else []
    tables += [_pairs_table(checked)] if checked.by_pair else []
    return "\n".join((wrap_text(head + "; ".join(words)) + "\n", *tables))


def _outcomes_table(checked: Checked) -> str:
    heads = ("outcome by tests", "samples", "right by the judge", "mean score")
    rows = [
        (each.outcome.value, f"{each.samples:,}", f"{each.called_right:,}", f"{each.mean_score:.2f}")
        for each in checked.by_outcome
    ]
    return draw_table(heads, rows, right=heads[1:])


def _pairs_table(checked: Checked) -> str:
    heads = ("right by tests", "pairs", "A better by the judge", "B better", "ties")
    rows = [
        (_NAMES[each.right], *(f"{count:,}" for count in (each.pairs, each.first, each.second, each.tie)))
        for each in checked.by_pair
    ]
    return draw_table(heads, rows, right=heads[1:])


_NAMES = {"neither": "neither", "only first": "only A", "only second": "only B", "both": "both"}


def _between(value: float | None, low: float | None, high: float | None) -> str:
    ends = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    return f"{_number(value, '.2f')}{ends}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"
