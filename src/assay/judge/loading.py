"""What an agent loads, and what its answer says where the program could not be loaded.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.showing import cut
from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

EXITS = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit"})
"""Exceptions by which a program ends itself: no test gets to see them."""

MAX_FRAMES, FIRST_FRAMES = 10, 3
"""Frames of a traceback that are believed, and how many of them are the outermost where there are more. An agent of ours tells no more."""
NAME_LENGTH = 60

Frames = tuple[tuple[int, str], ...]
"""`(line, function)` of the program's own frames through which an exception went, outermost first."""


class Program(NamedTuple):
    """What an agent loads: the candidate's source, the shared part of the tests' setup before it, the names wanted from it, a seed."""

    source: str
    setup: str
    names: tuple[str, ...]
    seed: int

    def request(self, plan: bytes) -> bytes:
        """The message that has an agent load it, with the encoded calls of a plan."""
        message: bytes = codec.encode(("load", *self, plan))
        return message


class LoadFailure(Exception):
    """The program could not be loaded: `kind` is `syntax`, `raised` or `exit`; `frames` say where, as far as it is told."""

    def __init__(self, kind: str, text: str, frames: Frames = ()) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.frames = frames


def read_failure(reply: Sequence[Any]) -> LoadFailure | None:
    """Why a program was not loaded, by the agent's answer; None if it says nothing of the kind."""
    match reply:
        case ("syntax", text, _):
            return LoadFailure("syntax", cut(as_text(text)))
        case ("raised", own, list(names), _, text, told) if all(type(n) is str for n in names):
            kind = "exit" if "Exception" not in names or EXITS.intersection(names) else "raised"
            name = own.__name__ if isinstance(own, type) else names[0] if names else "exception"
            said = as_text(text)
            frames = as_frames(told)
            return LoadFailure(kind, with_line(cut(f"{name}: {said}" if said else name), frames), frames)
        case ("unsendable", text):
            return LoadFailure("raised", cut(f"its names can't be sent: {as_text(text)}"))
        case _:
            return None


def as_line(value: object) -> int | None:
    """A line number, if it can be one."""
    return value if type(value) is int and 0 < value < 1 << 31 else None


def as_frames(value: object) -> Frames:
    """The frames of a traceback, as far as they can be some: what is odd among them is left out, and too many are none.

    >>> as_frames(((3, "f"), (True, "g"), (7, "g", 1), (9, "h")))
    ((3, 'f'), (9, 'h'))
    """
    if type(value) is not tuple or len(value) > MAX_FRAMES:
        return ()
    pairs = (each for each in value if type(each) is tuple and len(each) == 2)
    return tuple(
        (line, cut(" ".join(name[: 4 * NAME_LENGTH].split()), NAME_LENGTH))
        for line, name in pairs
        if as_line(line) is not None and type(name) is str
    )


def with_line(text: str, frames: Frames) -> str:
    """A text with the line in which the exception was raised, where that is known."""
    return f"{text} (line {frames[-1][0]})" if frames else text


def as_text(value: object) -> str:
    """A text; an empty one for what is none."""
    return value if type(value) is str else ""
