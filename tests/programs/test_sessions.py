from __future__ import annotations

import pytest

from assay.programs.grammar import Grammar
from assay.programs.sessions import LINES, code_of_session


@pytest.mark.parametrize(
    ("session", "code"),
    [
        (">>> x = 1\n>>> x\n1\n>>> y = 2\n", "x = 1\ny = 2\n"),
        ("  >>> def f():\n  ...     return 1\n  ...\n  >>> f()\n  1\n", "def f():\n    return 1\n"),
        (">>> if x:\n...   y = 1\n... else:\n...   y = 2\n", "if x:\n  y = 1\nelse:\n  y = 2\n"),
        (">>> print(1)\n1\n", ""),
        (">>>x = 1\n>>>\n", "x = 1\n"),
        ("... x = 1\nx = 2\n", ""),
        (">>> def f(:\n", "def f(:\n"),
    ],
)
def test_what_was_typed_and_defines_something(session, code):
    assert code_of_session(session, Grammar()) == code


def test_a_session_without_end_is_read_only_so_far():
    assert code_of_session(">>> x = 1\n" * (LINES + 9), Grammar()).count("x") == LINES
