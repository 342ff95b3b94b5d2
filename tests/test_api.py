"""`import assay` with the real engine: five lines, rows or a benchmark, dicts or records."""

from __future__ import annotations

import pytest

import assay

ROW = {
    "task_id": 900,
    "text": "Double n.",
    "code": "def double(n):\r\n    return 2 * n",
    "test_list": ["assert double(2) == 4", "assert double(-1) == -2", "assert double(0) == 0"],
    "test_setup_code": "",
    "challenge_test_list": [],
}
RIGHT, WRONG = "def double(n):\n    return n + n", "def double(n):\n    return n ** 2"


@pytest.fixture(scope="module")
def result() -> assay.Result:
    samples = [{"task_id": 900, "completion": RIGHT}, {"task_id": 900, "solution": WRONG}]
    return assay.judge_samples([ROW], samples)


def test_published_rows_and_dicts_give_verdicts_in_order(result: assay.Result) -> None:
    assert [verdict.outcome for verdict in result.verdicts] == [assay.Outcome.PASSED, assay.Outcome.WRONG_ANSWER]
    assert [verdict.sample_index for verdict in result.verdicts] == [0, 1]
    assert result.verdicts[1].message
    assert result.expected == {"900": 2}
    assert result.invalid == ()


def test_an_estimate_has_its_interval(result: assay.Result) -> None:
    estimate = result.estimate("pass@1")
    assert estimate.value == 0.5
    assert estimate.low < 0.5 < estimate.high
    assert result.estimate("pass@2").value == 1.0


def test_where_all_tests_are_base_tests_base_gives_the_same_number(result: assay.Result) -> None:
    assert result.estimate("pass@1", "base").value == result.estimate("pass@1").value


def test_an_undefined_estimate_is_none_with_a_reason(result: assay.Result) -> None:
    estimate = result.estimate("pass@3")
    assert estimate.value is None
    assert "too few samples" in estimate.reason


@pytest.mark.parametrize(("name", "tests"), [("pass@x", "all"), ("accuracy", "all"), ("pass@1", "plus")])
def test_an_unknown_estimate_is_refused_with_the_known_ones(result: assay.Result, name: str, tests: str) -> None:
    with pytest.raises(assay.SettingsError, match="mean_fraction"):
        result.estimate(name, tests)


def test_some_problems_of_a_benchmark_and_sample_records_will_do() -> None:
    problems = assay.load("basics").problems[:2]
    text = problems[0].reference
    sample = assay.Sample(problem_id=problems[0].id, index=0, text=text, mode=assay.Mode.SOLUTION)
    result = assay.judge_samples(problems, [sample])
    assert [verdict.passed for verdict in result.verdicts] == [True]
    assert result.estimate("pass@1").value is None
    assert result.estimate("pass@1", missing="skip").value == 1.0


def test_bad_rows_are_an_error_that_lists_them() -> None:
    with pytest.raises(assay.DataError) as error:
        assay.judge_samples([ROW], [{"task_id": 900}, {"task_id": 900, "solution": 1}])
    assert [row.line for row in error.value.rows] == [1, 2]
