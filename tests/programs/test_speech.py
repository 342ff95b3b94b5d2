from __future__ import annotations

import pytest

from assay.programs.speech import answer_in, without_wrapper

FINAL = "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>x = 1<|return|>"


@pytest.mark.parametrize(
    ("text", "answer", "steps"),
    [
        ("x = 1", "x = 1", ()),
        ("<think>a</think>x = 1", "x = 1", ("reasoning",)),
        (" <THINKING>a</Thinking>\nx", "\nx", ("reasoning",)),
        ("<think>a</think><think>b</think>x", "x", ("reasoning",)),
        ("Well.\n<reasoning>a</reasoning>x", "Well.\nx", ("reasoning",)),
        ("a</think>b</think>x", "x", ("reasoning",)),
        ("```python\na\n</think>\nx", "\nx", ("reasoning",)),
        ("[THINK]a[/THINK]x", "x", ("reasoning",)),
        ("\u25c1think\u25b7a\u25c1/think\u25b7x", "x", ("reasoning",)),
        (FINAL, "x = 1", ("channel",)),
        ("analysisLet me see.assistantfinalx = 1", "x = 1", ("channel",)),
        ("<|channel|>final <|constrain|>json<|message|>x", "x", ("channel",)),
        ("x = 1<|im_end|>\n<|im_start|>user", "x = 1", ("tokens",)),
        ("x = 1</s></s>\n", "x = 1", ("tokens",)),
        ("x = 1 <eos>\n</s> \n", "x = 1 ", ("tokens",)),
        ("<|im_start|>assistant\nx", "\nx", ("tokens",)),
        ("x\n[DONE]\n\nNext", "x\n", ("tokens",)),
        ("<think>a</think>x<|eot_id|>", "x", ("reasoning", "tokens")),
    ],
)
def test_what_is_no_answer_is_left_away(text, answer, steps):
    assert answer_in(text)[:2] == (answer, steps)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = '<think>'\n```",
        "```python\n<think>\n```",
        "x = '</think>'",
        "```python\nx = s.split('</think>')\n```",
        "```python\n# up to </think> it is reasoning\n```",
        "s = '<|im_end|>' + t",
        "I <think> so",
        '```python\nx = """\n<s>old</s>\n"""\n```',
        "x = '<answer>'",
        "x[DONE]",
    ],
)
def test_marks_within_code_are_code(text):
    assert answer_in(text) == (text, (), "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<think>\n```python\nx = 1\n```", "the answer is still in its reasoning where it ends"),
        ("<think>a</think>\n<think>b", "the answer is still in its reasoning where it ends"),
        ("<|channel|>analysis<|message|>x = 1", "the answer has no final channel"),
    ],
)
def test_an_answer_that_never_came_is_none(text, reason):
    speech = answer_in(text)
    assert (speech.answer, speech.reason) == (None, reason)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("a\n<answer>x</answer>\nb", "x"),
        ("<answer>\nx\n", "\nx\n"),
        ("x", "x"),
        ("```xml\n<answer>\nx\n```", "```xml\n<answer>\nx\n```"),
        ("s = '<answer>'", "s = '<answer>'"),
    ],
)
def test_a_wrapper_outside_of_blocks_is_taken_off(text, inner):
    assert without_wrapper(text) == inner
