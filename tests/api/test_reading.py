"""What may be given for a problem and for a sample."""

from __future__ import annotations

import msgspec
import pytest

import assay
from assay.api.reading import read_problem, read_sample

ROW = {"id": "double", "prompt": "Double n.", "reference": "def f(n): return 2 * n", "tests": ["assert f(2) == 4"]}
PROBLEM = read_problem(ROW)
CODE = "def f(n): return n + n"


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        (CODE, "solution"),
        ({"solution": CODE}, "solution"),
        ({"completion": CODE}, "completion"),
        ({"text": CODE, "problem_id": "double"}, "chat"),
        ({"solution": CODE, "task_id": "double"}, "solution"),
    ],
)
def test_texts_and_rows_are_samples_of_the_problem(given, mode):
    sample = read_sample(given, PROBLEM, 3)
    assert (sample.problem_id, sample.index, sample.mode, sample.text) == ("double", 3, mode, CODE)


def test_a_record_keeps_its_index():
    sample = assay.Sample(problem_id="double", index=7, text=CODE, mode=assay.Mode.CHAT)
    assert read_sample(sample, PROBLEM, 0) == sample


@pytest.mark.parametrize(
    "given",
    [
        {"solution": CODE, "problem_id": "triple"},
        assay.Sample(problem_id="triple", index=0, text=CODE, mode=assay.Mode.CHAT),
    ],
)
def test_a_sample_of_another_problem_is_refused(given):
    with pytest.raises(assay.DataError, match=r"triple|another problem than double"):
        read_sample(given, PROBLEM, 0)


@pytest.mark.parametrize("given", [{}, {"solution": 1}])
def test_a_row_that_says_no_sample_is_refused_with_the_reason(given):
    with pytest.raises(assay.DataError):
        read_sample(given, PROBLEM, 0)


def test_a_name_is_no_problem_and_bytes_are_no_sample():
    with pytest.raises(assay.SettingsError, match="not the name 'basics'"):
        read_problem("basics")
    with pytest.raises(assay.SettingsError, match="not bytes"):
        read_sample(CODE.encode(), PROBLEM, 0)


def test_a_row_that_can_be_read_and_not_judged_says_why():
    found = read_problem({**ROW, "tests": ["assert ("]})
    assert isinstance(found, assay.InvalidProblem)
    assert found.id == "double"


def test_a_row_that_can_not_be_read_is_an_error():
    with pytest.raises(assay.DataError):
        read_problem({"id": "double"})


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"id": 1}, r"`\$\.id`"),
        ({"prompt": None}, r"`\$\.prompt`"),
        ({"tests": "assert f(2) == 4"}, r"`\$\.tests`"),
        ({"tests": (object(),)}, "object"),
        ({"reference": "\ud800"}, "surrogates"),
    ],
)
def test_a_problem_made_of_something_else_is_refused_by_the_name_of_the_field(fields, why):
    with pytest.raises(assay.DataError, match=f"problem can't be read: .*{why}") as caught:
        read_problem(msgspec.structs.replace(PROBLEM, **fields))
    assert "assay.Problem" in caught.value.hint


@pytest.mark.parametrize("fields", [{"text": 3}, {"index": "a"}, {"problem_id": 4}, {"mode": "solutions"}])
def test_a_sample_made_of_something_else_is_refused_by_the_name_of_the_field(fields):
    sample = assay.Sample(problem_id="double", index=7, text=CODE, mode=assay.Mode.SOLUTION)
    with pytest.raises(assay.DataError, match=rf"sample can't be read: .*`\$\.{next(iter(fields))}`"):
        read_sample(msgspec.structs.replace(sample, **fields), PROBLEM, 0)


def test_what_a_row_may_hold_is_taken_in_a_record_too():
    loose = msgspec.structs.replace(PROBLEM, tests=[*PROBLEM.tests], limits={"time_s": 1.0})
    assert read_problem(loose) == msgspec.structs.replace(PROBLEM, limits=assay.Limits(time_s=1.0))
    assert read_problem(PROBLEM) == PROBLEM
    sample = assay.Sample(problem_id="double", index=7, text="x = '\ud800'", mode="solution")
    assert read_sample(sample, PROBLEM, 0).mode is assay.Mode.SOLUTION
