import pytest

from assay.metrics import Compared, likeness, rank_correlation

REFERENCE = "return a + b"


def rows(*samples):
    return [Compared(problem, text, REFERENCE, float(right), right) for problem, text, right in samples]


def test_the_mean_is_over_problems_and_not_over_samples():
    found = likeness(rows(("t/0", REFERENCE, True), ("t/1", "x", False), ("t/1", "y", False)), ["exact_match"])[0]
    assert (found.value, found.problems, found.samples) == (0.5, 2, 3)


def test_a_score_that_tells_right_from_wrong_is_1_and_one_that_misleads_is_0():
    helpful = rows(("t", REFERENCE, True), ("t", "x", False))
    misleading = rows(("t", REFERENCE, False), ("t", "x", True))
    assert [each[0].right_above_wrong for each in (likeness(helpful, ["bleu"]), likeness(misleading, ["bleu"]))] == [
        1,
        0,
    ]
    assert likeness(misleading, ["bleu"])[0].rank_correlation == -1.0


def test_right_and_wrong_are_compared_within_a_problem_only():
    found = likeness(rows(("t/0", REFERENCE, True), ("t/1", "x", False)), ["bleu"])[0]
    assert found.right_above_wrong is None
    assert found.rank_correlation == 1.0


def test_without_variation_there_is_no_correlation_and_without_samples_nothing():
    assert likeness(rows(("t", "x", True), ("t", "y", False)), ["exact_match"])[0].rank_correlation is None
    assert likeness([]) == ()


def test_equal_values_share_their_rank():
    assert rank_correlation([1, 1, 2, 3], [1, 1, 2, 3]) == pytest.approx(1.0)
    assert rank_correlation([1, 1, 2], [1, 2, 2]) == pytest.approx(0.5)
