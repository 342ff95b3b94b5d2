from __future__ import annotations

import pytest

from assay.programs.grammar import Grammar
from assay.programs.runs import longest_run

CODE = "def f(n):\n    return n\n"


def run(text: str, entry_point: str | None = "f") -> str | None:
    return longest_run(text, entry_point, Grammar())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (CODE, CODE),
        (f"Here it is:\n{CODE}Bye!", CODE),
        (f"Answer\n{CODE}t", CODE),
        (f"Note: this\n{CODE}", CODE),
        (f"import m\n\n\n@m.cache\n\n{CODE}\nx = f(1)\n", f"import m\n\n\n@m.cache\n\n{CODE}\nx = f(1)\n"),
        (f"x = (\n1,\n2\n)\n{CODE}", f"x = (\n1,\n2\n)\n{CODE}"),
        (f'"""\nprose at the margin\n"""\n{CODE}', f'"""\nprose at the margin\n"""\n{CODE}'),
        (
            f"try:\n    import m\nexcept ImportError:\n    m = 1\n{CODE}",
            f"try:\n    import m\nexcept ImportError:\n    m = 1\n{CODE}",
        ),
        (f"foo(bar\n{CODE}", CODE),
        (f"{CODE}print(f(", CODE),
        ("So:\n\n    def f(n):\n        return n\n\nOK.", f"\n{CODE}"),
        ("    def f(n):\n        return n\n", CODE),
        (
            "def f(n): return 0\n\nNo:\n\ndef f(n):\n    # better\n    return n\n",
            "def f(n):\n    # better\n    return n\n",
        ),
        ("def f(n): return 0\n\nOr as well:\n\ndef f(n): return n\n", "def f(n): return n\n"),
        (f"# Title\n{CODE}", f"# Title\n{CODE}"),
    ],
)
def test_the_longest_run_of_code_that_provides_the_entry_point(text, code):
    assert run(text) == code


@pytest.mark.parametrize("text", ["f is a function.", "def f(n:\n    return n", "def g(n): ...", ""])
def test_without_such_a_run_there_is_none(text):
    assert run(text) is None


def test_without_an_entry_point_any_code_that_does_something_is_a_run():
    assert run("Program\nprint(input())\nDone.", None) == "print(input())\n"
    assert run("Hello\nworld", None) is None


def test_code_far_from_the_definition_is_not_looked_at_and_the_run_is_found_all_the_same():
    text = "some prose here.\n" * 50_000 + CODE + "more prose here.\n" * 50_000
    assert run(text) == CODE


def test_prose_within_prose_is_looked_into_only_so_deep():
    text = "".join(" " * depth + "a b\n" for depth in range(1, 400)) + CODE
    assert run(text) == CODE
