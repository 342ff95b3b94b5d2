from __future__ import annotations

import pytest

from assay.programs.choice import Asked, Candidate, best_of, candidates_of, last_of, next_best_of, trim
from assay.programs.fences import blocks_of
from assay.programs.grammar import Grammar

F = "def f(n):\n    return n\n"


def candidates(*codes: str) -> list[Candidate]:
    return [Candidate(code, "fence") for code in codes]


def best(*codes: str, entry_point: str | None = "f", prompt: str = "") -> Candidate | None:
    return best_of(candidates(*codes), Asked(entry_point, prompt), Grammar())


def code_of(found: Candidate | None) -> str | None:
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("codes", "chosen"),
    [
        ((F,), F),
        (("def f(n): return 0\n", F), F),
        ((F, "print(f(1))\n"), F),
        ((F, "def f(:\n"), F),
        (("def g(): ...\n", "x = 1\n"), None),
        (("def f(:\n",), "def f(:\n"),
    ],
)
def test_the_last_block_that_is_python_and_provides_the_entry_point(codes, chosen):
    assert code_of(best(*codes)) == chosen


def test_blocks_that_provide_what_is_needed_come_first_in_their_order():
    imports, helper, chosen = "import math\n", "def g(n):\n    return math.sqrt(n)\n", "def f(n):\n    return g(n)\n"
    found = best(imports, "print(1)\n", helper, chosen)
    assert found == Candidate(f"{imports}\n{helper}\n{chosen}", "fence", ("joined",))


def test_the_nearest_provider_is_taken_and_one_behind_only_if_there_is_none_before():
    assert code_of(best("def g(): return 1\n", "def g(): return 2\n", "def f(): return g()\n")) == (
        "def g(): return 2\n\ndef f(): return g()\n"
    )
    assert code_of(best("def f(): return g()\n", "def g(): return 1\n")) == "def g(): return 1\n\ndef f(): return g()\n"


def test_what_the_prompt_or_python_provides_is_not_needed():
    prompt = "from typing import List\ndef f(n: List):\n    pass\n"
    found = best("from typing import List\n", "def f(n: List):\n    return len(n)\n", prompt=prompt)
    assert found is not None
    assert found.steps == ()


def test_an_indented_block_is_the_body_of_the_prompts_function():
    prompt = "def f(n):\n"
    assert code_of(best("    return n\n", "print(f(1))\n", prompt=prompt)) == "    return n\n"
    assert best("    return n\n", "print(1)\n") is None


def test_without_an_entry_point_the_last_block_that_does_something():
    assert code_of(best("print(1)\n", "5\n", "Sorry\n", entry_point=None)) == "print(1)\n"


def test_a_cut_block_that_begins_to_define_the_entry_point_comes_next():
    given = candidates("def f(:\n", "x = (\n")
    assert code_of(next_best_of(given, Asked("f", ""))) == "def f(:\n"
    assert next_best_of(given, Asked("g", "")) is None


def test_else_the_last_block_that_does_something_else_the_last():
    assert code_of(last_of(candidates("x = 1\n", "5\n", "(\n"), Grammar())) == "x = 1\n"
    assert code_of(last_of(candidates("(\n", "5\n"), Grammar())) == "5\n"
    assert last_of([], Grammar()) is None


@pytest.mark.parametrize(
    ("code", "decoded"),
    [
        ("x = a &lt;= b\n", "x = a <= b\n"),
        ("x = a &lt; b\n", "x = a < b\n"),
        ("if a &gt; b &amp;&amp; c: pass\n", None),
        ("x = s.replace('&lt;', '<')\n", None),
        ("# a &lt; b\nx = 1\n", None),
        ("x = a & lt; b = 1\n", None),
        ("x = &quot;a&quot;\n", 'x = "a"\n'),
        ("x = 1\n", None),
    ],
)
def test_entities_are_decoded_where_they_stand_for_code(code, decoded):
    (found,) = candidates_of(blocks_of(f"```python\n{code}```", Grammar()), Grammar())
    assert (found.code, found.steps) == ((code, ()) if decoded is None else (decoded, ("entities",)))


def test_other_languages_and_empty_blocks_are_no_candidates():
    text = "```js\nx\n```\n```python\n\n```\n```pycon\n>>> 1\n1\n```\n```\n>>> x = 1\n```"
    assert candidates_of(blocks_of(text, Grammar()), Grammar()) == [Candidate("x = 1\n", "session")]


@pytest.mark.parametrize(
    ("code", "trimmed"),
    [("\n \n  x\n\n", "  x\n"), ("\ufeff\u200bx = 1\u200b", "x = 1\n"), ("x  \n", "x\n"), ("", "\n")],
)
def test_edges_are_trimmed_and_the_first_lines_indentation_stays(code, trimmed):
    assert trim(code) == trimmed
