import json
import math
import re
from fractions import Fraction

import pytest

from assay.errors import SettingsError
from assay.metrics import METRICS, Answers, Tally, metric_list, score, shorten_reason
from assay.records import Outcome

PASSED, WRONG, BROKEN = Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.SYSTEM_ERROR


def by_name(estimates, tests="all"):
    return {estimate.name: estimate for estimate in estimates if estimate.tests == tests}


def test_pass_at_k_is_the_mean_over_problems_and_never_pooled(tallied):
    found = by_name(score(tallied({"t/0": "PW", "t/1": "WWWW"}), [1, 2]))
    assert found["pass@1"].value == 0.25
    assert found["pass@2"].value == 0.5
    assert (found["pass@1"].problems, found["pass@1"].samples, found["pass@1"].reason) == (2, 6, None)
    assert found["pass@1"].low < 0.25 < found["pass@1"].high
    assert found["mean_fraction"].value == pytest.approx((0.75 + 0.5) / 2, rel=1e-15)


def test_too_few_samples_of_one_problem_make_the_number_null_and_name_it(tallied):
    estimate = by_name(score(tallied({"t/10": "P", "t/2": "P", "t/3": "PPP"}), [2]))["pass@2"]
    assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
    assert estimate.reason == "undefined: too few samples for t/2, t/10"
    assert estimate.problems == 3


@pytest.mark.parametrize(("missing", "value", "problems"), [(None, None, 2), ("fail", 0.5, 2), ("skip", 1.0, 1)])
def test_problems_without_samples_are_null_or_failed_or_skipped_as_asked(missing, value, problems, tallied):
    estimate = by_name(score(tallied({"t/0": "P"}, {"t/0": 1, "t/1": 0}), missing=missing))["pass@1"]
    assert (estimate.value, estimate.problems) == (value, problems)
    assert estimate.reason == (None if missing else "undefined: no samples for t/1")


@pytest.mark.parametrize(("missing", "value"), [(None, None), ("fail", (0.5 + 1 / 3) / 2), ("skip", (1 + 1 / 3) / 2)])
def test_samples_without_a_verdict_are_null_or_failed_or_skipped_as_asked(missing, value, tallied):
    tally = tallied({"t/0": "PX", "t/1": "PWW"}, {"t/0": 2, "t/1": 3})
    estimate = by_name(score(tally, missing=missing))["pass@1"]
    assert estimate.value == (None if value is None else pytest.approx(value, rel=1e-15))
    assert estimate.reason == (None if missing else "undefined: no verdict for t/0 (1 sample)")


def test_a_system_error_without_a_manifest_makes_the_number_null_too(tallied):
    assert by_name(score(tallied({"t/0": "PXX"})))["pass@1"].reason == "undefined: no verdict for t/0 (2 samples)"


def test_an_unfinished_run_has_no_numbers(tallied):
    found = score(tallied({"t/0": "P"}, {"t/0": 2, "t/1": 2, "t/2": 0}), [1, 3])
    assert {estimate.value for estimate in found} == {None}
    assert by_name(found)["pass@3"].reason == (
        "undefined: no samples for t/2; no verdict for t/0 (1 sample), t/1 (2 samples); too few samples for t/0, t/1"
    )


def test_failing_missing_samples_does_not_make_k_larger_than_n_defined(tallied):
    tally = tallied({"t/0": "PX"}, {"t/0": 2, "t/1": 0})
    found = by_name(score(tally, [2, 3], missing="fail"))
    assert found["pass@2"].value == 0.5
    assert found["pass@3"].reason == "undefined: too few samples for t/0"


def test_no_problem_at_all_is_null_and_not_zero():
    assert by_name(score(Tally()))["pass@1"].reason == "undefined: no problems"
    skipped = by_name(score(Tally({"t/0": 0}), missing="skip"))["pass@1"]
    assert skipped.reason == "undefined: no problem has samples"


def test_a_doubt_about_the_whole_run_makes_every_number_null(verdict):
    tally = Tally({"t/0": 1}, doubt="the samples changed")
    tally.add(verdict("t/0", 0, PASSED))
    for missing in (None, "fail", "skip"):
        assert by_name(score(tally, missing=missing))["pass@1"].reason == "undefined: the samples changed"


def test_base_stands_beside_all_and_shows_what_weak_tests_hide(verdict):
    tally = Tally()
    tally.add(verdict("t/0", 0, PASSED, {"base": (3, 3), "plus": (20, 20)}))
    tally.add(verdict("t/0", 1, WRONG, {"base": (3, 3), "plus": (10, 20)}))
    found = score(tally)
    assert by_name(found, "all")["pass@1"].value == 0.5
    assert by_name(found, "base")["pass@1"].value == 1.0
    assert by_name(found, "all")["mean_fraction"].value == pytest.approx((1 + 13 / 23) / 2, rel=1e-15)
    assert by_name(found, "base")["mean_fraction"].value == 1.0


def test_challenge_numbers_are_over_the_problems_that_have_challenge_cases(verdict):
    tally = Tally()
    tally.add(verdict("t/0", 0, WRONG, {"base": (3, 3), "challenge": (1, 2)}))
    tally.add(verdict("t/1", 0, PASSED, {"base": (3, 3)}))
    found = score(tally)
    assert by_name(found, "challenge")["pass@1"].value == 0.0
    assert by_name(found, "challenge")["pass@1"].problems == 1
    assert by_name(found, "all")["pass@1"].value == 1.0


def test_each_number_names_its_method(tallied):
    one = by_name(score(tallied({"t/0": "P", "t/1": "W"})))["pass@1"].method
    many = by_name(score(tallied({"t/0": "PW", "t/1": "WW"})))["pass@1"].method
    assert one == "mean over problems of unbiased pass@1; Wilson score interval over problems"
    assert many.endswith("Wilson score interval, effective number of problems from the variance over problems")


def test_k_is_checked_before_anything_is_counted():
    with pytest.raises(SettingsError):
        score(Tally(), [1.5])


def test_long_reasons_are_cut_for_tables_only(tallied):
    ids = [f"t/{i}" for i in range(16)]
    reason = by_name(score(tallied(dict.fromkeys(ids, "P")), [10]))["pass@10"].reason
    assert reason == f"undefined: too few samples for {', '.join(ids)}"
    assert shorten_reason(reason) == "undefined: too few samples for t/0, t/1, t/2, t/3, t/4, t/5 and 10 more"
    both = "undefined: no samples for a, b, c, d; too few samples for e"
    assert shorten_reason(both, names=2) == "undefined: no samples for a, b and 2 more; too few samples for e"


SCENES = ("uniform", "non-uniform-n", "n-less-than-k", "single-greedy", "one-in-200")


def read_scene(path, verdict):
    """The corpus' own rows as a tally; `passed` must be true or false."""
    tally = Tally()
    for line in path.read_text().splitlines():
        row = json.loads(line)
        assert isinstance(row["passed"], bool), line
        tally.add(verdict(row["task_id"], row["sample"], PASSED if row["passed"] else WRONG))
    return tally


@pytest.mark.shared
@pytest.mark.parametrize("scene", SCENES)
def test_the_scenes_of_the_corpus_hold(shared, scene, verdict):
    folder = shared / "corpus" / "passk"
    expected = json.loads((folder / "expected.json").read_text())[scene]
    ks = [int(k) for k in expected["pass@"]]
    found = by_name(score(read_scene(folder / f"{scene}.jsonl", verdict), ks))
    for k in ks:
        wanted, estimate = expected["pass@"][str(k)], found[f"pass@{k}"]
        assert estimate.problems == expected["tasks"]
        assert estimate.reason == wanted.get("reason")
        if wanted["value"] is None:
            assert estimate.value is None
        else:
            assert abs(Fraction(estimate.value) - Fraction(wanted["exact"])) <= Fraction(wanted["exact"]) * Fraction(
                1, 10**15
            )


def test_a_task_without_samples_leaves_the_count_of_tasks_as_it_is(verdict):
    tally = Tally({"t/0": 5, "t/1": 0})
    for index in range(5):
        tally.add(verdict("t/0", index, PASSED))
    for estimate in score(tally, [1, 2]):
        assert (estimate.value, estimate.problems) == (None, 2)
        assert re.search(r"no samples for t/1", estimate.reason)


def test_the_mean_is_summed_without_loss(tallied):
    tally = tallied({f"t/{i}": "P" + "W" * 9 for i in range(1000)})
    assert by_name(score(tally))["pass@1"].value == math.fsum([0.1] * 1000) / 1000


@pytest.mark.parametrize("missing", [None, "fail", "skip"])
def test_missing_verdicts_give_bounds_whatever_was_decided_about_them(missing, tallied):
    tally = tallied({"t/0": "PX", "t/1": "PWW"}, {"t/0": 2, "t/1": 3, "t/2": 0})
    found = by_name(score(tally, missing=missing))
    worst, best = (0.5 + 1 / 3 + 0) / 3, (1 + 1 / 3 + 1) / 3
    assert (found["pass@1"].at_least, found["pass@1"].at_most) == pytest.approx((worst, best))
    least, most = found["mean_fraction"].at_least, found["mean_fraction"].at_most
    assert (least, most) == pytest.approx(((0.5 + 2 / 3 + 0) / 3, (1 + 2 / 3 + 1) / 3))


def test_where_nothing_is_missing_or_nothing_can_be_said_there_are_no_bounds(tallied):
    def bounds(tally, k=1, **how):
        found = score(tally, [k], **how)[0]
        return found.at_least, found.at_most

    assert bounds(tallied({"t/0": "PW"})) == (None, None)
    assert bounds(tallied({"t/0": "PX"}), k=3) == (None, None)
    doubtful = tallied({"t/0": "PX"})
    doubtful.doubt = "the samples changed"
    assert bounds(doubtful) == (None, None)
    assert bounds(Tally()) == (None, None)


@pytest.fixture
def letters(verdict):
    """Makes a tally and the answers of the same verdicts; wrong letters of a word all agree."""

    def both(words):
        tally, answers = Tally(), Answers()
        names = {"P": PASSED, "W": WRONG, "X": BROKEN, "N": Outcome.NO_CODE}
        for problem, word in words.items():
            for index, letter in enumerate(word):
                row = verdict(problem, index, names[letter])
                tally.add(row)
                answers.add(row)
        return tally, answers

    return both


def test_all_of_k_and_the_majority_of_k_stand_beside_one_of_k(letters):
    tally, answers = letters({"t/0": "PPW", "t/1": "WWN"})
    found = by_name(score(tally, [1, 2, 3], metrics=METRICS, answers=answers))
    assert found["pass^2"].value == pytest.approx((1 / 3 + 0) / 2)
    assert found["maj@3"].value == 0.5
    assert found["maj@2"].value == pytest.approx((1 / 3 + 2 / 3 * 0.5) / 2)
    assert found["maj@1"].value == found["pass@1"].value == found["pass^1"].value
    assert found["maj@3"].method.startswith("mean over problems of maj@3 over all draws, wrong answers that fail alike")


def test_maj_at_k_is_bounded_by_no_two_wrong_answers_agreeing(letters):
    tally, answers = letters({"t/0": "PPWWW"})
    found = by_name(score(tally, [5], metrics=["maj@k"], answers=answers))["maj@5"]
    assert (found.value, found.at_least, found.at_most) == (0.0, 0.0, 1.0)


def test_a_verdict_that_is_missing_is_no_vote_under_fail_and_the_right_one_in_the_upper_bound(letters):
    tally, answers = letters({"t/0": "PWX"})
    found = by_name(score(tally, [3], metrics=["maj@k"], answers=answers, missing="fail"))["maj@3"]
    assert (found.value, found.at_least, found.at_most) == (0.5, 0.5, 1.0)


def test_the_best_of_k_is_chosen_by_base_tests_and_judged_by_all(verdict):
    tally, answers = Tally(), Answers()
    for index, (outcome, base, plus) in enumerate([(PASSED, 2, 2), (WRONG, 2, 1), (WRONG, 1, 2), (WRONG, 0, 0)]):
        row = verdict("t/0", index, outcome, {"base": (base, 2), "plus": (plus, 2)})
        tally.add(row)
        answers.add(row)
    found = by_name(score(tally, [1, 4], metrics=["best@k"], answers=answers))
    assert (found["best@1"].value, found["best@4"].value) == (0.25, 0.5)


def test_best_at_k_without_plus_tests_would_be_pass_at_k_and_is_undefined(letters):
    tally, answers = letters({"t/0": "PW"})
    found = by_name(score(tally, metrics=["best@k"], answers=answers))["best@1"]
    assert found.reason == "undefined: no tests beyond the base tests by which the best is chosen"


def test_best_at_k_with_a_missing_verdict_is_bounded_by_its_being_the_best_or_the_worst(verdict):
    tally, answers = Tally(), Answers()
    rows = [
        verdict("t/0", 0, WRONG, {"base": (2, 2), "plus": (0, 2)}),
        verdict("t/0", 1, PASSED, {"base": (2, 2), "plus": (2, 2)}),
        verdict("t/0", 2, BROKEN, {"base": (0, 2), "plus": (0, 2)}),
    ]
    for row in rows:
        tally.add(row)
        answers.add(row)
    found = by_name(score(tally, [3], metrics=["best@k"], answers=answers))["best@3"]
    assert (found.value, found.at_least, found.at_most) == (None, 0.5, 1.0)


def test_metrics_that_need_answers_say_so_and_unknown_ones_are_refused():
    with pytest.raises(SettingsError, match="answers="):
        score(Tally(), metrics=["maj@k"])
    with pytest.raises(SettingsError, match=r"did you mean pass@k\?"):
        metric_list(["pas@k"])
    with pytest.raises(SettingsError, match="empty"):
        metric_list([])
