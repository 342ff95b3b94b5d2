import pytest

from assay.metrics import Answers, by_difficulty, by_label, outcome_shares, score
from assay.records import Outcome


def test_every_problem_is_in_some_group_and_in_each_of_its_tags():
    found = by_label({"t/2": ["b"], "t/10": ["a", "b"], "t/1": []})
    assert list(found.items()) == [("a", ("t/10",)), ("b", ("t/2", "t/10")), ("none", ("t/1",))]


def test_difficulty_is_the_share_of_right_samples_hardest_first(tallied):
    tally = tallied(
        {"t/0": "PPPP", "t/1": "WWWW", "t/2": "PWWW", "t/3": "PPPW", "t/4": "PPWW", "t/5": "PPPPW", "t/6": "X"}
    )
    assert by_difficulty(tally) == {
        "never solved": ("t/1",),
        "up to 1 in 4": ("t/2",),
        "up to 3 in 4": ("t/3", "t/4"),
        "above 3 in 4": ("t/5",),
        "always solved": ("t/0",),
        "none": ("t/6",),
    }


def test_a_part_of_a_tally_has_the_numbers_of_its_problems_alone(tallied):
    tally = tallied({"t/0": "PP", "t/1": "WW", "t/2": "PW"})
    part = score(tally.among(["t/0", "t/2", "t/9"]))[0]
    assert (part.value, part.problems, part.samples) == (0.75, 2, 4)


def test_a_doubt_about_the_run_is_one_about_its_parts(tallied):
    tally = tallied({"t/0": "P"})
    tally.doubt = "the samples changed"
    assert score(tally.among(["t/0"]))[0].reason == "undefined: the samples changed"


def test_shares_of_outcomes_are_means_over_problems_and_add_up_to_one(verdict):
    rows = [verdict("t/0", 0), verdict("t/0", 1, Outcome.WRONG_ANSWER), verdict("t/1", 0)]
    found = {each.name: each for each in outcome_shares(Answers(rows))}
    assert {name: each.value for name, each in found.items()} == {
        "share of passed": 0.75,
        "share of wrong_answer": 0.25,
    }
    assert sum(each.value for each in found.values()) == pytest.approx(1.0)
    assert found["share of passed"].low < 0.75 < found["share of passed"].high
