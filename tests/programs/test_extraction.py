from __future__ import annotations

import json

import pytest

from assay.programs import extract

CODE = "def sq(n):\n    return n * n\n"
WRONG = "def sq(n):\n    return n\n"
OTHER = "print(sq(3))\n"

SIMPLE_RULES = frozenset("01 02 04 05 07 08 10 11 14 19 26 28 29 31 32 35 37 38 49 50 52 56 62 64".split())
"""The corpus' cases that the simple extractor gets right to the byte; the others wait for the full one."""


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{CODE}```",
        f"Sure!\r\n\r\n```python\r\n{CODE}```\r\nDone.".replace("\r\n", "\n").replace("\n", "\r\n"),
        f"```\n{CODE}```",
        f"```Py title='x'\n{CODE}\n\n```\n",
        f"~~~ python3\n{CODE}~~~",
        f"````python\n{CODE}````",
        f"```python\n{CODE}",
        f"1. Look:\n   ```python\n   {CODE.replace(chr(10), chr(10) + '   ').rstrip(' ')}   ```\n",
        f"```python\n{WRONG}```\nNo, rather:\n```python\n{CODE}```\nUse:\n```python\n{OTHER}```",
        f"```bash\npip install x\n```\n```python\n{CODE}```\n```js\nsq\n```",
        f"```python\n{CODE}```\n```python\ndef sq(n:\n```",
        f"\ufeff\n\n{CODE}\n\n",
        CODE,
    ],
)
def test_the_code_comes_out_to_the_byte(answer):
    assert extract(answer, "sq").code == CODE


def test_a_longer_fence_holds_a_shorter_one():
    code = 'def doc():\n    """\n    ```\n    x\n    ```\n    """\n'
    assert extract(f"````python\n{code}````").code == code


def test_a_first_line_that_is_indented_stays_so():
    assert extract("```python\n\n    return n\n```").code == "    return n\n"


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        ("", "the answer holds only blanks"),
        (" \n\u200b", "the answer holds only blanks"),
        ("```python\n\n```", "no block of the answer holds Python (tags: python)"),
        ("```js\nf()\n```\n```\n\n```", "no block of the answer holds Python (tags: js, none)"),
    ],
)
def test_an_answer_without_python_says_why(answer, how):
    assert extract(answer) == (None, how)


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know.",
        "Sorry",
        "42",
        "yes or no",
        "I can't:\n- sorry\n- it is too hard",
        '"None"',
        "    Sorry, no idea.",
    ],
)
def test_words_alone_are_no_code(answer):
    assert extract(answer, "sq") == (None, "the answer holds words and no code")


@pytest.mark.parametrize(
    "answer",
    [
        "def sq(n:\n    return n * n",
        "Here it is:\n\ndef sq(n):\n    return n * n",
        "sq = lambda n: n * n",
        "sq: object = (",
        "import math\nno python",
        "print(f'{sq(3)!x}')\nfor",
        "print(input())",
        "if x:\n    pass",
        "    total = 0\n    for n in range(3)\n",
        "    n * n if n else f(n)",
        "class Sq:\n  def",
        "@cache\n",
        "# only a comment",
    ],
)
def test_what_is_meant_as_code_stays_code_however_broken(answer):
    assert extract(answer, "sq").how == "chat: whole text"


def test_without_an_entry_point_the_last_block_that_parses_is_taken():
    assert extract(f"```\n{CODE}```\n```\nnot Python!\n```").code == CODE


def test_a_lone_surrogate_survives():
    assert extract("```python\nx = '\ud800'\n```").code == "x = '\ud800'\n"


@pytest.mark.shared
def test_the_simple_cases_of_the_chat_corpus_come_out_as_expected(shared):
    folder = shared / "corpus/chat"
    rows = [json.loads(line) for line in (folder / "index.jsonl").read_text("utf-8").splitlines()]
    right = set()
    for row in rows:
        text = (folder / f"{row['id']}.txt").read_bytes().decode()
        expected = (folder / f"{row['id']}.expected.py").read_bytes().decode()
        if (extract(text, row["entry_point"]).code or "") == expected:
            right.add(row["id"])
    assert right >= SIMPLE_RULES
