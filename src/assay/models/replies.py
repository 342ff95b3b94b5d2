"""What an OpenAI-compatible server sends back, read with patience: servers differ, and what is missing must not pass for an answer.

What holds: a reply without answers, one that is an error in disguise, or a stream that ends before its answers do is an `OddReply`, which
may be asked for again; half an answer is never taken for a whole one, nor is a content that is no text. A null content, or a message that
has none, is an answer without text: the model, or a filter before it, said nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assay.models.asking import Answer, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = 300
_BROKEN_OFF = ("error", "abort", "cancelled")
"""Reasons of servers that gave an answer up half-way."""


class OddReply(Exception):
    """The server said 200 and sent no answer; the message says what it sent."""


def read_reply(body: bytes, prefill: str = "") -> Reply:
    """The answers in the body of a reply to a chat or a completion request.

    Args:
        body: The bytes.
        prefill: How the answer was begun for the model: taken off where the server gives it back.

    Raises:
        OddReply: There are none.
    """
    row = _as_object(body)
    usage = row.get("usage") if isinstance(row.get("usage"), dict) else {}
    assert isinstance(usage, dict)
    tokens_out = _count(usage.get("completion_tokens"))
    alone = len(_list(row.get("choices"))) == 1
    answers = _answers(row, prefill, tokens_out if alone else None)
    return Reply(answers=answers, tokens_in=_count(usage.get("prompt_tokens")), tokens_out=tokens_out, exact=alone)


def _answers(row: Mapping[str, Any], prefill: str, tokens_out: int | None) -> tuple[Answer, ...]:
    """The answers among the choices. Odd ones are left out, to be asked for again, unless there are no others."""
    choices = [choice for choice in _list(row.get("choices")) if _is_whole(choice)]
    if not choices:
        raise OddReply(_complaint(row))
    answers, odd = [], []
    for choice in choices:
        try:
            answers.append(_answer(choice, prefill, tokens_out))
        except OddReply as error:
            odd.append(error)
    if not answers:
        raise odd[0]
    return tuple(answers)


def _as_object(body: bytes) -> dict[str, Any]:
    try:
        row = json.loads(body)
    except (ValueError, RecursionError):
        raise OddReply(f"the reply is no JSON: {body[:_SHOWN].decode('utf-8', 'replace')!r}") from None
    if not isinstance(row, dict):
        raise OddReply(f"the reply is no object: {str(row)[:_SHOWN]}")
    return row


def _list(value: object) -> list[Any]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _is_whole(choice: Mapping[str, Any]) -> bool:
    return choice.get("finish_reason") not in _BROKEN_OFF and not choice.get("error")


def _complaint(row: Mapping[str, Any]) -> str:
    if row.get("error"):
        return f"the reply is an error: {error_text(row)}"
    broken = [choice for choice in _list(row.get("choices")) if not _is_whole(choice)]
    if broken:
        return f"the server broke the answer off: {error_text(broken[0]) if broken[0].get('error') else broken[0]['finish_reason']}"
    return "the reply has no choices"


def error_text(row: object) -> str:
    """What an error object says, in any of the forms that servers use; cut to a length."""
    found: object = row
    for key in ("error", "message", "detail"):
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    return (found if isinstance(found, str) else json.dumps(found))[: 2 * _SHOWN]


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _answer(choice: Mapping[str, Any], prefill: str, tokens_out: int | None) -> Answer:
    """The answer of one choice, of chat (`message`) or of completion (`text`)."""
    said = _said(choice)
    text = text_of(said.get("content") if "message" in choice else said.get("text"))
    if prefill and text.startswith(prefill):
        text = text[len(prefill) :]
    reason = choice.get("finish_reason")
    kept = {"reasoning": said.get("reasoning_content") or said.get("reasoning"), "refusal": said.get("refusal")}
    fields = {key: value for key, value in kept.items() if isinstance(value, str) and value}
    return Answer(
        text=text, finish_reason=reason if isinstance(reason, str) else None, tokens_out=tokens_out, fields=fields
    )


def _said(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """What holds a choice's text: its message, which may hold none, or the choice itself, which then must."""
    if "message" in choice:
        message = choice["message"]
        if not isinstance(message, dict) or not message:
            raise OddReply(f"the message of an answer is none: {_shown(message)}")
        return message
    if not isinstance(choice.get("text"), str):
        raise OddReply(f"an answer has neither message nor text: {_shown(choice)}")
    return choice


def text_of(content: object) -> str:
    """The text of a message's content: a text, null, or a list of parts of which some are texts.

    Raises:
        OddReply: It is anything else.

    >>> text_of([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x = 1"}])
    'x = 1'
    """
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "".join(_text_of_part(part) for part in content)
        case _:
            raise OddReply(f"the content of an answer is no text: {_shown(content)}")


def _text_of_part(part: object) -> str:
    if not isinstance(part, dict):
        raise OddReply(f"a part of an answer is no object: {_shown(part)}")
    is_text = "text" in part or part.get("type") == "text"
    text = part.get("text") if is_text else ""
    if not isinstance(text, str):
        raise OddReply(f"a part of an answer has no text: {_shown(part)}")
    return text


def _shown(value: object) -> str:
    return json.dumps(value)[:_SHOWN]


class Stream:
    """The pieces of a reply that comes as server-sent events, put together; `reply` is then read like any other body."""

    def __init__(self) -> None:
        self._choices: dict[int, dict[str, Any]] = {}
        self._rest: dict[str, Any] = {}

    def add(self, line: str) -> bool:
        """Takes one line of the stream; true where it is the last.

        Raises:
            OddReply: It holds no JSON, or a piece of an answer that is no text.
        """
        if not line.startswith("data:"):
            return False
        data = line[len("data:") :].strip()
        if data == "[DONE]":
            return True
        event = _as_object(data.encode("utf-8", "surrogatepass"))
        self._rest |= {key: event[key] for key in ("usage", "error") if event.get(key)}
        for choice in _list(event.get("choices")):
            self._add_choice(choice)
        return False

    def _add_choice(self, piece: Mapping[str, Any]) -> None:
        choice = self._choices.setdefault(_count(piece.get("index")) or 0, {})
        delta = piece.get("delta")
        if isinstance(delta, dict):
            # With a role, since a message that never gets a content says nothing, and an empty one is none.
            message = choice.setdefault("message", {"role": "assistant"})
            _join(message, {**delta, "content": None if delta.get("content") is None else text_of(delta["content"])})
        elif delta is not None:
            raise OddReply(f"a piece of an answer is no object: {_shown(delta)}")
        if piece.get("text") is not None:
            _join(choice, {"text": text_of(piece["text"])})
        choice |= {key: piece[key] for key in ("finish_reason", "error") if piece.get(key)}

    def body(self, wanted: int) -> bytes:
        """The body that the server would have sent in one piece.

        Args:
            wanted: How many answers were asked for, at most.

        Raises:
            OddReply: The stream was cut: an answer has begun, and not come to its end, or none has begun.
        """
        whole = {index: choice for index, choice in self._choices.items() if choice.get("finish_reason")}
        if len(whole) < len(self._choices) and "error" not in self._rest:
            raise OddReply(f"the stream was cut: {len(whole)} of {min(wanted, len(self._choices))} answers are whole")
        return json.dumps({**self._rest, "choices": [whole[index] for index in sorted(whole)]}).encode("ascii")


def _join(whole: dict[str, Any], piece: Mapping[str, Any]) -> None:
    for key in ("content", "text", "reasoning_content", "reasoning", "refusal"):
        if isinstance(piece.get(key), str):
            whole[key] = whole.get(key, "") + piece[key]
