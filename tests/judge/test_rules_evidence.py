"""Rule 3 of the proxy: a pass needs evidence."""

from __future__ import annotations

from court import problem, trial

from assay.records import CheckTests, Outcome, Trust

IDENTITY = "def f(x):\n    return x\n"


@trial(
    problem("def f(n):\n    return list(range(1, n + 1))\n", "for x in f(3):\n    assert x > 0"),
    honest="def f(n):\n    return [*range(1, n + 1)]\n",
    more="def f(n):\n    return [1, 2, 3, 4]\n",
    none="def f(n):\n    return []\n",
    fewer="def f(n):\n    return [1]\n",
)
def test_a_case_that_evaluates_fewer_asserts_than_the_reference_is_wrong(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["more"].passed
    assert verdicts["none"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["none"].message == "assertions that the reference reaches were not evaluated"
    assert verdicts["fewer"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(n):\n    return n > 1\n",
        tests=(
            CheckTests(
                source=(
                    "def check(candidate):\n"
                    "    if candidate(2):\n"
                    "        assert candidate(3) == True\n"
                    "    assert candidate(1) == False\n"
                )
            ),
        ),
    ),
    honest="def f(n):\n    return n >= 2\n",
    skips="def f(n):\n    return False\n",
)
def test_an_assert_of_check_that_is_not_reached_is_a_case_not_passed(verdicts):
    assert verdicts["honest"].cases == "11"
    assert verdicts["skips"].outcome is Outcome.WRONG_ANSWER
    assert (verdicts["skips"].passed_cases, verdicts["skips"].total_cases) == (1, 2)


@trial(
    problem(
        "def f(n):\n    return n\n",
        tests=(
            CheckTests(
                source="def check(candidate):\n    for i in range(candidate(2)):\n        assert candidate(i) == i\n"
            ),
        ),
    ),
    more="def f(n):\n    return 5 if n == 2 else n\n",
)
def test_asserts_beyond_the_references_number_count_with_the_last_case(verdicts):
    assert verdicts["more"].total_cases == 2
    assert verdicts["more"].cases == "10"


@trial(problem(IDENTITY, "f(1)", "f(2) == 2"), any="def f(x):\n    return x\n")
def test_tests_without_an_assert_make_the_problem_invalid(reason):
    assert "hold no assertion" in reason


@trial(problem(IDENTITY, "assert True", "assert (f(1) == 2, 'a tuple')"), any="def f(x):\n    return x\n")
def test_tests_that_could_not_fail_make_the_problem_invalid(reason):
    assert "no assertion that could fail" in reason


@trial(problem("def f(x):\n    return []\n", "for x in f(3):\n    assert x > 0"), any="def f(x):\n    return []\n")
def test_tests_of_which_the_reference_evaluates_none_make_the_problem_invalid(reason):
    assert "evaluate no assertion" in reason


@trial(problem("def f(x):\n    return x + 1\n", "assert f(1) == 1"), any=IDENTITY)
def test_a_reference_that_fails_its_own_tests_makes_the_problem_invalid_and_says_where(reason):
    assert "f(1): expected 1, got 2" in reason


@trial(problem(None, "if f(1):\n    assert f(2) == 2"), never="def f(x):\n    return 0\n", honest=IDENTITY)
def test_without_a_reference_at_least_one_assert_of_a_case_must_be_evaluated(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["never"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(x):\n    return x * 2\n",
        tests=(
            CheckTests(
                source="def check(g):\n    assert g(0) == 0\n    if g(2) != 4:\n        raise ValueError('wrong')\n"
            ),
        ),
    ),
    honest="def f(x):\n    return x + x\n",
    zero="def f(x):\n    return 0\n",
)
def test_a_statement_that_raises_counts_against_a_check_though_every_assert_held(verdicts):
    assert verdicts["honest"].passed
    assert not verdicts["zero"].passed


@trial(
    problem(
        "def f(n):\n    return list(range(n))\n",
        tests=(
            CheckTests(
                source="def check(g):\n    for x in g(3):\n        assert x >= 0\n    if g(1):\n        assert g(2) == [0, 1]\n"
            ),
        ),
    ),
    honest="def f(n):\n    return [*range(n)]\n",
    swapped="def f(n):\n    return [1] * 4 if n == 3 else []\n",
)
def test_more_of_one_assert_does_not_make_up_for_another(verdicts):
    assert verdicts["honest"].passed
    assert not verdicts["swapped"].passed


@trial(
    problem("from math import isclose\ndef f(x):\n    return x / 3\n", "assert isclose(f(1), 1 / 3)"),
    cheat="def isclose(a, b):\n    return True\ndef f(x):\n    return 0\n",
)
def test_what_the_reference_imports_from_the_standard_library_is_not_the_candidates(verdicts):
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem("EXP = 4\ndef f(x):\n    return x * 2\n", "assert f(2) == EXP"),
    honest="EXP = 4\ndef f(x):\n    return x + x\n",
)
def test_a_constant_of_the_candidates_makes_the_verdict_delegated(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.DELEGATED
