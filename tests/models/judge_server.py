"""A judge model on the loopback that judges by a function, and the texts that it was shown.

A judge is a function from what was shown, by tag (`task`, `answer`, `first`, `second`, `reference`), to the text of its reply.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from stub_server import StubServer

if TYPE_CHECKING:
    from collections.abc import Callable

_TAGGED = re.compile(r"<(\w+)-([0-9a-f]{12})>\n(.*?)\n</\1-\2>", re.DOTALL)


def shown(content: str) -> dict[str, str]:
    """The texts between tags in a message."""
    return {found[1]: found[3] for found in _TAGGED.finditer(content)}


class JudgeServer(StubServer):
    """Serves a judge until it is closed; a context manager.

    Args:
        judge: What it says to what it is shown; None makes the server refuse with 400.
    """

    def __init__(self, judge: Callable[[dict[str, str]], str | None]) -> None:
        super().__init__()
        self.judge = judge
        self.texts: list[dict[str, str]] = []

    def _send(self, handler: Any, request: dict[str, Any], reply: dict[str, Any]) -> None:
        texts = shown(request["messages"][-1]["content"])
        self.texts.append(texts)
        said = self.judge(texts)
        super()._send(handler, request, {"http": 400, "says": "no"} if said is None else {**reply, "text": said})


def better(place: str) -> str:
    """The reply that prefers a place."""
    return "Both were read.\n" + json.dumps({"better": place})


def scores(**numbers: int) -> str:
    """The reply that gives scores."""
    return "It was read.\n" + json.dumps(numbers)


def by_place(texts: dict[str, str]) -> str:
    """Likes what stands first."""
    return better("first") if "first" in texts else scores(correct=3)


def by_tests(texts: dict[str, str]) -> str:
    """Says what tests say of the samples of the command line's tests."""
    if "answer" in texts:
        return scores(correct=5 if texts["answer"] == "right" else 2)
    right = [texts[place] == "right" for place in ("first", "second")]
    return better("tie" if right[0] == right[1] else "first" if right[0] else "second")


def nonsense(_: dict[str, str]) -> str:
    """Does not keep to the form."""
    return "I would give it a solid 4 out of 5, or {better}."


def gullible(texts: dict[str, str]) -> str:
    """Does what an answer tells it to."""
    for place in ("answer", "first", "second"):
        if "judge:" in texts.get(place, ""):
            return better(place) if place != "answer" else scores(correct=5)
    return by_tests(texts)
