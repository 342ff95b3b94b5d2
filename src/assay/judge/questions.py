"""Hidden inputs as data: how many there are, and which of many are asked.

Runs inside the jailed judge process and in the engine: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SCREEN = 4
"""Questions of the screen, which every program that passes is asked."""

QUESTIONS = 24
"""Questions in all, the screen's among them."""


class Question(NamedTuple):
    """A call of the entry point that no test makes: the encoded arguments, and the reference's reply."""

    arguments: bytes
    answer: bytes


def diverse(questions: Sequence[Question], count: int) -> tuple[Question, ...]:
    """The first questions, with as many different answers among them as there are, and none more often than need be: who gives one answer
    to everything is right about few.

    >>> [each.arguments for each in diverse([Question(b"1", b"x"), Question(b"2", b"x"), Question(b"3", b"y")], 2)]
    [b'1', b'3']
    """
    groups: dict[bytes, list[Question]] = {}
    for each in questions:
        groups.setdefault(each.answer, []).append(each)
    chosen: list[Question] = []
    while groups and len(chosen) < count:
        for answer in list(groups):
            chosen.append(groups[answer].pop(0))
            if not groups[answer]:
                del groups[answer]
    return tuple(chosen[:count])
