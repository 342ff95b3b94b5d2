from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from assay.errors import DataError, StoreError
from assay.records import AssertTests, Benchmark, Generation, Problem, Sampling, Unanswered
from assay.store import open_sample_log, open_samples

BENCHMARK = Benchmark(
    name="b",
    version=None,
    digest="d",
    problems=tuple(Problem(id=name, prompt="p", tests=(AssertTests(cases=("assert f",)),)) for name in "ab"),
)
GENERATION = Generation(
    created="now",
    benchmark="b",
    benchmark_version=None,
    benchmark_digest="d",
    split=None,
    limit=None,
    per_problem=2,
    model="openai:m",
    server="http://localhost/v1",
    style="s@1",
    style_digest="x",
    shots=(),
    sampling=Sampling(temperature=0.8),
    versions={},
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "s.jsonl"


def open_log(path, generation=GENERATION, **more):
    return open_sample_log(path, generation, BENCHMARK, **more)


def rows(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_answer_is_in_the_file_when_append_returns(path) -> None:
    with open_log(path) as log:
        log.append("a", 1, {"text": "x", "model": "m"})
        assert rows(path) == [{"problem_id": "a", "text": "x", "model": "m", "draw": 1}]


def test_the_sample_is_what_the_file_gives_back(path) -> None:
    given = [("a", 1, {"text": "x", "tokens_out": 3}), ("b", 0, {"solution": "y"}), ("a", 0, {"completion": "\ud800é"})]
    with open_log(path) as log:
        appended = [log.append(*each) for each in given]
    with open_samples(str(path), BENCHMARK) as samples:
        assert [*samples.read("a"), *samples.read("b")] == [appended[0], appended[2], appended[1]]


def test_it_goes_on_with_what_is_there(path) -> None:
    with open_log(path) as log:
        log.append("a", 1, {"text": "x"})
    with open_log(path) as log:
        assert (set(log.drawn("a")), set(log.drawn("b"))) == ({1}, set())
        assert log.append("a", 0, {"text": "y"}).index == 1
    assert [row["text"] for row in rows(path)] == ["x", "y"]


def test_a_row_that_a_kill_cut_off_is_removed(path) -> None:
    with open_log(path) as log:
        log.append("a", 0, {"text": "x"})
    with path.open("ab") as file:
        file.write(b'{"problem_id": "a", "text": "hal')
    with open_log(path) as log:
        assert set(log.drawn("a")) == {0}
        log.append("a", 1, {"text": "y"})
    assert [row["text"] for row in rows(path)] == ["x", "y"]


def test_a_long_row_that_lacks_only_its_end_is_kept(path) -> None:
    text = "x" * 3_000_000
    with open_log(path) as log:
        log.append("a", 0, {"text": "first"})
        log.append("a", 1, {"text": text})
    os.truncate(path, path.stat().st_size - 1)
    with open_log(path) as log:
        assert set(log.drawn("a")) == {0, 1}
        log.append("b", 0, {"text": "y"})
    assert [row["text"] for row in rows(path)] == ["first", text, "y"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model": "openai:other"}, "model: 'openai:m' there, 'openai:other' now"),
        ({"style_digest": "y"}, "style_digest"),
        ({"shots": ("a",)}, "shots"),
        ({"benchmark_digest": "e"}, "benchmark_digest"),
        ({"sampling": Sampling(temperature=0.2)}, "sampling.temperature: 0.8 there, 0.2 now"),
        ({"sampling": Sampling(temperature=0.8, seed=1)}, "sampling.seed"),
    ],
)
def test_answers_drawn_in_another_way_are_refused(path, change: dict, told: str) -> None:
    with open_log(path) as log:
        log.append("a", 0, {"text": "x"})
    with pytest.raises(StoreError, match=told):
        open_log(path, msgspec.structs.replace(GENERATION, **change))
    assert len(rows(path)) == 1


@pytest.mark.parametrize(
    "change", [{"per_problem": 9}, {"server": "http://other/v1"}, {"split": "test", "limit": 3}, {"created": "later"}]
)
def test_what_decides_no_single_answer_may_differ(path, change: dict) -> None:
    open_log(path).close()
    open_log(path, msgspec.structs.replace(GENERATION, **change)).close()
    manifest = json.loads(path.with_name("s.generation.json").read_text())
    assert manifest["created"] == "now"


def test_fresh_sets_the_old_answers_aside(path) -> None:
    with open_log(path) as log:
        log.append("a", 0, {"text": "x"})
    with open_log(path, msgspec.structs.replace(GENERATION, model="openai:other"), fresh=True) as log:
        assert not log.drawn("a")
        log.append("a", 0, {"text": "y"})
    assert [row["text"] for row in rows(path)] == ["y"]
    assert [row["text"] for row in rows(path.with_name("s.previous.jsonl"))] == ["x"]


def test_a_sample_file_of_somebody_else_is_not_gone_on_with(path) -> None:
    path.parent.mkdir()
    path.write_text('{"problem_id": "a", "text": "x"}\n')
    with pytest.raises(StoreError, match=r"without s\.generation\.json"):
        open_log(path)


def test_two_processes_do_not_write_one_file(path) -> None:
    with open_log(path), pytest.raises(StoreError, match="another process"):
        open_log(path)


def test_rows_of_other_problems_are_an_error(path) -> None:
    open_log(path).close()
    path.write_text('{"problem_id": "z", "text": "x", "draw": 0}\n')
    with pytest.raises(DataError, match="unknown"):
        open_log(path)


def test_rows_without_a_number_take_the_free_ones(path) -> None:
    open_log(path).close()
    path.write_text(
        "".join(f'{{"problem_id": "a", "text": "x"{more}}}\n' for more in ("", ', "draw": 5', "", ', "draw": 5'))
    )
    with open_log(path) as log:
        assert set(log.drawn("a")) == {0, 1, 2, 5}


def test_errors_are_no_samples_and_are_those_of_the_last_run(path) -> None:
    error = Unanswered(problem_id="a", draws=(0, 1), error="too long", status=400)
    with open_log(path) as log:
        log.append_error(error)
    (row,) = rows(path.with_name("s.errors.jsonl"))
    assert row == msgspec.to_builtins(error) | {"draws": [0, 1]}
    assert rows(path) == []
    open_log(path).close()
    assert not path.with_name("s.errors.jsonl").exists()


@pytest.mark.parametrize("end", [".generation.json", ".errors.jsonl"])
def test_no_file_is_reached_through_a_link(path, end: str) -> None:
    path.parent.mkdir()
    target = path.parent / "target"
    target.write_text("mine")
    path.with_name(f"s{end}").symlink_to(target)
    if end == ".errors.jsonl":  # it is made anew for each run, so the link itself goes
        open_log(path).close()
    else:
        with pytest.raises(StoreError, match="symbolic link"):
            open_log(path)
    assert target.read_text() == "mine"


WRITER = """
import sys
sys.path.insert(0, {tests!r})
import test_sample_log as t
log = t.open_log({path!r})
for draw in range(10**6):
    log.append("a", draw, {{"text": "x" * 300}})
    print(draw, flush=True)
"""


def test_a_kill_loses_nothing_that_was_told(path) -> None:
    code = WRITER.format(tests=str(Path(__file__).parent), path=str(path))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as writer:
        told = [int(next(writer.stdout)) for _ in range(200)]
        writer.send_signal(signal.SIGKILL)
    with open_log(path) as log:
        assert set(told) <= set(log.drawn("a"))
