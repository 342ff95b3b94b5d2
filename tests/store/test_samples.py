from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import threading
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.benchmarks import from_rows, load, recorded_samples, select
from assay.errors import DataError, SettingsError, StoreError
from assay.records import Mode
from assay.store.samples import open_samples

PROBLEMS = [{"id": f"p/{number}", "prompt": "p", "tests": ["assert f()"], "split": "test"} for number in range(1, 13)]
ROWS = [
    {"task_id": "p/2", "solution": "a"},
    {"task_id": "p/10", "completion": "b", "sample_id": 9},
    {"problem_id": "p/2", "text": "c", "model": "m"},
]


def benchmark():
    return from_rows(PROBLEMS)


def lines(rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def file(tmp_path):
    def write(rows, name="samples.jsonl") -> str:
        path = tmp_path / name
        path.write_bytes(rows if isinstance(rows, bytes) else lines(rows))
        return str(path)

    return write


def refusal(path: str, problems=None, **options) -> DataError:
    with pytest.raises(DataError) as caught:
        open_samples(path, problems or benchmark(), **options)
    return caught.value


def texts(samples, problem_id: str) -> list[tuple[int, str]]:
    return [(sample.index, sample.text) for sample in samples.read(problem_id)]


def test_samples_are_numbered_within_their_problem_in_the_order_of_the_file(file):
    with open_samples(file(ROWS), benchmark()) as samples:
        assert texts(samples, "p/2") == [(0, "a"), (1, "c")]
        assert texts(samples, "p/10") == [(0, "b")]
        assert texts(samples, "p/1") == []
        assert (samples.count, samples.indices("p/2"), samples.indices("p/1")) == (3, range(2), range(0))
        assert next(samples.read("p/10")).extra == {"sample_id": 9}


def test_problems_come_as_they_appear_or_in_natural_order_and_the_missing_are_named(file):
    rows = [{"task_id": name, "solution": "x"} for name in ("p/10", "p/2", "p/1", "p/10")]
    with open_samples(file(rows), benchmark()) as samples:
        assert samples.problem_ids() == ("p/10", "p/2", "p/1")
        assert samples.problem_ids(natural=True) == ("p/1", "p/2", "p/10")
        assert samples.missing == tuple(f"p/{number}" for number in (3, 4, 5, 6, 7, 8, 9, 11, 12))


@pytest.fixture
def short_lines(monkeypatch):
    for module in ("assay.jsonrows", "assay.store.sample_source"):
        monkeypatch.setattr(f"{module}.MAX_LINE_BYTES", 2 << 20)


@pytest.mark.usefixtures("short_lines")
@pytest.mark.parametrize("container", [lambda data: data, gzip.compress])
@pytest.mark.parametrize("skip", [True, False])
def test_a_line_without_end_is_refused_by_its_number(file, container, skip):
    path = file(container(lines(ROWS[:2]) + b" " * (3 << 20)))
    assert f"{path}:3: the line is longer than 2 MiB" in str(refusal(path, skip_bad_rows=skip))


@pytest.mark.usefixtures("short_lines")
def test_a_line_of_just_the_greatest_length_is_read(file):
    row = lines(ROWS[:1])[:-1]
    data = row + b" " * ((2 << 20) - len(row)) + b"\n"
    for path in (file(data), file(gzip.compress(data), "b.gz")):
        with open_samples(path, benchmark()) as samples:
            assert samples.count == 1
    assert "longer than" in str(refusal(file(data[:-1] + b" ")))


@pytest.mark.usefixtures("short_lines")
def test_devices_and_pipes_without_end_are_refused(tmp_path):
    assert "/dev/zero:1: the line is longer than 2 MiB" in str(refusal("/dev/zero"))
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    feeder = threading.Thread(target=_feed_for_ever, args=(pipe,))
    feeder.start()
    assert f"{pipe}:2: the line is longer than 2 MiB" in str(refusal(pipe))
    feeder.join()


def _feed_for_ever(pipe: str) -> None:
    with contextlib.suppress(BrokenPipeError), Path(pipe).open("wb", buffering=0) as out:
        out.write(b"\n")
        while True:
            out.write(b"x" * 65536)


def test_a_pipe_that_does_not_wait_is_not_taken_for_one_that_has_ended(monkeypatch):
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb") as stdin:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stdin))
        with pytest.raises(SettingsError, match="temporarily unavailable"):
            open_samples("-", benchmark())
    os.close(writer)


def test_gzip_a_pipe_and_standard_input_give_what_the_plain_file_gives(file, tmp_path, monkeypatch):
    data = lines(ROWS)
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    paths = [
        file(data),
        file(gzip.compress(data), "b.gz"),
        file(gzip.compress(data[:31]) + gzip.compress(data[31:]), "c"),
    ]
    for path in (*paths, pipe, "-"):
        feeder = threading.Thread(target=Path(pipe).write_bytes, args=(data,))
        if path == pipe:
            feeder.start()
        (tmp_path / "stdin").write_bytes(gzip.compress(data))
        with (tmp_path / "stdin").open("rb") as stdin:
            monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stdin))
            with open_samples(path, benchmark()) as samples:
                assert samples.digest == hashlib.sha256(data).hexdigest()
                assert texts(samples, "p/2") == [(0, "a"), (1, "c")]
        if path == pipe:
            feeder.join()


def test_a_cut_gzip_file_is_one_clear_error(file):
    assert "not a whole gzip file" in str(refusal(file(gzip.compress(lines(ROWS))[:-6])))
    assert "not a whole gzip file" in str(refusal(file(b"\x1f\x8bxxxxxxxxxxxxxxxxx")))


def test_a_file_that_cannot_be_opened_is_the_users_to_correct(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        open_samples(str(tmp_path / "none"), benchmark())
    assert "the folder holds no programs" in str(refusal(str(tmp_path)))


def test_all_bad_rows_are_listed_and_none_is_handed_out(file):
    path = file(lines(ROWS) + b'null\n\n{"task_id": "p/1"}\n{"task_id": "p/1", "solution": "x"}\n{"task_id": "p/')
    error = refusal(path)
    assert [row.line for row in error.rows] == [4, 6, 8]
    assert error.rows[-1].reason.startswith("the last line is cut: not JSON")
    assert error.exit_status == 2
    assert "--skip-bad-rows" in str(error)
    with open_samples(path, benchmark(), skip_bad_rows=True) as samples:
        assert samples.count == 4
        assert [row.line for row in samples.bad_rows] == [4, 6, 8]
        assert samples.warnings == ("3 rows bad and skipped, first in line 4",)


def test_a_whole_last_line_needs_no_line_end(file):
    with open_samples(file(lines(ROWS)[:-1]), benchmark()) as samples:
        assert samples.count == 3


def test_a_byte_order_mark_may_begin_the_file_and_nothing_else(file):
    with open_samples(file(b"\xef\xbb\xbf" + lines(ROWS)), benchmark()) as samples:
        assert texts(samples, "p/2") == [(0, "a"), (1, "c")]
    assert [row.line for row in refusal(file(lines(ROWS) + b"\xef\xbb\xbf" + lines(ROWS))).rows] == [4]


def test_only_a_line_feed_ends_a_line(file):
    data = '{"task_id": "p/1", "solution": "a\u2028b"}\r\n{"task_id": "p/1", "solution":\r"c\\u000cd"}\n'.encode()
    with open_samples(file(data), benchmark()) as samples:
        assert texts(samples, "p/1") == [(0, "a\u2028b"), (1, "c\fd")]


def test_an_empty_file_is_a_warning_and_everything_is_missing(file):
    with open_samples(file(b""), benchmark()) as samples:
        assert samples.count == 0
        assert len(samples.missing) == 12
        assert samples.warnings == ("there are no samples of the problems to be judged",)


def test_a_file_whose_ids_are_all_unknown_is_refused_even_if_bad_rows_are_skipped(file):
    rows = [{"task_id": number, "solution": "x"} for number in (1, 2, 1)]
    error = refusal(file(rows), skip_bad_rows=True)
    assert "2 of 2 ids unknown; did you mean p/1?" in str(error)


def test_samples_of_problems_that_are_not_judged_are_left_out_with_a_warning(file):
    rows = [*PROBLEMS, {"id": "q", "prompt": "p", "entry_point": "f", "tests": ["assert ("]}]
    narrowed = select(from_rows(rows), limit=3)
    answers = [*ROWS, {"task_id": "q", "solution": "x"}]
    with open_samples(file(answers), narrowed) as samples:
        assert samples.problem_ids() == ("p/2",)
        assert samples.count == 2
        assert samples.missing == ("p/1", "p/3")
        assert samples.warnings == (
            "1 row for problems that the split or limit leaves out (they are not judged), first in line 2",
            "1 row for invalid problems (they are not judged), first in line 4",
        )


def test_two_texts_in_a_row_are_worth_a_warning_and_solution_wins(file):
    with open_samples(file([{"task_id": "p/1", "completion": "b", "solution": "a"}]), benchmark()) as samples:
        (sample,) = samples.read("p/1")
        assert (sample.text, sample.mode, sample.extra) == ("a", Mode.SOLUTION, {"completion": "b"})
        assert "solution wins" in samples.warnings[0]


def test_a_file_that_changes_under_our_hands_is_noticed(file):
    path = file(ROWS)
    with open_samples(path, benchmark()) as samples:
        with open(path, "r+b") as handle:  # noqa: PTH123 (r+b keeps the file that is being read)
            handle.write(lines(ROWS[1:]))
        with pytest.raises(StoreError, match="the file was changed"):
            list(samples.read("p/2"))


def test_a_row_that_became_another_problems_is_noticed(file):
    rows = [{"task_id": name, "solution": "x"} for name in ("p/1", "p/2")]
    path = file(rows)
    with open_samples(path, benchmark()) as samples:
        Path(path).write_bytes(lines(rows[::-1]))
        with pytest.raises(StoreError, match="the file was changed"):
            list(samples.read("p/1"))


def test_rows_may_be_read_from_several_problems_at_once(file):
    rows = [{"task_id": f"p/{number % 3 + 1}", "solution": str(number)} for number in range(30)]
    with open_samples(file(rows), benchmark()) as samples:
        readers = [samples.read(f"p/{number}") for number in (1, 2, 3)]
        mixed = [sample.text for group in zip(*readers, strict=True) for sample in group]
    assert mixed == [str(number) for number in range(30)]


def test_memory_does_not_grow_with_the_text(file):
    rows = [{"task_id": f"p/{number % 12 + 1}", "solution": "x" * 2000} for number in range(5000)]
    path = file(rows)
    tracemalloc.start()
    try:
        with open_samples(path, benchmark()) as samples:
            held, peak = tracemalloc.get_traced_memory()
            assert samples.count == 5000
    finally:
        tracemalloc.stop()
    assert held < 300_000
    assert peak < 1_000_000


def test_the_recorded_samples_of_the_embedded_set_are_good():
    with open_samples(recorded_samples("basics") or "", load("basics")) as samples:
        assert samples.missing == ()
        assert samples.warnings == ()


@pytest.mark.shared
def test_odd_rows_are_treated_as_the_corpus_says(shared):
    folder = shared / "corpus/samples-odd"
    problems = load(str(folder / "problems.jsonl"))
    path = str(folder / "samples.jsonl")
    error = refusal(path, problems)
    assert [row.line for row in error.rows] == [5, 6, 8, 9, 10, 15, 16, 17, 18, 19, 20, 22]
    reasons = {row.line: row.reason for row in error.rows}
    assert "did you mean 'demo/2'?" in reasons[9]
    assert "'demo/99'" in reasons[10]
    assert "given twice" in reasons[18]
    assert "' demo/1 '" in reasons[20]
    assert "cut" in reasons[22]
    with open_samples(path, problems, skip_bad_rows=True) as samples:
        assert {name: len(samples.indices(name)) for name in samples.problem_ids()} == {
            "demo/0": 3,
            "demo/1": 4,
            "demo/2": 1,
        }
        assert [sample.mode for sample in samples.read("demo/0")] == [Mode.COMPLETION, Mode.COMPLETION, Mode.SOLUTION]
        assert [sample.text for sample in samples.read("demo/1")][1:3] == ["a\ud800b", "line\u2028sep"]
        assert list(samples.read("demo/1"))[3].extra == {"extra": {"tokens": 5}}
        assert "line 12" in samples.warnings[0]


@pytest.mark.shared
def test_ids_match_as_the_corpus_says(shared):
    folder = shared / "corpus/ids"
    path = str(folder / "samples-a.jsonl")
    with open_samples(path, load(str(folder / "problems-int.jsonl"))) as samples:
        assert samples.problem_ids() == ("2", "10")
        assert "by a number, others by text" in samples.warnings[0]
    error = refusal(path, load(str(folder / "problems-prefixed.jsonl")), skip_bad_rows=True)
    assert "2 of 2 ids unknown; did you mean Mbpp/2?" in str(error)


@pytest.mark.shared
def test_prefixed_ids_of_the_corpus_match_exactly_or_not_at_all(shared, file):
    problems = load(str(shared / "corpus/ids/problems-prefixed.jsonl"))
    error = refusal(file([{"task_id": "Mbpp/2", "solution": "x"}, {"task_id": "MBPP/10", "solution": "x"}]), problems)
    assert [(row.line, row.reason) for row in error.rows] == [(2, "unknown task_id 'MBPP/10'; did you mean 'Mbpp/10'?")]


@pytest.mark.shared
def test_five_thousand_real_samples_of_mbpp_are_found_by_their_prefixed_ids(shared):
    problems = load("mbpp", data=str(shared / "data/benchmarks/mbpp/problems.jsonl.gz"), split="test")
    with open_samples(str(shared / "data/qwen3_mbpp/samples-qwen3-base.jsonl.gz"), problems) as samples:
        assert samples.count == 5000
        assert samples.missing == ()
        assert all(len(samples.indices(name)) == 10 for name in samples.problem_ids())
        assert "prefix" in samples.warnings[0]


def test_standard_input_that_is_no_file_is_copied(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(lines(ROWS))))
    with open_samples("-", benchmark()) as samples:
        assert texts(samples, "p/2") == [(0, "a"), (1, "c")]
