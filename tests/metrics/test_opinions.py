import itertools

import pytest

from assay.metrics import (
    RUBRICS,
    Preference,
    check_preferences,
    check_scores,
    compare_preferences,
    mean_scores,
    preferences,
)
from assay.records import Opinion, Outcome

CODE = RUBRICS["code"]
PLACES = ("first", "second", "tie")


def opinion(problem: str, index: int = 0, **more) -> Opinion:
    fields = {"other_index": None, "placing": "alone", "scores": None, "better": None, "unread": None}
    texts = {"reply": "", "seen": (), "prompt_digest": "", "model": "m"}
    return Opinion(problem_id=problem, sample_index=index, **fields | texts | more)


def scored(problem: str, index: int, score: int | None) -> Opinion:
    if score is None:
        return opinion(problem, index, unread="it is empty")
    return opinion(problem, index, scores={"correct": score})


def pair(problem: str, as_given, swapped, index: int = 0) -> Preference:
    return Preference(problem, index, index, as_given, swapped)


def test_scores_are_means_over_problems_on_the_scale_of_the_rubric() -> None:
    found = mean_scores([scored("a", 0, 5), *[scored("b", i, 1) for i in range(9)], scored("b", 9, None)], CODE)[0]
    assert (found.value, found.problems, found.samples) == (3.0, 2, 10)
    assert found.spread == {"1": 9, "2": 0, "3": 0, "4": 0, "5": 1}
    assert 1 <= found.low < 3 < found.high <= 5


def test_the_same_score_everywhere_still_has_an_interval() -> None:
    found = mean_scores([scored(f"t/{i}", 0, 5) for i in range(30)], CODE)[0]
    assert found.low < found.value == found.high == 5


def test_without_a_reply_that_could_be_read_there_is_no_score() -> None:
    assert mean_scores([scored("a", 0, None)], CODE) == ()
    assert mean_scores([], CODE) == ()


@pytest.mark.parametrize(("as_given", "swapped"), list(itertools.product(PLACES, PLACES)))
def test_a_preference_counts_only_where_both_orders_agree(as_given, swapped) -> None:
    by_source = {"first": "second", "second": "first", "tie": "tie"}[swapped]  # the second source stood first
    found = pair("a", as_given, swapped)
    assert found.result == (as_given if as_given == by_source else "tie")
    expected = "none" if as_given == by_source else "partly" if "tie" in (as_given, swapped) else as_given
    assert found.order_effect == expected


@pytest.mark.parametrize(("as_given", "swapped"), [(None, "first"), ("tie", None), (None, None)])
def test_a_pair_with_one_order_unread_has_no_result(as_given, swapped) -> None:
    found = compare_preferences([pair("a", as_given, swapped)])
    assert (found.pairs, found.unread, found.tied, found.value, found.p) == (0, 1, 0, None, None)


def test_a_judge_that_likes_the_first_place_prefers_nobody() -> None:
    found = compare_preferences([pair(f"t/{i}", "first", "first") for i in range(40)])
    assert (found.won, found.lost, found.tied, found.order_decided) == (0, 0, 40, 40)
    assert (found.first_twice, found.second_twice, found.value, found.p) == (40, 0, 0.5, 1.0)
    assert found.order_p < 1e-9


def test_a_source_that_wins_in_both_orders_is_preferred() -> None:
    found = compare_preferences([pair(f"t/{i}", "second", "first") for i in range(40)])
    assert (found.won, found.lost, found.order_decided, found.value) == (40, 0, 0, 1.0)
    assert found.p < 1e-9
    assert found.test == "exact sign test over problems"
    assert found.low < found.high == 1.0


def test_pairs_of_one_problem_are_no_trials_of_their_own() -> None:
    many = compare_preferences([pair("t/0", "second", "first", i) for i in range(100)])
    assert (many.won, many.problems, many.p) == (100, 1, 1.0)


def test_uneven_problems_are_tested_by_permutation() -> None:
    rows = [pair(f"t/{i}", "second", "first", n) for i in range(6) for n in range(3)]
    rows += [pair(f"t/{i}", "tie", "tie", 3) for i in range(6)]
    found = compare_preferences(rows)
    assert (found.test, found.p, found.value) == ("permutation test over problems", 0.03125, 0.875)


def test_rows_become_pairs_whatever_their_order() -> None:
    rows = [
        opinion("a", 0, other_index=0, placing="swapped", better="first"),
        opinion("a", 1, other_index=1, placing="as_given", better="tie"),
        opinion("a", 0, other_index=0, placing="as_given", better="second"),
        opinion("b", 0, scores={"correct": 1}),
    ]
    assert preferences(rows) == [pair("a", "second", "first"), pair("a", "tie", None, 1)]


def test_a_judge_that_says_what_tests_say_agrees_fully() -> None:
    outcomes = {("a", i): Outcome.PASSED if i % 2 else Outcome.WRONG_ANSWER for i in range(10)}
    found = check_scores([scored("a", i, 5 if i % 2 else 2) for i in range(10)], outcomes, CODE)
    assert (found.agreement.kappa, found.agreement.raw, found.rank_correlation) == (1.0, 1.0, pytest.approx(1.0))
    assert [(each.outcome, each.samples, each.called_right, each.mean_score) for each in found.by_outcome] == [
        (Outcome.PASSED, 5, 5, 5.0),
        (Outcome.WRONG_ANSWER, 5, 0, 2.0),
    ]


def test_a_judge_that_likes_everything_agrees_by_chance_alone() -> None:
    outcomes = {(f"t/{i}", 0): Outcome.PASSED if i < 8 else Outcome.RUNTIME_ERROR for i in range(10)}
    found = check_scores([scored(f"t/{i}", 0, 4) for i in range(10)], outcomes, CODE)
    assert (found.agreement.raw, found.agreement.kappa, found.rank_correlation) == (0.8, 0.0, None)
    assert found.by_outcome[1].called_right == 2


def test_what_has_no_verdict_or_was_not_read_is_not_compared() -> None:
    outcomes = {("a", 0): Outcome.SYSTEM_ERROR, ("a", 1): Outcome.PASSED, ("a", 2): Outcome.PASSED}
    rows = [scored("a", 0, 5), scored("a", 1, None), scored("a", 2, 5), scored("a", 3, 5)]
    assert check_scores(rows, outcomes, CODE).agreement.samples == 1
    assert check_scores(rows, {}, CODE) is None


def test_preferences_are_held_against_who_is_right() -> None:
    right, wrong = Outcome.PASSED, Outcome.TIME_LIMIT
    first = {("a", 0): right, ("b", 0): wrong, ("c", 0): right, ("d", 0): wrong}
    second = {("a", 0): wrong, ("b", 0): right, ("c", 0): right, ("d", 0): wrong}
    said = [
        pair("a", "first", "second"),
        pair("b", "second", "first"),
        pair("c", "tie", "tie"),
        pair("d", "first", "first"),
    ]
    found = check_preferences(said, first, second)
    assert (found.agreement.raw, found.agreement.kappa) == (1.0, 1.0)
    assert [(each.right, each.first, each.second, each.tie) for each in found.by_pair] == [
        ("neither", 0, 0, 1),
        ("only first", 1, 0, 0),
        ("only second", 0, 1, 0),
        ("both", 0, 0, 1),
    ]
    assert check_preferences(said, first, {}) is None
