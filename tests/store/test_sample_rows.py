from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.records import Benchmark, Mode
from assay.store.sample_rows import BadSample, Match, ProblemIds, UnknownProblem, read_answer, to_sample


def ids_of(*names: str, prefixes: tuple[str, ...] = ()) -> ProblemIds:
    rows = [{"id": name, "prompt": "p", "tests": ["assert f()"]} for name in names]
    read = from_rows(rows)
    return ProblemIds(
        Benchmark(name="x", version=None, digest="", problems=read.problems, id_prefixes=prefixes, deselected=("4711",))
    )


def refusal(ids: ProblemIds, value: object) -> str:
    with pytest.raises(BadSample) as caught:
        ids.match(value, "task_id")
    return str(caught.value)


def test_a_text_matches_exactly_and_a_number_by_its_decimal_text():
    ids = ids_of("2", "10", "demo/3")
    assert ids.match("2", "task_id") == Match("2")
    assert ids.match(10, "task_id") == Match("10", "number")
    assert ids.match("demo/3", "task_id") == Match("demo/3")
    assert ids.match(4711, "task_id") == Match("4711", "number")


def test_a_prefix_counts_only_where_the_benchmark_declares_it():
    assert ids_of("11", prefixes=("MBPP/", "Mbpp/")).match("MBPP/11", "task_id") == Match("11", "prefix")
    assert "did you mean '11'?" in refusal(ids_of("11"), "MBPP/11")
    assert "unknown" in refusal(ids_of("11", prefixes=("MBPP/",)), "mbpp/11")
    assert "unknown" in refusal(ids_of("11", prefixes=("MBPP/",)), "MBPP/011")


def test_an_exact_id_wins_over_a_prefixed_one():
    ids = ids_of("11", "MBPP/11", prefixes=("MBPP/",))
    assert ids.match("MBPP/11", "task_id") == Match("MBPP/11")


def test_every_text_that_names_a_problem_can_be_listed():
    ids = ids_of("11", "MBPP/11", prefixes=("MBPP/",))
    assert dict(ids.texts()) == {
        "11": "11",
        "MBPP/11": "MBPP/11",
        "4711": "4711",
        "MBPP/MBPP/11": "MBPP/11",
        "MBPP/4711": "4711",
    }


def test_the_order_of_the_data_is_not_guessed_where_problems_are_left_out():
    read = from_rows([{"id": name, "prompt": "p", "tests": ["assert f()"]} for name in "ba"])
    whole = Benchmark(name="x", version=None, digest="", problems=read.problems)
    assert ProblemIds(read).order == ("b", "a")
    assert ProblemIds(whole).order == ("b", "a")
    assert ids_of("2", "1").order == ()


@pytest.mark.parametrize(
    ("known", "value", "message"),
    [
        ("demo/2", 2, "unknown task_id 2 (a number); did you mean 'demo/2'?"),
        ("demo/2", "demo/99", "unknown task_id 'demo/99'"),
        ("demo/1", " demo/1 ", "unknown task_id ' demo/1 ' (blanks round it); did you mean 'demo/1'?"),
        ("Mbpp/10", "MBPP/10", "unknown task_id 'MBPP/10'; did you mean 'Mbpp/10'?"),
        ("Mbpp/10", "10", "unknown task_id '10'; did you mean 'Mbpp/10'?"),
        ("sort-list", "sort_list", "unknown task_id 'sort_list'; did you mean 'sort-list'?"),
        ("10", "010", "unknown task_id '010'; did you mean '10'?"),
        ("1", "\u0661", "unknown task_id '\u0661'"),
        ("1", True, "'task_id' must be a text or a whole number, not a boolean (True)"),
        ("1", 1.0, "'task_id' must be a text or a whole number, not a number (1.0)"),
        ("1", None, "'task_id' must be a text or a whole number, not null (None)"),
        ("1", [1], "'task_id' must be a text or a whole number, not a list ([1])"),
    ],
)
def test_a_near_match_is_proposed_and_never_made(known, value, message):
    assert refusal(ids_of(known), value) == message


def test_a_number_that_ends_two_ids_proposes_neither():
    assert refusal(ids_of("a/1", "b/1"), 1) == "unknown task_id 1 (a number)"


def test_the_search_by_likeness_ends_so_that_a_wrong_file_is_refused_quickly():
    ids = ids_of("sort-list")
    messages = [refusal(ids, "sort_list") for _ in range(60)]
    assert sum("did you mean" in message for message in messages) == 50


@pytest.mark.parametrize(
    ("row", "field", "mode"),
    [
        ({"task_id": "a", "completion": "x"}, "completion", Mode.COMPLETION),
        ({"task_id": "a", "solution": "x"}, "solution", Mode.SOLUTION),
        ({"problem_id": "a", "text": "x"}, "text", Mode.CHAT),
        ({"problem_id": "a", "task_id": "a", "text": "x", "completion": "y"}, "completion", Mode.COMPLETION),
    ],
)
def test_the_name_of_the_field_says_what_the_text_is(row, field, mode):
    answer = read_answer(row, ids_of("a"))
    sample = to_sample(row, answer, 4)
    assert (answer.field, sample.mode, sample.index, sample.text) == (field, mode, 4, row[field])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"completion": "x"}, "'task_id' or 'problem_id' is missing"),
        ({"task_id": "a"}, "the text is missing"),
        ({"task_id": "a", "completion": None}, "'completion' must be a text, not null"),
        ({"task_id": "a", "completion": ["x"]}, "'completion' must be a text, not a list (['x'])"),
        ({"task_id": "a", "solution": None, "completion": "x"}, "'solution' must be a text, not null"),
        ({"task_id": "a", "problem_id": "b", "text": "x"}, "'problem_id' 'b' and 'task_id' 'a' differ"),
    ],
)
def test_a_row_without_one_clear_problem_and_text_is_refused(row, reason):
    with pytest.raises(BadSample) as caught:
        read_answer(row, ids_of("a", "b"))
    assert reason in str(caught.value)


def test_known_fields_are_read_and_everything_else_is_carried_through():
    row = {
        "task_id": "a",
        "solution": "x",
        "completion": "y",
        "model": "m",
        "tokens_in": 3,
        "seed": "odd",
        "tokens_out": True,
        "finish_reason": None,
        "sample_id": 7,
        "extra": {"k": 1},
    }
    sample = to_sample(row, read_answer(row, ids_of("a")), 0)
    assert (sample.model, sample.tokens_in, sample.seed, sample.tokens_out) == ("m", 3, None, None)
    assert sample.extra == {"completion": "y", "seed": "odd", "tokens_out": True, "sample_id": 7, "extra": {"k": 1}}


def test_an_unknown_id_knows_what_was_meant():
    with pytest.raises(UnknownProblem) as caught:
        ids_of("demo/2").match(2, "task_id")
    assert (caught.value.value, caught.value.meant) == (2, "demo/2")


def test_a_row_without_the_right_field_is_told_what_it_has():
    ids = ids_of("a")
    for row, told in (
        ({"task_id": "a", "code": ""}, "the text is missing: none of .* is given; it has 'task_id', 'code'$"),
        ({"id": "a", "solution": ""}, "'task_id' or 'problem_id' is missing; it has 'id', 'solution'$"),
        ({}, "is missing; it has no fields$"),
        ({f"f{n}": n for n in range(10)}, "it has 'f0', .*'f7' and 2 more$"),
    ):
        with pytest.raises(BadSample, match=told):
            read_answer(row, ids)
