"""Values as a person reads them in a message: short, and safe whatever the value is.

`repr` is not safe here: it runs methods of classes, can be huge, and takes minutes for an integer of a million digits. Here only exact
builtin types are opened; everything else is named by its type. Nothing asks the candidate.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.judge.proxies import HOMES, Remote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LENGTH = 240
_DEPTH = 5
_ITEMS = 30
_ATOMS = (float, complex, bool, type(None), range)
_BRACKETS: dict[type, tuple[str, str, str]] = {
    list: ("[", "]", "[]"),
    tuple: ("(", ")", "()"),
    set: ("{", "}", "set()"),
    frozenset: ("frozenset({", "})", "frozenset()"),
    type({}.keys()): ("dict_keys([", "])", "dict_keys([])"),
    type({}.items()): ("dict_items([", "])", "dict_items([])"),
    type({}.values()): ("dict_values([", "])", "dict_values([])"),
}


def show(value: object, length: int = LENGTH) -> str:
    """The value as text of at most `length` characters.

    >>> show([1, "a", (2.5,)])
    "[1, 'a', (2.5,)]"
    >>> show(10**9999)
    '<int of 33216 bits>'
    """
    return cut(_show(value, _DEPTH), length)


def show_call(name: str, args: Iterable[object], keywords: Mapping[str, object]) -> str:
    """A call as it would be typed.

    >>> show_call("f", (1, "x"), {"key": None})
    "f(1, 'x', key=None)"
    """
    parts = [_show(a, _DEPTH) for a in args] + [f"{k}={_show(v, _DEPTH)}" for k, v in keywords.items()]
    return cut(f"{name}({', '.join(parts)})", LENGTH)


def explain(call: str, expected: str, got: str, message: str) -> str:
    """A failure in one line.

    >>> explain("f(1)", "2", "3", "")
    'f(1): expected 2, got 3'
    """
    compared = f"expected {expected}, got {got}" if got else expected
    told = "; ".join(p for p in (compared, message) if p) or "the assertion does not hold"
    return f"{call}: {told}" if call else told


def cut(text: str, length: int = LENGTH) -> str:
    """Text without control characters and lone surrogates, with its middle left out where it is too long."""
    clean = "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text[: 4 * length])
    if len(text) > 4 * length:
        clean += "..."
    return clean if len(clean) <= length else f"{clean[: length - 40]} ... {clean[-30:]}"


def _show(value: Any, depth: int) -> str:
    cls = _plain_type(value)
    if cls is int:
        bits = int.bit_length(value)
        return int.__repr__(value) if bits < 1000 else f"<int of {bits} bits>"
    if cls is str:
        return str.__repr__(value[: 4 * LENGTH])
    if cls is bytes or cls is bytearray:
        return repr(bytes(value[:LENGTH]))
    if cls in _ATOMS:
        return repr(value)  # safe: exactly one of these types, or a copy of ours that derives from one
    if depth == 0:
        return "..."
    if cls is dict:
        return "{" + _some((_pair(k, v, depth - 1) for k, v in dict.items(value)), len(value)) + "}"
    if cls in _BRACKETS:
        return _container(value, cls, depth)
    return f"<{type(value).__name__[:60]}>"


def _plain_type(value: object) -> type:
    """The type whose own `repr` is safe for the value."""
    cls = type(value)
    if cls in HOMES:
        return cls.__base__ or object
    return object if issubclass(cls, Remote) else cls


def _pair(key: Any, value: Any, depth: int) -> str:
    return f"{_show(key, depth)}: {_show(value, depth)}"


def _container(value: Any, cls: type, depth: int) -> str:
    opening, closing, empty = _BRACKETS[cls]
    if not value:
        return empty
    text = _some((_show(item, depth - 1) for item in cls.__iter__(value)), len(value))  # type: ignore[attr-defined] # a collection
    return opening + text + ("," if cls is tuple and len(value) == 1 else "") + closing


def _some(items: Iterable[str], count: int) -> str:
    """The first items, no more of them than will be seen: of a list of lists of lists that would be millions."""
    shown: list[str] = []
    length = 0
    for item in items:
        shown.append(item)
        length += len(item)
        if len(shown) == _ITEMS or length > 2 * LENGTH:
            break
    return ", ".join(shown) + (f", ... {count - len(shown)} more" if count > len(shown) else "")
