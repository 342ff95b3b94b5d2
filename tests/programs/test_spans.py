from __future__ import annotations

import json

import pytest

from assay.programs.grammar import Grammar
from assay.programs.spans import field_code, inline_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Use `f = len` here.", "f = len\n"),
        ("Not `f = 1` but ``f = 2``.", "f = 2\n"),
        ("So ```python def f(): return 1```", "def f(): return 1\n"),
        ("Call `f(1)`.", None),
        ("Use `f = (`.", None),
        ("f = len", None),
        ("`\nf = len`", None),
    ],
)
def test_the_last_span_that_provides_the_entry_point(text, code):
    assert inline_code(text, "f", Grammar()) == code


def test_a_whole_program_is_no_span():
    assert inline_code("`print(1)`", None, Grammar()) is None


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"code": "x", "solution": "y"}, "x"),
        ({"why": "z", "solution": "y"}, "y"),
        ({"code": 1, "program": "p"}, "p"),
        ({"why": "z"}, None),
        (["code"], None),
    ],
)
def test_the_first_field_that_holds_code(value, code):
    assert field_code(json.dumps(value)) == code


@pytest.mark.parametrize("text", ["{", "{'code': 'x'}", '{"code": "x"} and more', "{" * 100_000 + "}"])
def test_what_is_no_json_object_has_no_field(text):
    assert field_code(text) is None
