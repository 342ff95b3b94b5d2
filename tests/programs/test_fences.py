from __future__ import annotations

import pytest

from assay.programs.fences import FENCES, blocks_of, open_block, without_bare_runs
from assay.programs.grammar import Grammar


def blocks(text: str) -> list[tuple[str, str, bool]]:
    return [(block.tag, block.code, block.closed) for block in blocks_of(text, Grammar())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```\na\n```", [("", "a\n", True)]),
        ("~~~ Python\na\n~~~~", [("python", "a\n", True)]),
        ("```{.python}\na\n```", [("python", "a\n", True)]),
        ("```python:src/a.py\na\n```", [("python", "a\n", True)]),
        ('```python title="a.py"\na\n```', [("python", "a\n", True)]),
        ("```c++\na\n```", [("c++", "a\n", True)]),
        ("```\n~~~\n```", [("", "~~~\n", True)]),
        ("````\n```\n````", [("", "```\n", True)]),
        ("```\na", [("", "a", False)]),
        ("```js\na\n```\n```py\nb\n```", [("js", "a\n", True), ("py", "b\n", True)]),
        ("  ```\n  a\n    b\n  ```", [("", "a\n  b\n", True)]),
        ("  ```\na\n  b\n  ```", [("", "a\n  b\n", True)]),
        ("> > ```\n> > a\n> >  b\n> > ```", [("", "a\n b\n", True)]),
        ("```python def f(): ...\n```", [("python", "def f(): ...\n", True)]),
        ("```def f():\n    ...\n```", [("", "def f():\n    ...\n", True)]),
        ("say ```x``` and\n```\na\n```", [("", "a\n", True)]),
        ("```x``` is\n```\na\n```", [("", "a\n", True)]),
        ("text ```\na\n```", [("", "", False)]),
        ("```python\na\n```python\nb\n```", [("python", "a\n", False), ("python", "b\n", True)]),
        ("[PYTHON]\na\n[/PYTHON]\n[TEST]\nb\n[/TEST]", [("python", "a\n", True), ("tests", "b\n", True)]),
        ("[BEGIN]\na\n", [("python", "a\n", False)]),
        ("[PYTHON]\n```\na\n```\n[/PYTHON]", [("", "a\n", True)]),
        ("no fence", []),
    ],
)
def test_blocks_of_every_make(text, found):
    assert blocks(text) == found


def test_a_fence_within_a_string_does_not_end_the_block():
    code = 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    return 1\n'
    assert blocks(f"```python\n{code}```\nDone.") == [("python", code, True)]


def test_a_string_that_was_cut_does_not_swallow_the_next_block():
    cut, code = 'def f():\n    """Cut', 'def f():\n    """Whole."""\n'
    found = blocks(f"```python\n{cut}\n```\nAgain:\n```python\n{code}```")
    assert found == [("python", f"{cut}\n", True), ("python", code, True)]


def test_a_string_in_another_language_is_no_string():
    assert blocks('```text\n"""\n```\na\n```\n"""\n```') == [("text", '"""\n', True), ("", '"""\n', True)]


def test_a_block_knows_where_it_stands():
    text = "a\n```\nb\n```\nc"
    (block,) = blocks_of(text, Grammar())
    assert text[block.start : block.end] == "```\nb\n```"


def test_fences_beyond_the_most_are_not_looked_at_and_hold_nothing():
    found = blocks_of("```js\n" * FENCES + "```python\nx = 1\n```\n", Grammar())
    assert all("x = 1" not in block.code for block in found)


@pytest.mark.parametrize(("given", "left"), [(3, 1), (4, 2), (1000, 2), (1001, 1), (2, 2)])
def test_runs_of_bare_fences_keep_what_they_open(given, left):
    assert without_bare_runs("```\n" * given + "a") == "```\n" * left + "a"


@pytest.mark.parametrize(
    ("prompt", "opened"),
    [
        ("Solve.", ""),
        ("Solve.\n```python\n", "```python\n"),
        ("Solve.\n```python", "```python\n"),
        ("```\nf(n)\n```\nSo:\n```python\ndef f(n):\n", "```python\ndef f(n):\n"),
        ("```\nf(n)\n```\n", ""),
    ],
)
def test_a_prompt_opens_a_block_if_it_does_not_close_it(prompt, opened):
    assert open_block(prompt) == opened
