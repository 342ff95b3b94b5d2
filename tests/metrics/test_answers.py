from assay.metrics import Answers
from assay.records import Outcome

WRONG = Outcome.WRONG_ANSWER


def test_samples_that_surely_differ_are_told_apart_and_the_rest_agrees(verdict):
    rows = [
        verdict(index=0),
        verdict(index=1, outcome=WRONG, got="1"),
        verdict(index=2, outcome=WRONG, got="1"),
        verdict(index=3, outcome=WRONG, got="2"),
        verdict(index=4, outcome=WRONG, groups={"base": (0, 2)}, got="1"),
        verdict(index=5, outcome=Outcome.RUNTIME_ERROR, got="1"),
    ]
    found = Answers(rows).of("t/0")
    assert found.right == 1
    assert sorted(found.wrong.values()) == [1, 1, 1, 2]


def test_samples_without_an_answer_agree_with_none(verdict):
    kinds = (Outcome.NO_CODE, Outcome.SYNTAX_ERROR, Outcome.TIME_LIMIT, Outcome.FORBIDDEN)
    found = Answers(verdict(index=i, outcome=kind) for i, kind in enumerate(kinds)).of("t/0")
    assert (found.right, found.silent, dict(found.wrong)) == (0, 4, {})


def test_a_system_error_is_no_answer_and_an_unknown_problem_has_none(verdict):
    answers = Answers([verdict(outcome=Outcome.SYSTEM_ERROR)])
    assert answers.problems == {}
    assert answers.of("t/0").right == 0


def test_base_scores_and_outcomes_are_counted(verdict):
    rows = [
        verdict(index=0, groups={"base": (2, 2), "plus": (3, 3)}),
        verdict(index=1, outcome=WRONG, groups={"base": (2, 2), "plus": (1, 3)}),
        verdict(index=2, outcome=WRONG, groups={"base": (1, 2), "plus": (3, 3)}),
    ]
    found = Answers(rows).of("t/0")
    assert found.by_base == {(1.0, True): 1, (1.0, False): 1, (0.5, False): 1}
    assert found.outcomes == {Outcome.PASSED: 1, WRONG: 2}
