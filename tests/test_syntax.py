from __future__ import annotations

import warnings

import pytest

from assay.syntax import parse_python


@pytest.mark.parametrize("source", ["def f(:", "x = '\0'", "s = '\ud800'", "(" * 5000, "-" * 100_000 + "1"])
def test_bad_source_is_none_and_never_an_exception(source: str):
    assert parse_python(source) is None


def test_odd_escapes_of_foreign_code_warn_nobody():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_python(r"pattern = '\d'") is not None
