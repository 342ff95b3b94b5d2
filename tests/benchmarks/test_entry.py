from __future__ import annotations

import pytest

from assay.benchmarks.entry import begins_program, defined_names, entry_of, entry_of_test


@pytest.mark.parametrize(
    ("test", "reference", "entry"),
    [
        ("assert f(1) == 2", "def g(): ...\ndef f(x): ...\ndef h(): ...", "f"),
        ("assert set(f([1])) == set([1])", "def f(x): ...", "f"),
        ("assert outer(inner(1)) == 1", "def inner(x): ...\ndef outer(x): ...", "outer"),
        ("assert sum([1]) == 1", "def sum(x): ...", "sum"),
        ("assert (Thing(1)).size == 1", "class Thing: ...\ndef helper(): ...", "Thing"),
        ("assert other(1)", "def a(): ...\ndef b(): ...", "b"),
        ("assert f(1)", "x = 1", None),
        ("not python", "def f(): ...", "f"),
    ],
)
def test_the_entry_point_is_the_name_that_the_test_calls_and_the_reference_defines(test, reference, entry):
    assert entry_of(test, reference) == entry


def test_without_a_reference_builtins_and_names_of_the_setup_are_no_entry_point():
    setup = "from math import isclose as near\nimport os.path\ndef help_me(): ...\nlimit = 3"
    assert entry_of_test("assert near(help_me(abs(limit(half(1)))), 2)", setup) == "half"
    assert entry_of_test("assert len([]) == 0", "") is None


def test_only_top_level_definitions_count():
    assert defined_names("def f():\n    def g(): ...\nclass C: ...\nasync def h(): ...") == ["f", "C", "h"]


@pytest.mark.parametrize(
    ("prompt", "entry_point", "begins"),
    [
        ('def f(n):\n    """Return n."""\n', "f", True),
        ("def f(n):", "f", True),
        ("if True:\n\tx = 1\ndef f(n):\n", "f", True),
        ("class Solution:\n    def f(self):\n        ...\n", "Solution.f", True),
        ('def g(n):\n    """Return n."""\n', "f", False),
        ("Write a function f(n).", "f", False),
        ('"""\nassert f(2) == 4\n"""\n', "f", False),
        ("def f(n):\n", None, False),
    ],
)
def test_a_prompt_is_code_only_if_it_defines_the_entry_point(prompt, entry_point, begins):
    assert begins_program(prompt, entry_point) is begins
