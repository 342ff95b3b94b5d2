from __future__ import annotations

from pathlib import Path

from assay.benchmarks import catalogue, recorded_samples
from assay.benchmarks.catalogue import NAMED
from assay.records import AssertTests, Problem


def split_of(number: str) -> str | None:
    problem = Problem(id=number, prompt="", tests=(AssertTests(cases=("assert f()",)),))
    return NAMED["mbpp"].with_split(problem).split


def test_the_catalogue_is_sorted_and_states_sizes_and_splits():
    known = {info.name: (info.problems, info.splits) for info in catalogue()}
    assert known == {
        "basics": (60, ()),
        "humaneval": (164, ("test",)),
        "humanevalplus": (164, ("test",)),
        "mbpp": (974, ("prompt", "test", "validation", "train")),
        "mbpp:sanitized": (427, ("prompt", "test", "validation", "train")),
        "mbppplus": (378, ("prompt", "test", "validation", "train")),
    }
    assert list(known) == sorted(known)


def test_the_splits_of_mbpp_lie_where_its_publishers_put_them():
    edges = ["1", "10", "11", "510", "511", "600", "601", "974"]
    expected = ["prompt", "prompt", "test", "test", "validation", "validation", "train", "train"]
    assert [split_of(number) for number in edges] == expected
    assert split_of("975") is None
    assert split_of("x") is None


def test_only_the_embedded_set_has_recorded_samples():
    assert Path(recorded_samples("basics") or "").is_file()
    assert recorded_samples("mbpp") is None
