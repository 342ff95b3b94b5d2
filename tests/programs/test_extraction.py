from __future__ import annotations

import json

import pytest

from assay.programs import extract
from assay.records import Mode

CODE = "def sq(n):\n    return n * n\n"
WRONG = "def sq(n):\n    return n\n"
OTHER = "print(sq(3))\n"
PROMPT = "from typing import List\n\ndef helper(n):\n    return n\n\ndef sq(n: List[int]):\n"


def code_of(answer: str, entry_point: str | None = "sq", prompt: str = "") -> str | None:
    return extract(answer, prompt, Mode.CHAT, entry_point).code


def how(answer: str, entry_point: str | None = "sq", prompt: str = "") -> str:
    return extract(answer, prompt, Mode.CHAT, entry_point).how


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{CODE}```",
        f"Sure!\n\n```python\n{CODE}```\nDone.".replace("\n", "\r\n"),
        f"```\n{CODE}```",
        f"```Py title='x'\n{CODE}\n\n```\n",
        f"```{{.python .numberLines}}\n{CODE}```\n",
        f"~~~ python3\n{CODE}~~~",
        f"````python\n{CODE}````",
        f"```python\n{CODE}",
        f"1. Look:\n   ```python\n   {CODE.replace(chr(10), chr(10) + '   ').rstrip(' ')}   ```\n",
        f"> ```python\n> {CODE.replace(chr(10), chr(10) + '> ').rstrip('> ')}> ```\n",
        f"```python\n{WRONG}```\nNo, rather:\n```python\n{CODE}```\nUse:\n```python\n{OTHER}```",
        f"```bash\npip install x\n```\n```python\n{CODE}```\n```js\nsq\n```",
        f"```python\n{CODE}```\n```python\ndef sq(n:\n```",
        f"```python\ndef sq(n):\n    return (\n```python\n{CODE}```",
        f"```\n```\n```\n```\n```\n```python\n{CODE}```",
        f"\ufeff\n\n{CODE}\n\n",
        CODE,
        f"Answer\n\n{CODE}\nNote: it squares.\n",
        f"Here:\n\n    {CODE.replace(chr(10), chr(10) + '    ').rstrip(' ')}\nDone.",
        f"[PYTHON]\n{CODE}[/PYTHON]\n[TESTS]\nassert sq(1) == 1\n[/TESTS]",
        f"[BEGIN]\n{CODE}[DONE]\n\nAnother task\n[BEGIN]\n{WRONG}",
        json.dumps({"why": "square", "code": CODE}),
        json.dumps({"code": f"```python\n{CODE}```"}),
    ],
)
def test_the_code_comes_out_to_the_byte(answer):
    assert code_of(answer) == CODE


def test_a_longer_fence_holds_a_shorter_one():
    code = 'def doc():\n    """\n    ```\n    x\n    ```\n    """\n'
    assert code_of(f"````python\n{code}````", "doc") == code


def test_a_first_line_that_is_indented_stays_so():
    assert code_of("```python\n\n    return n\n```") == "    return n\n"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the answer is empty"),
        (" \n\t", "the answer holds only blanks"),
        (" \n\u200b", "the answer holds only blanks"),
        ("```python\n\n```", "no block of the answer holds Python (tags: python)"),
        ("```js\nf()\n```\n```\n\n```", "no block of the answer holds Python (tags: js, none)"),
        ("<think>\n```python\nx = 1\n```", "the answer is still in its reasoning where it ends"),
        ("<|channel|>analysis<|message|>def sq(n): ...", "the answer has no final channel"),
    ],
)
def test_an_answer_without_python_says_why(answer, reason):
    found = extract(answer)
    assert (found.code, found.reason) == (None, reason)
    assert found.how.startswith("none")


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
    assert extract(answer, entry_point="sq") == (None, "none", "the answer holds words and no code")


@pytest.mark.parametrize(
    "answer",
    [
        "def sq(n:\n    return n * n",
        "Here it is:\n\ndef sq(n:\n    return n * n",
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
    assert extract(answer, entry_point="sq").code is not None


def test_without_an_entry_point_the_last_block_that_parses_is_taken():
    assert code_of(f"```\n{CODE}```\n```\nnot Python!\n```", None) == CODE


def test_a_lone_surrogate_survives():
    assert extract("```python\nx = '\ud800'\n```").code == "x = '\ud800'\n"


def corpus_mode(mode: str) -> Mode:
    return Mode.COMPLETION if mode == "completion" else Mode.CHAT


@pytest.mark.shared
def test_every_case_of_the_chat_corpus_comes_out_to_the_byte(shared):
    folder = shared / "corpus/chat"
    rows = [json.loads(line) for line in (folder / "index.jsonl").read_text("utf-8").splitlines()]
    wrong = {}
    for row in rows:
        text = (folder / f"{row['id']}.txt").read_bytes().decode()
        expected = (folder / f"{row['id']}.expected.py").read_bytes().decode()
        found = extract(text, row["prompt"] or "", corpus_mode(row["mode"]), row["entry_point"])
        if (found.code or "") != expected or (found.code is None) != (row["status"] == "no_code"):
            wrong[row["id"]] = found
    assert len(rows) == 44
    assert not wrong


@pytest.mark.parametrize(
    ("answer", "way"),
    [
        (f"```python\n{CODE}```", "fence"),
        (f"```python\n{CODE}", "open fence"),
        (f"Try:\n>>> {CODE.rstrip().replace(chr(10), chr(10) + '... ')}\n>>> sq(3)\n9\n", "session"),
        (f"```pycon\n>>> {CODE.rstrip().replace(chr(10), chr(10) + '... ')}\n```", "session"),
        (CODE, "whole"),
        (f"Answer:\n{CODE}", "lines"),
        ("Use `sq = len`.", "inline"),
        (f"<think>a</think>\n<answer>\n```python\n{CODE}```\n</answer>\n</s>", "fence + reasoning + tokens + wrapper"),
        (json.dumps({"code": CODE}), "whole + json"),
        ("```python\nsq = a &lt; b\n```", "fence + entities"),
        ("No.", "none"),
    ],
)
def test_how_code_was_found_is_told_with_every_step(answer, way):
    assert how(answer) == way


def test_what_a_prompt_gives_is_told():
    answer = f"```python\n{CODE}```"
    assert extract(answer, PROMPT, Mode.CHAT, "sq").how == "fence + prompt imports"
    assert extract("```python\n    return n\n```", PROMPT, Mode.CHAT, "sq") == (
        f"{PROMPT}    return n\n",
        "fence + body",
        "",
    )
    assert extract("    return n\n\nIt squares n.", PROMPT, Mode.CHAT, "sq").how == "whole + cut + body"
    assert extract(CODE, PROMPT, Mode.SOLUTION, "sq").how == "solution + prompt imports"
    assert extract("    return n\nprint(1)\n", PROMPT, Mode.COMPLETION, "sq").how == "completion + cut"


@pytest.mark.parametrize(
    ("prompt", "answer", "code"),
    [
        ("Solve:\n```python\n", f"{CODE}```\nDone.", CODE),
        ("Solve:\n```python\n", f"import math\n{CODE}", f"import math\n{CODE}"),
        ("Solve:\n```python\n", f"```python\n{CODE}```", CODE),
        ("Solve:\n```python\n", f"```\n{CODE}```", CODE),
        ("Solve:\n```\nsq(n)\n```\n", f"{CODE}", CODE),
        ("Solve:\n```python\ndef sq(n):\n", "    return n * n\n```\nDone.", CODE),
    ],
)
def test_an_answer_may_begin_within_a_block_that_its_prompt_opened(prompt, answer, code):
    assert extract(answer, prompt, Mode.CHAT, "sq").code == code


def test_how_an_answer_was_begun_may_be_given_beside_the_prompt():
    found = extract(f"{CODE}```", PROMPT, Mode.CHAT, "sq", prefill="Here:\n```python\n")
    assert found.how == "fence + prefill + prompt imports"
    begun = extract(
        "    return n * n\n```",
        PROMPT,
        Mode.CHAT,
        "sq",
        prefill=f"Here is the completed function:\n```python\n{PROMPT}\n",
    )
    assert begun.code == f"{PROMPT}\n    return n * n\n"


def test_a_wrapper_without_code_is_not_the_answer():
    assert code_of(f"```python\n{CODE}```\n<answer>See above.</answer>") == CODE


def test_lines_that_provide_the_entry_point_come_before_a_block_that_does_not():
    assert code_of(f"{CODE}\nUse it so:\n```python\n{OTHER}```") == CODE


def test_a_broken_program_is_handed_over_whole():
    program = "import sys\n\ndef main():\n    print(1)\n\nx = (\n\nmain()\n"
    assert code_of(program, None) == program


def test_a_refusal_in_a_block_of_words_is_handed_over_as_it_is():
    assert code_of("```\nI can't do that.\n```") == "I can't do that.\n"


SIZE = 10_000_000
HOSTILE = {
    "prose": "word ",
    "lines": "some words, others.\n",
    "bare fences": "```\n",
    "tagged fences": "```python\n",
    "blocks": "```js\nx\n```\n",
    "fences in strings": '```python\n"""\n```\n',
    "two kinds of fences": "~~~\n```\n",
    "quotations": "> ",
    "back-ticks": "`sq`` ",
    "thoughts": "<think>a</think>\n",
    "thoughts within a line": "a <think> ",
    "ends of thoughts": "</think>\n",
    "ends of thoughts within a line": "a </think> b\n",
    "end tokens": '"<|im_end|>" ',
    "wrappers": "<answer>\n",
    "marks in brackets": "[PYTHON]\nx\n",
    "calls": "f(1)\n",
    "open calls": "f(\n",
    "definitions": "def sq(n):\n    return n\n",
    "assignments": "sq = ",
    "labels": "a: b\n",
    "else": "else:\n",
    "decorators": "@a\n",
    "comments": "# x\n",
    "blanks": " \n",
    "prompts of a session": ">>> x = 1\n",
    "nothing": "\0",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_answer_is_read_in_linear_time(kind):
    text = HOSTILE[kind] * (SIZE // 200 // len(HOSTILE[kind]))
    for answer in (text, f"{text}\n\n```python\n{CODE}```\n", f"```python\n{CODE}```\n{text}"):
        assert extract(answer, PROMPT, Mode.CHAT, "sq").how


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_megabytes_of_anything_are_read(kind):
    text = HOSTILE[kind] * (SIZE // len(HOSTILE[kind]))
    assert extract(f"{text}\n\n```python\n{CODE}```\n", entry_point="sq").how
