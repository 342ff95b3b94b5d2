from __future__ import annotations

import io

import pytest

from assay.errors import DataError
from assay.store.foreign import documents
from assay.store.foreign.documents import decode_value, read_document


def test_a_value_may_hold_what_pythons_own_writer_puts_out():
    assert decode_value(b'\xef\xbb\xbf {"a": [NaN, -Infinity, "\\ud800"]}\n')["a"][2] == "\ud800"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'[1,\n "a', "not JSON: Unterminated string starting at at line 2 column 2"),
        (b'{"a": 1, "a": 2}', "the key 'a' is given twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'["\xff"]', "not UTF-8: byte 0xff"),
        (b"", "not JSON"),
        (b"[" + b"1" * 5000 + b"]", "a number has more than 4,300 digits"),
    ],
)
def test_what_is_no_value_is_a_value_error(data, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        decode_value(data)


def test_a_document_is_read_from_its_beginning_and_not_beyond_its_bounds(monkeypatch):
    handle = io.BytesIO(b'["abc"]')
    handle.seek(3)
    assert read_document(handle, "x") == ["abc"]
    monkeypatch.setattr(documents, "MAX_DOCUMENT_BYTES", 6)
    with pytest.raises(DataError, match="larger than"):
        read_document(handle, "x")
