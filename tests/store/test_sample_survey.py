from __future__ import annotations

import pytest

from assay.errors import DataError
from assay.records import Benchmark, Problem
from assay.store.sample_rows import Answer, BadSample, ProblemIds, UnknownProblem
from assay.store.sample_survey import Survey


def survey() -> Survey:
    return Survey(ProblemIds(Benchmark(name="x", version=None, digest="", problems=())))


def test_a_file_with_one_fault_in_every_row_lists_a_thousand_and_counts_all():
    found = survey()
    for number in range(1, 1502):
        found.refuse(number, BadSample("odd"))
    assert len(found.bad_rows) == 1000
    with pytest.raises(DataError, match="1,501 rows can't be used, the first 1000 are listed"):
        found.require_usable("-", skip_bad_rows=False)
    found.require_usable("-", skip_bad_rows=True)


def test_bad_rows_may_be_skipped_only_where_others_are_left():
    found = survey()
    found.refuse(1, BadSample("odd"))
    with pytest.raises(DataError, match="hint: no row can be used"):
        found.require_usable("-", skip_bad_rows=False)
    found.accept(2, Answer("1", None, "solution", ()))
    with pytest.raises(DataError, match="go on without them: --skip-bad-rows"):
        found.require_usable("-", skip_bad_rows=False)


def test_no_samples_at_all_is_worth_a_warning():
    found = survey()
    found.finish("", rows=0)
    assert found.warnings == ("there are no samples of the problems to be judged",)


def test_a_place_without_a_line_is_named_as_it_is():
    found = survey()
    found.refuse("samples[3]", BadSample("odd"))
    found.refuse(7, BadSample("odd too"))
    assert found.warnings[0] == "2 rows bad and skipped, first in samples[3]"
    with pytest.raises(DataError) as caught:
        found.require_usable("log.json", skip_bad_rows=False)
    assert "\n  samples[3]: odd\n  line 7: odd too\n" in str(caught.value)
    assert [(row.line, row.place) for row in caught.value.rows] == [(0, "samples[3]"), (7, "line 7")]


def survey_of(own: str, *, known: int, unknown: str, count: int) -> Survey:
    problem = Problem(id=own, prompt="", tests=())
    found = Survey(ProblemIds(Benchmark(name="x", version=None, digest="", problems=(problem,))))
    for number in range(known):
        found.accept(number, Answer(own, None, "solution", ()))
    for number in range(count):
        value = unknown.replace("N", str(number))
        found.refuse(number, UnknownProblem(f"unknown problem {value!r}", value, None if number > 30 else own))
    return found


@pytest.mark.parametrize(
    ("own", "unknown", "told"),
    [
        ("1", "HumanEval/N", "40 of 40 ids unknown; they look like those of humaneval and humanevalplus"),
        ("HumanEval/1", "N", "40 of 40 ids unknown; they look like those of mbpp and mbpp:sanitized"),
        ("HumanEval/1", "Mbpp/N", "40 of 40 ids unknown; they look like those of mbppplus"),
        ("HumanEval/999", "HumanEval/N", "40 of 40 ids unknown; did you mean HumanEval/999?"),
    ],
)
def test_samples_of_another_benchmark_name_it_by_their_ids_and_list_three_rows(own, unknown, told):
    found = survey_of(own, known=0, unknown=unknown, count=40)
    with pytest.raises(DataError) as caught:
        found.require_usable("s", skip_bad_rows=True)
    assert str(caught.value).startswith(f"s: {told}")
    assert len(caught.value.rows) == 3


def test_numbers_that_each_fit_an_id_have_lost_its_prefix():
    with pytest.raises(DataError, match=r"9 of 9 ids unknown; did you mean Mbpp/2\?"):
        survey_of("Mbpp/2", known=0, unknown="N", count=9).require_usable("s", skip_bad_rows=False)


def test_where_nearly_all_ids_are_unknown_the_same_is_said_and_they_may_be_skipped():
    found = survey_of("1", known=1, unknown="HumanEval/N", count=40)
    with pytest.raises(DataError, match="40 of 41 rows have unknown ids; they look like those of humaneval") as caught:
        found.require_usable("s", skip_bad_rows=False)
    assert "--skip-bad-rows goes on without them" in str(caught.value)
    found.require_usable("s", skip_bad_rows=True)
    with pytest.raises(DataError, match="4 rows can't be used"):
        survey_of("1", known=9, unknown="HumanEval/N", count=4).require_usable("s", skip_bad_rows=False)
