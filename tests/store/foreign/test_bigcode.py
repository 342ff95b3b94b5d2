from __future__ import annotations

import gzip
import json

import msgspec
import pytest

from assay.benchmarks import select


def generations(count: int, samples: int = 2, first: int = 0) -> list:
    return [[f"def f{n}(n):\n    return {s}\n" for s in range(samples)] for n in range(first, first + count)]


def test_each_list_answers_the_problem_at_its_place_with_whole_programs(files):
    read = files.read(files.write(generations(6)))
    assert list(read.samples) == [f"HumanEval/{n}" for n in range(6)]
    assert read.samples["HumanEval/4"] == [(f"def f4(n):\n    return {s}\n", "solution") for s in range(2)]
    assert read.warnings == ()


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_it_may_be_indented_gzipped_and_begin_with_a_byte_order_mark(files, indent):
    data = json.dumps(generations(6), indent=indent).encode()
    plain = files.read(files.write(data))
    assert files.read(files.write(b"\xef\xbb\xbf" + data, "bom.json")).samples == plain.samples
    packed = files.read(files.write(gzip.compress(data), "packed"))
    assert packed == plain


def test_lists_that_are_empty_or_null_are_problems_whose_turn_had_not_come(files):
    lists = generations(6)
    lists[1], lists[2] = [], None
    assert list(files.read(files.write(lists)).samples) == [f"HumanEval/{n}" for n in (0, 3, 4, 5)]


@pytest.mark.parametrize(("count", "said"), [(5, "5 lists of programs for 6"), (7, "7 lists"), (0, "0 lists")])
def test_another_number_of_lists_than_problems_is_one_error_with_a_way_out(files, count, said):
    message = files.refused(files.write(generations(count)), skip=True)
    assert said in message
    assert "--limit" in message


def test_with_a_limit_the_file_may_have_just_so_many_lists_or_all(files):
    limited = files.benchmark(limit=2)
    for count in (2, 6):
        assert list(files.read(files.write(generations(count)), limited).samples) == ["HumanEval/0", "HumanEval/1"]
    assert "3 lists of programs for 2 chosen of 6 problems" in files.refused(files.write(generations(3)), limited)


def test_with_a_split_the_places_count_within_it(files):
    split = select(files.benchmark(), split="other")
    assert list(files.read(files.write(generations(1, first=5)), split).samples) == ["HumanEval/5"]


def test_invalid_problems_keep_their_place(files):
    read = files.read(files.write(generations(6)), files.benchmark(invalid=(1, 3)))
    assert list(read.samples) == [f"HumanEval/{n}" for n in (0, 2, 4, 5)]
    assert read.samples["HumanEval/4"][0][0].startswith("def f4")
    assert read.warnings == ("4 rows for invalid problems (they are not judged), first in [1][0]",)


def test_invalid_problems_count_for_a_limit_too(files):
    limited = files.benchmark(limit=2, invalid=(1,))
    read = files.read(files.write(generations(3)), limited)
    assert list(read.samples) == ["HumanEval/0", "HumanEval/2"]


def test_lists_that_begin_with_another_problem_are_refused(files):
    message = files.refused(files.write([*generations(5, first=1), ["x"]]), skip=True)
    assert "only 0 of 6 lists name the function that their problem asks for" in message


def test_a_few_programs_about_something_else_are_answers_like_others(files):
    lists = generations(6)
    lists[0] = lists[1] = ["I don't know"]
    assert files.read(files.write(lists)).samples["HumanEval/0"] == [("I don't know", "solution")]


def test_a_program_that_is_no_text_is_a_bad_row_with_its_place(files):
    lists = generations(6)
    lists[2] = [None, lists[2][0], 5]
    message = files.refused(files.write(lists))
    assert "[2][0]: the program of HumanEval/2 must be a text, not null" in message
    assert "[2][2]: the program of HumanEval/2 must be a text, not a number" in message
    assert "2 rows can't be used" in message
    read = files.read(files.write(lists), skip=True)
    assert len(read.samples["HumanEval/2"]) == 1


def test_lone_surrogates_come_through(files):
    lists = generations(6, samples=1)
    lists[0] = ["def f0(n):\n    return '\ud800'"]
    assert files.read(files.write(lists)).samples["HumanEval/0"][0] == (lists[0][0], "solution")


def test_without_a_known_order_there_is_no_way_to_tell_whose_lists_they_are(files):
    lost = msgspec.structs.replace(files.benchmark(invalid=(1,)), order=())
    assert "can't be told which list belongs to which problem" in files.refused(files.write(generations(6)), lost)
