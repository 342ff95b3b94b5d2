"""What of a model's text is its answer: not its reasoning, not other channels, not the marks of the chat format.

What holds: marks are literal text. Only those count that stand before the first fenced block or on a line of their own outside of one: the
same words within the code of the answer are code.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

REASONING = "reasoning"
CHANNEL = "channel"
TOKENS = "tokens"
WRAPPER = "wrapper"

_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "seed:think")
_PAIRS = (
    *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
)
"""What opens and closes a reasoning span, as models in use write it."""

_CLOSING = {opening.lower(): re.compile(re.escape(closing), re.IGNORECASE) for opening, closing in _PAIRS}
_OPENINGS = "(" + "|".join(re.escape(opening) for opening, _ in _PAIRS) + ")"
_OPENING_HERE = re.compile(r"\s*+" + _OPENINGS, re.IGNORECASE)
_OPENING_LINE = re.compile(r"^[ \t]*+" + _OPENINGS, re.IGNORECASE | re.MULTILINE)
_CLOSING_TAG = re.compile("|".join(re.escape(closing) for _, closing in _PAIRS), re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*+(?:>[ \t>]*+)?(?:`{3}|~{3})", re.MULTILINE)

_END_TOKENS = (
    "<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|EOT|>", "<|end|>", "<|return|>", "<|endofmask|>", "<|eom_id|>",
    "<|end_of_turn|>", "<|file_separator|>", "<|end_of_sentence|>", "<|end_of_solution|>", "<\uff5cend\u2581of\u2581sentence\uff5c>",
)  # fmt: skip
_LAST_TOKENS = (*_END_TOKENS, "</s>", "<eos>", "<end_of_turn>", "<file_sep>")
"""Some look like tags that a program may hold: these end an answer only where nothing comes after them."""

_START_TOKENS = (
    "<|im_start|>assistant", "<|assistant|>", "<|start_header_id|>assistant<|end_header_id|>", "<start_of_turn>model", "<|begin_of_text|>",
    "<\uff5cbegin\u2581of\u2581sentence\uff5c>", "<|begin_of_solution|>", "[/INST]", "<s>", "<bos>",
)  # fmt: skip
_AT_START = re.compile(r"\s*+(?:" + "|".join(map(re.escape, _START_TOKENS + _LAST_TOKENS)) + ")")
_AT_LINE_END = re.compile(
    "(?:" + "|".join(map(re.escape, _END_TOKENS)) + r")[ \t]*+(?:$|(?=<))|^\[DONE\][ \t]*+$", re.MULTILINE
)
"""An end token, or the end mark of MBPP's own prompt, at the end of a line: amid a line it may be part of a string."""

_LONE_CLOSINGS = 1_000
"""Closing tags without an opening that are looked at."""

_TOKENS = 10_000
"""End tokens in a row that are taken off."""

_WRAPPER = re.compile(r"^[ \t]*+<(?:answer|final_answer|solution)>", re.MULTILINE)
_WRAPPER_END = re.compile(r"</(?:answer|final_answer|solution)>[ \t]*+$", re.MULTILINE)
_MESSAGE = "<|message|>"
_FINAL = re.compile(r"<\|channel\|>\s*+final[^<\n]*+(?:<\|constrain\|>[^<\n]*+)?<\|message\|>")
_MESSAGE_END = re.compile(r"<\|(?:end|return|start|call|channel)\|>")
_BARE_FINAL = "assistantfinal"


_SIGNS = ("<", "[/", "[THINK]", "[think]", "[DONE]", "\u25c1")
"""One of these is in every text that holds anything to be left away."""


class Speech(NamedTuple):
    """The answer within a text, None where it never came; and what was left away to get it."""

    answer: str | None
    steps: tuple[str, ...] = ()
    reason: str = ""


def answer_in(text: str) -> Speech:
    r"""The answer, without reasoning, other channels and chat tokens.

    >>> answer_in("<think>n + n?</think>\nn * n<|im_end|>")
    Speech(answer='\nn * n', steps=('reasoning', 'tokens'), reason='')
    """
    steps: list[str] = []
    final = _final_channel(text)
    if final is not None:
        text, steps = final, [CHANNEL]
    elif _speaks_in_channels(text):
        return Speech(None, (CHANNEL,), "the answer has no final channel")
    if not any(sign in text for sign in _SIGNS):
        return Speech(text, tuple(steps))
    text = _after_start_tokens(text, steps)
    said = _without_reasoning(text)
    if said is None:
        return Speech(None, (*steps, REASONING), "the answer is still in its reasoning where it ends")
    if said != text:
        steps.append(REASONING)
    said = _up_to_end_token(_after_start_tokens(said, steps), steps)
    return Speech(said, tuple(dict.fromkeys(steps)))


def without_wrapper(text: str) -> str:
    r"""The text within `<answer>` and `</answer>`, where these begin and end a line outside of fenced blocks; else the text.

    >>> without_wrapper("So:\n<answer>\nf = len\n</answer>").strip()
    'f = len'
    """
    opening = _WRAPPER.search(text) if "<" in text else None
    if opening is None or len(_FENCE.findall(text, 0, opening.start())) % 2 == 1:
        return text
    closings = [found.start() for found in _WRAPPER_END.finditer(text, opening.end())]
    return text[opening.end() : closings[-1] if closings else len(text)]


def _speaks_in_channels(text: str) -> bool:
    head = text.lstrip()[:400]
    return head.startswith(("<|channel|>", "<|start|>assistant<|channel|>")) and _MESSAGE in head


def _final_channel(text: str) -> str | None:
    """What the last final channel says; also where the server took the marks away and left the channels' names."""
    if _speaks_in_channels(text):
        begins = [found.end() for found in _FINAL.finditer(text)]
        if not begins:
            return None
        end = _MESSAGE_END.search(text, begins[-1])
        return text[begins[-1] : end.start() if end else len(text)]
    if text.startswith("analysis") and _BARE_FINAL in text:
        return text.rpartition(_BARE_FINAL)[2]
    return None


def _after_start_tokens(text: str, steps: list[str]) -> str:
    at = 0
    while (found := _AT_START.match(text, at)) is not None:
        at = found.end()
    if at:
        steps.append(TOKENS)
    return text[at:]


def _up_to_end_token(text: str, steps: list[str]) -> str:
    """The text before the first end token at the end of a line (what follows it is another document), and without those at its end."""
    found = _AT_LINE_END.search(text)
    end = found.start() if found else len(text)
    for _ in range(_TOKENS):
        last = _before_blanks(text, end)
        token = next((each for each in _LAST_TOKENS if text.endswith(each, 0, last)), None)
        if token is None:
            break
        end = last - len(token)
    if text[end : end + 1] == "<" or found:
        steps.append(TOKENS)
    return text[:end]


def _before_blanks(text: str, end: int) -> int:
    size = 16
    while end and text[end - 1].isspace():
        end = max(0, end - size) + len(text[max(0, end - size) : end].rstrip())
        size *= 2
    return end


def _without_reasoning(text: str) -> str | None:
    """The text without its reasoning spans; None where one is never closed."""
    kept: list[str] = []
    at = _after_lone_closings(text)
    fence = _first_fence(text, at)
    while True:
        fence = _first_fence(text, at) if fence < at else fence
        opening = _OPENING_HERE.match(text, at) or _OPENING_LINE.search(text, at, fence)
        if opening is None:
            return "".join((*kept, text[at:]))
        kept.append(text[at : opening.start()])
        closing = _CLOSING[opening[1].lower()].search(text, opening.end())
        if closing is None:
            return None
        at = closing.end()


def _first_fence(text: str, at: int) -> int:
    found = _FENCE.search(text, at)
    return found.start() if found else len(text)


def _after_lone_closings(text: str) -> int:
    """Where the answer begins after closing tags whose opening the prompt held; 0 where there are none."""
    at = fences = 0
    for found in islice(_CLOSING_TAG.finditer(text), _LONE_CLOSINGS):
        if _OPENING_HERE.match(text, at) or _OPENING_LINE.search(text, at, found.start()):
            break
        fences += len(_FENCE.findall(text, at, found.start()))
        if _is_within_code(text, found, is_in_block=fences % 2 == 1):
            break
        at = found.end()
    return at


def _is_within_code(text: str, tag: re.Match[str], *, is_in_block: bool) -> bool:
    """Whether a tag is part of a line of code: it stands between quotes, or not alone on a line of a fenced block."""
    if text[tag.start() - 1 : tag.start()] in ("'", '"') and text[tag.end() : tag.end() + 1] in ("'", '"'):
        return True
    if not is_in_block:
        return False
    line_start, line_end = text.rfind("\n", 0, tag.start()) + 1, text.find("\n", tag.end())
    return (text[line_start : tag.start()] + text[tag.end() : line_end if line_end >= 0 else len(text)]).strip() != ""
