"""A request as fields, what servers refuse in it, and how it is then put otherwise.

What holds: only the form of a request is changed, never how answers are drawn: a server that takes no temperature, say, gets none only if
the user says so. Stop sequences may be left out, since `Prompt.cut` cuts by them whatever the server does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.errors import ModelError
from assay.models.replies import error_text

if TYPE_CHECKING:
    from assay.models.prompting import Prompt
    from assay.models.secret import Secret
    from assay.records import Sampling

FEWEST_STOPS = 4
"""Stop sequences that every server takes; OpenAI's own takes no more."""

_FORM = (400, 413, 422)
"""Statuses of requests that are refused for what they say."""
_FOR_ALL = (401, 402, 404, 405)
"""Statuses that any other request would get too: a wrong key, no money, no such model or address."""
_CODES_FOR_ALL = ("insufficient_quota", "invalid_api_key", "model_not_found", "billing_hard_limit_reached")
_TRIED_AGAIN = (408, 409, 429)

_OVERFLOW = re.compile(
    r"context.{0,40}(length|size|window)|(prompt|input|request)\b.{0,40}\b(too (long|large)|exceeds)|too many tokens",
    re.IGNORECASE,
)
_STOP = re.compile(r"\bstop\b", re.IGNORECASE)


class Body(NamedTuple):
    """A request: what is asked, and the ways in which it is put otherwise than usual."""

    prompt: Prompt
    sampling: Sampling
    draws: int
    seed: int | None
    otherwise: frozenset[str] = frozenset()

    def fields(self, *, stream: bool = False) -> dict[str, Any]:
        """The request's fields but for the model's name; fields of the user's own win over all others."""
        sampling, prompt = self.sampling, self.prompt
        limit = "max_completion_tokens" if "max_completion_tokens" in self.otherwise else "max_tokens"
        given = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            limit: sampling.max_tokens,
            "seed": self.seed,
            "n": self.draws if self.draws > 1 else None,
            "stop": self._stop() or None,
            "stream": stream or None,
            "stream_options": {"include_usage": True} if stream and "no stream_options" not in self.otherwise else None,
        }
        said = {"messages": _messages(prompt)} if prompt.messages else {"prompt": prompt.text}
        return said | {key: value for key, value in given.items() if value is not None} | sampling.body

    def _stop(self) -> list[str]:
        if "no stop" in self.otherwise:
            return []
        return list(self.prompt.stop[:FEWEST_STOPS] if "few stops" in self.otherwise else self.prompt.stop)


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    """The conversation; an answer that is begun for the model is the last message, which servers go on from."""
    said = [{"role": message.role, "content": message.content} for message in prompt.messages]
    return [*said, {"role": "assistant", "content": prompt.prefill}] if prompt.prefill else said


class Refusal(NamedTuple):
    """What a server said with a status that is none of success."""

    status: int
    text: str
    code: str

    @property
    def is_overflow(self) -> bool:
        """Whether the prompt is too long for the model."""
        return "context" in self.code or _OVERFLOW.search(self.text) is not None


def refusal_of(status: int, body: object, key: Secret) -> Refusal:
    """The refusal of a status and its body, without the key."""
    code = body.get("code") or body.get("type") if isinstance(body, dict) else None
    text = " ".join(error_text(body).split()) if body else ""
    return Refusal(status, key.hide(text), str(code or ""))


def put_otherwise(refusal: Refusal, body: Body) -> tuple[int, frozenset[str]] | None:
    """How many draws to ask for, and in which other ways, after a refusal; None where there is no other way.

    Each change is made once, so a server that refuses everything is asked a few times and no more.
    """
    if refusal.status not in _FORM:
        return None
    for change in _changes(refusal, body):
        if change not in body.otherwise:
            return body.draws, body.otherwise | {change}
    if body.draws > 1 and not refusal.is_overflow:
        return body.draws // 2, body.otherwise
    return None


def _changes(refusal: Refusal, body: Body) -> list[str]:
    """The changes that the words of a refusal ask for."""
    found = []
    if "max_completion_tokens" in refusal.text and body.sampling.max_tokens is not None:
        found.append("max_completion_tokens")
    if "stream_options" in refusal.text:
        found.append("no stream_options")
    if _STOP.search(refusal.text) and body.prompt.stop:
        found += ["few stops"] if len(body.prompt.stop) > FEWEST_STOPS else []
        found.append("no stop")
    return found


def failure_of(refusal: Refusal, tries: int) -> ModelError:
    """The error of a refusal that stands."""
    again = refusal.status in _TRIED_AGAIN or refusal.status >= 500
    fatal = refusal.status in _FOR_ALL or refusal.code in _CODES_FOR_ALL
    tried = f" ({tries} tries)" if again and tries > 1 else ""
    said = f": {refusal.text}" if refusal.text else ""
    return ModelError(
        f"the server refuses with {refusal.status}{said}{tried}",
        status=refusal.status,
        retryable=again,
        fatal=fatal,
        hint=_hint(refusal),
    )


def _hint(refusal: Refusal) -> str | None:
    if refusal.is_overflow:
        return "a shorter prompt style, a smaller --max-tokens, or a server with more context"
    if "temperature" in refusal.text or "top_p" in refusal.text:
        return "leave it to the server: --temperature default"
    match refusal.status:
        case 401 | 403:
            return "is the key the right one, and may it use this model?"
        case 404 | 405:
            return "is the model's name right, and does --base-url end where the server wants it (often /v1)?"
        case 429:
            return "ask less at once: --concurrency, --rate"
        case _:
            return None
