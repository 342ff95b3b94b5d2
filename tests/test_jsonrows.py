from __future__ import annotations

import io
import math

import pytest

from assay.errors import DataError
from assay.jsonrows import as_object, decode_row, read_chunks


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"null", "not an object but null"),
        (b"[1, 2]", "not an object but a list"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": 1, "a": 1}', "the key 'a' is given twice"),
        (b'{"a": {"b": 1, "b": 2}}', "the key 'b' is given twice"),
        (b'{"a": 1, "\\u0061": 2}', "the key 'a' is given twice"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8: byte 0xff"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a": "tab\there"}', "not JSON: Invalid control character"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "a number has more than 4,300 digits"),
    ],
)
def test_a_row_that_lenient_readers_would_bend_is_refused_with_its_reason(line: bytes, reason: str):
    with pytest.raises(ValueError, match=r".") as caught:
        decode_row(line)
    assert reason in str(caught.value)


def test_a_cut_row_is_wrong_at_its_own_column():
    for end in (b"", b"\n", b"\r\n"):
        with pytest.raises(ValueError, match=r"^not JSON: Expecting value at column 8$"):
            decode_row(b'{"id": ' + end)


def test_lone_surrogates_and_unicode_line_ends_are_data():
    assert decode_row(b'{"a": "x\\ud800y", "b": "\xe2\x80\xa8"}') == {"a": "x\ud800y", "b": "\u2028"}


def test_constants_are_numbers_where_they_are_allowed():
    row = as_object('{"a": [NaN, -Infinity]}', constants=True)
    assert math.isnan(row["a"][0])
    assert row["a"][1] == -math.inf


def test_the_chunks_of_a_source_are_its_bytes():
    data = bytes(range(256)) * 20_000
    assert b"".join(read_chunks(io.BytesIO(data), "a")) == data


def test_a_line_is_measured_over_the_edges_of_chunks(monkeypatch):
    monkeypatch.setattr("assay.jsonrows.MAX_LINE_BYTES", 3 << 20)
    fits = b"x\n" + b"y" * (3 << 20) + b"\n" + b"z" * (3 << 20)
    assert b"".join(read_chunks(io.BytesIO(fits), "a")) == fits
    for data, line in ((fits + b"z", 3), (fits.replace(b"y\n", b"yy\n"), 2)):
        with pytest.raises(DataError, match=f"a:{line}: the line is longer than 3 MiB"):
            list(read_chunks(io.BytesIO(data), "a"))


def test_a_source_that_has_nothing_yet_has_not_ended():
    class Waiting:
        def read(self, _: int, /) -> bytes | None:
            return None

    with pytest.raises(BlockingIOError):
        list(read_chunks(Waiting(), "a"))
