from __future__ import annotations

import pytest

from assay.programs.completion import complete
from assay.programs.grammar import Grammar

PROMPT = 'def f(n):\n    """Double n."""\n'


def completed(text: str, prompt: str = PROMPT, entry_point: str | None = "f"):
    return complete(prompt, text, entry_point, Grammar())


@pytest.mark.parametrize(
    "text",
    [
        "    return n\n",
        "    return n\n\n\n",
        "    return g(n)\n\ndef g(n):\n    return h + n\n\nh = 1\n",
        "    return n\n# a comment\n",
        "    return n\nimport math\n",
        "    return (\nn\n)\n",
        "x = 1\n",
        "print(1)\n",
        "",
        "    return '\ud800'\nprint(1)\n",
    ],
)
def test_what_belongs_to_the_answer_stays_byte_for_byte(text):
    assert completed(text) == (PROMPT + text, False)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("    return n\n\nprint(f(1))\n", "    return n\n"),
        ("    return n\n\n\ndef other():\n    pass\n", "    return n\n"),
        ("    return n\n\n@wraps\ndef other(): ...\n", "    return n\n"),
        ("    return g(n)\n\ndef g(n): ...\n\nassert f(1)\n\ndef h(): ...\n", "    return g(n)\n\ndef g(n): ...\n"),
        ("    return n\n\nThis doubles n (twice.\n", "    return n\n"),
        ("    return n\n```\n", "    return n\n"),
        ("    return n\n\ndef f(n):\n    return 0\n", "    return n\n"),
        ("    return n\n\nif __name__ == '__main__':\n    print(f(1))\n", "    return n\n"),
    ],
)
def test_the_answer_ends_before_what_it_does_not_need(text, kept):
    assert completed(text) == (PROMPT + kept, True)


def test_a_function_that_the_model_wrote_anew_is_the_answer():
    again = "def f(n):\n    return 2 * n\n"
    assert completed(f"{again}\nprint(f(1))\n") == (PROMPT + again, True)


def test_a_completion_that_stands_alone_ends_likewise():
    assert completed("def f(n):\n    return n\n\nprint(1)\n", prompt="") == ("def f(n):\n    return n\n", True)
    assert completed("x = 1\nprint(x)\n", prompt="") == ("x = 1\nprint(x)\n", False)


def test_a_whole_program_is_never_cut():
    assert completed("print(1)\nx y\n", prompt="", entry_point=None) == ("print(1)\nx y\n", False)
