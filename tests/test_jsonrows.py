from __future__ import annotations

import math

import pytest

from assay.jsonrows import as_object, decode_row


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
        (b'{"a": 1' + b"0" * 5000 + b"}", "4300"),
    ],
)
def test_a_row_that_lenient_readers_would_bend_is_refused_with_its_reason(line: bytes, reason: str):
    with pytest.raises(ValueError, match=r".") as caught:
        decode_row(line)
    assert reason in str(caught.value)


def test_lone_surrogates_and_unicode_line_ends_are_data():
    assert decode_row(b'{"a": "x\\ud800y", "b": "\xe2\x80\xa8"}') == {"a": "x\ud800y", "b": "\u2028"}


def test_constants_are_numbers_where_they_are_allowed():
    row = as_object('{"a": [NaN, -Infinity]}', constants=True)
    assert math.isnan(row["a"][0])
    assert row["a"][1] == -math.inf
