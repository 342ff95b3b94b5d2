from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from assay.benchmarks.rowfiles import read_rows
from assay.errors import DataError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path


def rows_of(path: Path, data: bytes):
    path.write_bytes(data)
    return read_rows(str(path))


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}\n\n{"a": "\xe2\x80\xa8"}\r\n',
        b'\xef\xbb\xbf{"a": 1}\n   \n{"a": "\xe2\x80\xa8"}',
        gzip.compress(b'{"a": 1}\n\n{"a": "\xe2\x80\xa8"}\n'),
        b'\n [{"a": 1},\n\n\n{"a": "\xe2\x80\xa8"}] \n',
        gzip.compress(b'[{"a":1},{"a":"\xe2\x80\xa8"}]'),
    ],
)
def test_every_container_gives_the_same_rows(tmp_path, data):
    rows, bad = rows_of(tmp_path / "rows", data)
    assert [row for _, row in rows] == [{"a": 1}, {"a": "\u2028"}]
    assert bad == []


def test_rows_carry_the_line_on_which_they_begin(tmp_path):
    rows, _ = rows_of(tmp_path / "a.jsonl", b'\n{"a": 1}\n\n{"a": 2}\n')
    assert [line for line, _ in rows] == [2, 4]
    rows, _ = rows_of(tmp_path / "a.json", b'[\n{"a":\n 1},\n\n{"a": 2}, {"a": 3}\n]\n')
    assert [line for line, _ in rows] == [2, 5, 5]


def test_lines_that_hold_no_row_are_all_listed(tmp_path):
    rows, bad = rows_of(tmp_path / "a.jsonl", b'null\n{"a": 1}\n{"a": 1, "a": 2}\n{"a"')
    assert len(rows) == 1
    assert [row.line for row in bad] == [1, 3, 4]
    _, bad = rows_of(tmp_path / "a.json", b'[\n{"a": 1},\n3\n]')
    assert [(row.line, row.reason) for row in bad] == [(3, "not an object but a number")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'[{"a": 1},\n{"a": 2}', "a:2: the array is broken: ',' or ']' expected"),
        (b'[{"a": 1},\n{"a": 2', "a:2: the array is broken"),
        (b'[{"a": 1},]', "a:1: the array is broken"),
        (b"[" * 100_000, "a:1: nested too deeply"),
        (b'[{"a": 1, "a": 1}]', "the key 'a' is given twice"),
        (b'[{"a": 1}] x', "something stands behind the array"),
        (b"\x1f\x8bno gzip", "not a whole gzip file"),
        (gzip.compress(b'{"a": 1}')[:-4], "not a whole gzip file"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_broken_container_is_one_clear_error(tmp_path, data, reason):
    with pytest.raises(DataError) as caught:
        rows_of(tmp_path / "a", data)
    assert reason in str(caught.value)


@pytest.mark.parametrize("container", [lambda data: data, gzip.compress])
def test_a_line_without_end_is_refused_by_its_number(tmp_path, monkeypatch, container):
    monkeypatch.setattr("assay.jsonrows.MAX_LINE_BYTES", 2 << 20)
    with pytest.raises(DataError, match="a:3: the line is longer than 2 MiB"):
        rows_of(tmp_path / "a", container(b'{"a": 1}\n\n' + bytes(3 << 20)))
    with pytest.raises(DataError, match="/dev/zero:1: the line is longer than 2 MiB"):
        read_rows("/dev/zero")


def test_more_than_memory_should_hold_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.benchmarks.rowfiles.MAX_BYTES", 100)
    with pytest.raises(DataError, match="holds more than"):
        rows_of(tmp_path / "a", b"{}\n" * 50)


def test_an_empty_array_has_no_rows(tmp_path):
    assert rows_of(tmp_path / "a", b" [ ] ") == ([], [])


def test_a_file_that_cannot_be_opened_is_the_users_to_correct(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        read_rows(str(tmp_path / "none.jsonl"))
    with pytest.raises(SettingsError, match="Is a directory"):
        read_rows(str(tmp_path))


@pytest.mark.parametrize(
    ("begin", "kind"), [(b"PAR1", "a parquet file"), (b"ARROW1", "an Arrow file"), (b"PK\x03\x04", "a zip file")]
)
def test_a_file_in_a_form_that_is_not_read_is_called_by_its_name(tmp_path, begin, kind):
    with pytest.raises(DataError, match=f"rows: is {kind}") as caught:
        rows_of(tmp_path / "rows", begin + b"\x15\x04\xff")
    assert ".jsonl" in str(caught.value.hint)
    assert "hub" in str(caught.value.hint)
