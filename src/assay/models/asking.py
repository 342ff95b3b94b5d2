"""What a model is: something that answers questions. The nouns that every backend shares, and the seed of each answer.

What holds: a backend gives at least one answer or raises `ModelError`, and never more than it was asked for have to be taken: who asks
counts the answers and asks again for the rest. So a server that caps the number of answers, or ignores it, needs no case of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from assay.records import Mode, Record
from assay.records.base import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.models.prompting import Prompt
    from assay.records import Problem

_SEED_BITS = 31


class Question(NamedTuple):
    """What one request asks: a problem, its prompt (None for models that need none), and which of the problem's answers are wanted.

    `draws` count from 0; there is one seed for all of them, so a question with a seed has one draw.
    """

    problem: Problem
    prompt: Prompt | None
    draws: tuple[int, ...]
    seed: int | None = None


class Answer(Record):
    """One answer: what the model wrote after the prompt and its prefill.

    `mode` says what the text is where the prompt does not. `tokens_out` is None where a server counts them for several answers together.
    `fields` are further fields of the sample's row.
    """

    text: str
    mode: Mode | None = None
    finish_reason: str | None = None
    tokens_out: int | None = None
    fields: dict[str, Any] = msgspec.field(default_factory=dict)


class Reply(Record):
    """The answers to one question, at least one. `tokens_in` and `tokens_out` are what the server counted for all of them together.

    `exact` is false where `tokens_out` may be too small: some servers count one answer of several.
    """

    answers: tuple[Answer, ...]
    tokens_in: int | None = None
    tokens_out: int | None = None
    exact: bool = True


class Model(Protocol):
    """Answers questions; made by `open_model`."""

    label: str
    """What samples say of who wrote them."""
    server: str | None
    """Where it is asked, without any key; None where there is no server."""
    needs_prompt: bool
    """Whether a question must have a prompt."""

    async def ask(self, question: Question) -> Reply:
        """Asks once, with such tries as the backend makes by itself.

        Raises:
            ModelError: There is no answer; `retryable` says whether the same question may have one later.
        """

    async def close(self) -> None:
        """Lets go of connections and memory."""


def draw_seed(seed: int, problem_id: str, draw: int) -> int:
    """The seed of one answer, 0 to 2**31 - 1: the same whatever was asked before it, so that an interrupted run ends as any other.

    >>> draw_seed(0, "basics/1", 0) == draw_seed(0, "basics/1", 0) != draw_seed(0, "basics/1", 1)
    True
    """
    return int(digest(f"draw {seed} {draw}", problem_id), 16) % (1 << _SEED_BITS)


def row_of(question: Question, answer: Answer, label: str) -> Mapping[str, Any]:
    """The row of an answer in a sample file, without its problem's id and without the tokens of the prompt."""
    row: dict[str, Any] = {}
    if question.prompt is not None and answer.mode is None:
        row |= question.prompt.sample_fields(answer.text)
    else:
        row[_FIELDS[answer.mode or Mode.CHAT]] = answer.text
    row |= {"model": label, "finish_reason": answer.finish_reason, "tokens_out": answer.tokens_out}
    return {key: value for key, value in (row | answer.fields).items() if value is not None}


_FIELDS = {Mode.SOLUTION: "solution", Mode.COMPLETION: "completion", Mode.CHAT: "text"}
