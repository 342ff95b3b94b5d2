import json
import math
import random
from statistics import stdev

import pytest

from assay.errors import SettingsError
from assay.metrics import Question, Tally, compare, compare_all, difference_interval, pass_at_k
from assay.records import Outcome


def test_problems_are_paired_by_id_and_listed(tallied):
    first = tallied({"t/10": "P", "t/2": "P", "t/3": "W", "t/4": "P", "t/5": "W"})
    second = tallied({"t/5": "W", "t/4": "P", "t/3": "P", "t/2": "W", "t/10": "W"})
    found = compare(first, second)
    assert (found.won, found.lost) == (("t/3",), ("t/2", "t/10"))
    assert (found.tied, found.both, found.neither) == (2, 1, 1)
    assert (found.first_value, found.second_value, found.difference) == (0.6, 0.4, pytest.approx(-0.2))
    assert (found.test, found.p, found.is_shown) == ("exact McNemar test", 1.0, False)


def test_the_difference_is_that_of_the_values_and_the_error_is_paired(tallied):
    first, second = (
        tallied({"t/0": "PPW", "t/1": "WWW", "t/2": "PPP"}),
        tallied({"t/0": "PWW", "t/1": "PWW", "t/2": "PPP"}),
    )
    found = compare(first, second)
    assert found.test == "paired permutation test"
    assert found.difference == pytest.approx(found.second_value - found.first_value)
    assert found.standard_error == pytest.approx(stdev([-1 / 3, 1 / 3, 0.0]) / math.sqrt(3))


def test_problems_of_one_run_alone_are_left_out_and_named(tallied):
    found = compare(tallied({"t/0": "P", "t/1": "P", "t/4": "W"}), tallied({"t/1": "P", "t/6": "P"}))
    assert (found.problems, found.only_first, found.only_second) == (1, ("t/0", "t/4"), ("t/6",))
    assert found.first_value == 1.0  # over the common problem


def test_samples_without_a_verdict_and_too_few_samples_are_left_out_and_named(tallied):
    first = tallied({"t/0": "PX", "t/1": "PP", "t/2": "P", "t/3": "WW"})
    second = tallied({"t/0": "PP", "t/1": "PP", "t/2": "PP", "t/3": "PP"})
    found = compare(first, second, Question(k=2))
    assert (found.problems, found.unjudged, found.too_few) == (2, ("t/0",), ("t/2",))
    failed = compare(first, second, Question(k=2, missing="fail"))
    assert (failed.problems, failed.unjudged, failed.first_value) == (3, (), pytest.approx(2 / 3))


def test_without_common_problems_or_with_a_doubtful_run_there_is_no_number(tallied):
    found = compare(tallied({"t/0": "P"}), tallied({"t/1": "P"}))
    assert found.reason == "undefined: no problem is in both runs with enough judged samples"
    assert found.difference is None
    doubtful = tallied({"t/0": "P"})
    doubtful.doubt = "the samples changed"
    assert compare(tallied({"t/0": "P"}), doubtful).reason == "undefined: the samples changed"


def test_base_tests_are_all_tests_where_there_are_no_others(tallied):
    found = compare(tallied({"t/0": "P"}), tallied({"t/0": "W"}), Question(tests="base"))
    assert found.difference == -1.0


def test_many_runs_are_held_against_the_first_and_p_is_corrected(tallied):
    letters = {f"t/{i}": "P" for i in range(10)}
    worse = letters | {f"t/{i}": "W" for i in range(6)}
    worst = letters | {f"t/{i}": "W" for i in range(9)}
    runs = {name: tallied(each) for name, each in (("a", letters), ("b", worse), ("c", worst))}
    found = compare_all(runs)
    assert [(each.first, each.second) for each in found] == [("a", "b"), ("a", "c")]
    assert [each.p for each in found] == [2 / 2**6, 2 / 2**9]
    assert [each.p_corrected for each in found] == [2 / 2**6, 4 / 2**9]
    pairs = compare_all(runs, all_pairs=True)
    assert [(each.first, each.second) for each in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_single_run_can_not_be_compared(tallied):
    with pytest.raises(SettingsError, match="at least two runs"):
        compare_all({"a": tallied({"t/0": "P"})})


def test_worse_by_a_margin_needs_both_the_margin_and_more_than_chance(tallied):
    good = {f"t/{i}": "P" for i in range(100)}
    few = compare(tallied(good), tallied(good | {f"t/{i}": "W" for i in range(4)}))
    many = compare(tallied(good), tallied(good | {f"t/{i}": "W" for i in range(8)}))
    assert (few.difference, few.is_worse_by(0.01)) == (-0.04, False)  # p = 0.125
    assert (many.difference, many.is_worse_by(0.01), many.is_worse_by(0.1)) == (-0.08, True, False)
    assert not compare(tallied(good | {f"t/{i}": "W" for i in range(8)}), tallied(good)).is_worse_by(0.01)


@pytest.mark.parametrize("letter", ["P", "W"])
def test_runs_that_never_differ_have_an_interval_with_a_width(tallied, letter):
    tally = tallied({f"t/{i}": letter for i in range(164)})
    found = compare(tally, tally)
    assert found.difference == 0.0
    assert -0.02 < found.low < 0 < found.high < 0.02
    assert found.detectable > 0.02


def test_the_interval_with_one_sample_is_bonett_and_prices():
    # 6 lost, 5 won of 164: both cells and the number of pairs grow by one, one and two.
    differences = [-1.0] * 6 + [1.0] * 5 + [0.0] * 153
    lost, won, pairs = 7 / 166, 6 / 166, 166
    half = 1.959964 * math.sqrt((lost + won - (won - lost) ** 2) / pairs)
    low, high, _ = difference_interval(differences, 1)
    assert (low, high) == pytest.approx((won - lost - half, won - lost + half), abs=1e-6)


def covered(problems, n, k, shift):
    """Share of 500 pairs of runs whose 95 % interval holds the true difference; rates are shared or, one in five, drawn anew."""
    rng, hits = random.Random(f"{problems} {n} {k} {shift}"), 0
    table = [pass_at_k(n, c, k) for c in range(n + 1)]

    def expected(mean):
        return 1 - math.prod((1 - mean + i) / (1 + i) for i in range(k))

    truth = 0.2 * (expected(0.6 - shift) - expected(0.6))
    for _ in range(500):
        differences = []
        for _ in range(problems):
            one = rng.betavariate(0.6, 0.4)
            two = one if rng.random() < 0.8 else rng.betavariate(0.6 - shift, 0.4 + shift)
            right = [sum(rng.random() < rate for _ in range(n)) for rate in (one, two)]
            differences.append(table[right[1]] - table[right[0]])
        low, high, _ = difference_interval(differences, n)
        hits += low <= truth <= high
    return hits / 500


@pytest.mark.parametrize(("n", "k", "shift"), [(1, 1, 0.0), (1, 1, 0.2), (5, 1, 0.2), (5, 5, 0.2)])
def test_intervals_of_a_difference_hold_the_truth_at_least_as_often_as_they_say(n, k, shift):
    assert covered(100, n, k, shift) >= 0.93  # 500 runs have a standard error of 1 %


def read(path, verdict) -> Tally:
    tally = Tally()
    for line in path.read_text().splitlines():
        row = json.loads(line)
        tally.add(verdict(row["task_id"], 0, Outcome.PASSED if row["passed"] is True else Outcome.WRONG_ANSWER))
    return tally


@pytest.mark.shared
def test_the_pair_of_the_corpus_shows_no_difference(shared, verdict):
    folder = shared / "corpus" / "compare"
    found = compare(*(read(folder / f"model-{name}.jsonl", verdict) for name in "ab"))
    assert (found.problems, len(found.lost), len(found.won), found.both, found.neither) == (164, 6, 5, 131, 22)
    assert (round(found.first_value, 6), round(found.second_value, 6)) == (0.835366, 0.829268)
    assert (found.p, found.is_shown) == (1.0, False)
    assert round(found.standard_error, 6) == 0.020280
    assert [round(end, 6) for end in (found.first_low, found.first_high)] == [0.771063, 0.884317]
    assert [round(end, 6) for end in (found.second_low, found.second_high)] == [0.764311, 0.879154]


@pytest.mark.shared
def test_a_partial_file_in_another_order_is_paired_by_id(shared, verdict):
    folder = shared / "corpus" / "compare"
    whole, other = (read(folder / f"model-{name}.jsonl", verdict) for name in "ab")
    ids = other.ids()
    random.Random(1).shuffle(ids)
    found = compare(whole, other.among(ids[:160]))
    assert (found.problems, len(found.only_first)) == (160, 4)
    assert set(found.only_first) == set(ids[160:])
