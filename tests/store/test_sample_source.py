from __future__ import annotations

import hashlib
import io

import pytest

from assay.errors import DataError
from assay.store import sample_source
from assay.store.sample_source import Line, Lines


def test_lines_come_with_their_number_and_place_and_blank_ones_are_passed_over():
    data = b'\xef\xbb\xbf{"a": 1}\r\n\n  \t\r\nsecond\nlast'
    lines = Lines(io.BytesIO(data), "x")
    found = list(lines)
    assert found == [Line(1, 3, b'{"a": 1}\r\n'), Line(4, 19, b"second\n"), Line(5, 26, b"last")]
    assert all(data[line.offset :].startswith(line.data) for line in found)
    assert lines.digest() == hashlib.sha256(data).hexdigest()


def test_lines_are_read_from_the_beginning_wherever_the_file_stands():
    handle = io.BytesIO(b"a\nb\n")
    handle.read(3)
    assert [line.data for line in Lines(handle, "x")] == [b"a\n", b"b\n"]


def test_a_line_without_bounds_is_an_error_with_its_number(monkeypatch):
    monkeypatch.setattr(sample_source, "MAX_LINE_BYTES", 10)
    assert len(list(Lines(io.BytesIO(b"\n" + b"x" * 10 + b"\n"), "x"))) == 1
    with pytest.raises(DataError, match="x:2: the line is longer than"):
        list(Lines(io.BytesIO(b"\n" + b"x" * 12 + b"\n"), "x"))
