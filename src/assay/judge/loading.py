"""What an agent loads, and what its answer says where the program could not be loaded.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.showing import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

EXITS = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit"})
"""Exceptions by which a program ends itself: no test gets to see them."""


class Program(NamedTuple):
    """What an agent loads: the candidate's source, the shared part of the tests' setup before it, the names wanted from it, a seed."""

    source: str
    setup: str
    names: tuple[str, ...]
    seed: int


class LoadFailure(Exception):
    """The program could not be loaded: `kind` is `syntax`, `raised` or `exit`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


def read_failure(reply: Sequence[Any]) -> LoadFailure | None:
    """Why a program was not loaded, by the agent's answer; None if it says nothing of the kind."""
    match reply:
        case ("syntax", text, _):
            return LoadFailure("syntax", cut(as_text(text)))
        case ("raised", own, list(names), _, text, line) if all(type(n) is str for n in names):
            kind = "exit" if "Exception" not in names or EXITS.intersection(names) else "raised"
            name = own.__name__ if isinstance(own, type) else names[0] if names else "exception"
            said = as_text(text)
            told = cut(f"{name}: {said}" if said else name)
            return LoadFailure(kind, told if as_line(line) is None else f"{told} (line {line})")
        case ("unsendable", text):
            return LoadFailure("raised", cut(f"its names can't be sent: {as_text(text)}"))
        case _:
            return None


def as_line(value: object) -> int | None:
    """A line number, if it can be one."""
    return value if type(value) is int and 0 < value < 1 << 31 else None


def as_text(value: object) -> str:
    """A text; an empty one for what is none."""
    return value if type(value) is str else ""
