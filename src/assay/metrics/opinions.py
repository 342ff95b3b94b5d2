"""Opinions in, numbers out: scores by criterion, preferences between two sources, and how far a judge model agrees with verdicts.

Keeps true: a reply that could not be read is counted and is in no mean; a preference counts only if both orders were read, and where
these differ it is a tie, and the judge's, not the answers'. Means are over problems, as everywhere.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.metrics.agreement import Agreement, Rated, agreement
from assay.metrics.interval import interval_by_problem
from assay.metrics.likeness import rank_correlation
from assay.metrics.significance import mcnemar, sign_flip_test
from assay.records import Outcome, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.records import Opinion, Place, Rubric

    Outcomes = Mapping[tuple[str, int], Outcome]
    """What became of samples, by problem and index."""

OrderEffect = Literal["none", "first", "second", "partly"]
"""What order did to a preference: nothing; the same place won twice; or one order gave a winner and the other a tie."""

_VALUES = {"first": 0.0, "tie": 0.5, "second": 1.0}
_OTHER: dict[Place, Place] = {"first": "second", "second": "first", "tie": "tie"}


class Score(Record):
    """The mean score by one criterion, 1 to the rubric's scale: over problems, of the mean over samples. `spread` counts each score."""

    criterion: str
    value: float
    low: float
    high: float
    level: float
    problems: int
    samples: int
    spread: dict[str, int]


class OutcomeOpinion(Record):
    """What the judge thinks of the samples with one outcome: of how many, how many it takes for right, their mean deciding score."""

    outcome: Outcome
    samples: int
    called_right: int
    mean_score: float


class Preference(NamedTuple):
    """What a judge says of one pair in both orders, by place; None where that order has no reply that could be read."""

    problem_id: str
    sample_index: int
    other_index: int
    as_given: Place | None
    swapped: Place | None

    @property
    def result(self) -> Place | None:
        """Which source is better; a tie where the orders differ, None where one of them is missing."""
        if self.as_given is None or self.swapped is None:
            return None
        return self.as_given if self.as_given == _OTHER[self.swapped] else "tie"

    @property
    def order_effect(self) -> OrderEffect:
        """What the order did; nothing is known of pairs without a result, nor told."""
        if self.as_given is None or self.swapped is None or self.as_given == _OTHER[self.swapped]:
            return "none"
        if "tie" in (self.as_given, self.swapped):
            return "partly"
        return "first" if self.as_given == "first" else "second"


class Preferences(Record):
    """Two sources by a judge's preference. `value` is the second's share over problems, a tie counting half: 0.5 is no difference.

    `pairs` have a result, `unread` have none. `won` and `lost` count pairs whose second (first) answer is better in both orders, `tied`
    the others; of these `order_decided` are no ties of the answers but the judge's: in `first_twice` the answer that stood first won in
    both orders, in `second_twice` the other one, the rest was a tie in one order. `order_p` is how likely chance alone makes these two so
    unequal. `p` is of the test of no difference between the sources.
    """

    pairs: int
    unread: int
    problems: int
    won: int
    lost: int
    tied: int
    order_decided: int
    first_twice: int
    second_twice: int
    order_p: float
    value: float | None
    low: float | None
    high: float | None
    level: float
    p: float | None
    test: str


class PairOutcome(Record):
    """What the judge says of pairs by who of them is right: `only first`, `only second`, `both` or `neither`."""

    right: str
    pairs: int
    first: int
    second: int
    tie: int


class Checked(Record):
    """A judge model held against verdicts, where both say something.

    `rank_correlation` is Spearman's, of the deciding score with whether a sample passed; None for pairs, and where one does not vary.
    """

    agreement: Agreement
    rank_correlation: float | None = None
    by_outcome: tuple[OutcomeOpinion, ...] = ()
    by_pair: tuple[PairOutcome, ...] = ()


def mean_scores(opinions: Iterable[Opinion], rubric: Rubric, level: float = 0.95) -> tuple[Score, ...]:
    """The mean score by each criterion, with an interval by problem; none where no reply could be read."""
    read = [each for each in opinions if each.scores is not None]
    return tuple(_score(name, read, rubric, level) for name in rubric.criteria) if read else ()


def _score(name: str, read: Sequence[Opinion], rubric: Rubric, level: float) -> Score:
    by_problem: dict[str, list[int]] = defaultdict(list)
    for each in read:
        by_problem[each.problem_id].append((each.scores or {})[name])
    steps = rubric.scale - 1
    values = [(sum(scores) / len(scores) - 1) / steps for scores in by_problem.values()]
    low, high, _ = interval_by_problem(values, len(read), level)
    spread = Counter(score for scores in by_problem.values() for score in scores)
    return Score(
        criterion=name,
        value=1 + steps * _mean(values),
        low=1 + steps * low,
        high=1 + steps * high,
        level=level,
        problems=len(values),
        samples=len(read),
        spread={str(score): spread[score] for score in range(1, rubric.scale + 1)},
    )


def preferences(opinions: Iterable[Opinion]) -> list[Preference]:
    """The pairs that a judge was shown, each with what it said in both orders."""
    said: dict[tuple[str, int, int], dict[str, Place | None]] = defaultdict(dict)
    for each in opinions:
        if each.other_index is not None:
            said[each.problem_id, each.sample_index, each.other_index][each.placing] = each.better
    return [Preference(*key, found.get("as_given"), found.get("swapped")) for key, found in said.items()]


def compare_preferences(pairs: Sequence[Preference], *, level: float = 0.95, seed: int = 0) -> Preferences:
    """The second source against the first, and what the order of answers did.

    Args:
        pairs: Of `preferences`.
        level: Coverage of the interval.
        seed: Of the permutation test.

    >>> found = compare_preferences([Preference("t/0", 0, 0, "second", "first"), Preference("t/1", 0, 0, "first", "first")])
    >>> found.won, found.tied, found.first_twice, found.value  # the second pair has but a judge that likes the first place
    (1, 1, 1, 0.75)
    """
    results = [(each.problem_id, each.result) for each in pairs if each.result is not None]
    count = Counter(result for _, result in results)
    effects = Counter(each.order_effect for each in pairs)
    by_problem: dict[str, list[float]] = defaultdict(list)
    for problem_id, result in results:
        by_problem[problem_id].append(_VALUES[result])
    values = [_mean(each) for each in by_problem.values()]
    interval = interval_by_problem(values, len(results), level) if values else None
    p, test = _tested(values, seed)
    return Preferences(
        pairs=len(results),
        unread=len(pairs) - len(results),
        problems=len(values),
        won=count["second"],
        lost=count["first"],
        tied=count["tie"],
        order_decided=effects["first"] + effects["second"] + effects["partly"],
        first_twice=effects["first"],
        second_twice=effects["second"],
        order_p=mcnemar(effects["first"], effects["second"]),
        value=_mean(values) if values else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        level=level,
        p=p,
        test=test,
    )


def _tested(values: Sequence[float], seed: int) -> tuple[float | None, str]:
    """P and the name of the test that the second source is preferred as often as the first, problem by problem."""
    if not values:
        return None, ""
    if set(values) <= set(_VALUES.values()):
        return mcnemar(values.count(0.0), values.count(1.0)), "exact sign test over problems"
    return sign_flip_test([value - 0.5 for value in values], seed=seed), "permutation test over problems"


def check_scores(opinions: Iterable[Opinion], outcomes: Outcomes, rubric: Rubric) -> Checked | None:
    """A judge's scores held against verdicts; None where no sample has both.

    Args:
        opinions: On single answers.
        outcomes: Of the samples that have a verdict; `system_error` is none.
        rubric: By which was judged: its deciding score says whether the judge takes an answer for right.
    """
    known = _verdicts(outcomes)
    rows = [
        (each.problem_id, each.scores[rubric.decides], known[each.problem_id, each.sample_index])
        for each in opinions
        if each.scores is not None and (each.problem_id, each.sample_index) in known
    ]
    if not rows:
        return None
    rated = [
        Rated(id_, _word(score >= rubric.right_from), _word(outcome is Outcome.PASSED)) for id_, score, outcome in rows
    ]
    passed = [float(outcome is Outcome.PASSED) for _, _, outcome in rows]
    return Checked(
        agreement=agreement(rated),
        rank_correlation=rank_correlation([score for _, score, _ in rows], passed),
        by_outcome=tuple(_by_outcome([(score, outcome) for _, score, outcome in rows], rubric)),
    )


def _verdicts(outcomes: Outcomes) -> Outcomes:
    return {key: outcome for key, outcome in outcomes.items() if outcome is not Outcome.SYSTEM_ERROR}


def _word(right: bool) -> str:
    return "right" if right else "wrong"


def _by_outcome(rows: Sequence[tuple[int, Outcome]], rubric: Rubric) -> Iterable[OutcomeOpinion]:
    for outcome in reversed(Outcome):
        scores = [score for score, of in rows if of is outcome]
        if scores:
            right = sum(score >= rubric.right_from for score in scores)
            yield OutcomeOpinion(
                outcome=outcome, samples=len(scores), called_right=right, mean_score=sum(scores) / len(scores)
            )


def check_preferences(pairs: Iterable[Preference], first: Outcomes, second: Outcomes) -> Checked | None:
    """A judge's preferences held against verdicts: a right answer is better than a wrong one, two of a kind tie; None without any.

    Args:
        pairs: Of `preferences`.
        first: Outcomes of the first source's samples.
        second: Outcomes of the second's.
    """
    one, two = _verdicts(first), _verdicts(second)
    rated, table = [], {kind: Counter[str]() for kind in _KINDS}
    for each in pairs:
        keys = (each.problem_id, each.sample_index), (each.problem_id, each.other_index)
        if each.result is None or keys[0] not in one or keys[1] not in two:
            continue
        kind = (one[keys[0]] is Outcome.PASSED) + 2 * (two[keys[1]] is Outcome.PASSED)
        table[_KINDS[kind]][each.result] += 1
        rated.append(Rated(each.problem_id, each.result, _BY_TESTS[kind]))
    if not rated:
        return None
    by_pair = (
        PairOutcome(right=kind, pairs=count.total(), first=count["first"], second=count["second"], tie=count["tie"])
        for kind, count in table.items()
        if count
    )
    return Checked(agreement=agreement(rated), by_pair=tuple(by_pair))


_KINDS = ("neither", "only first", "only second", "both")
_BY_TESTS: tuple[Place, ...] = ("tie", "first", "second", "tie")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
