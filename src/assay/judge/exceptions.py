"""Exceptions of the candidate's, made anew here out of what its agent told of them (`guest/raised.py`): only builtin ones, by their real
bases, and classes that derive from these (rule 2).

All that an exception carries is copied plain data: its arguments, its attributes, its notes, and the exceptions that it groups or was
raised from. Whatever is told otherwise than it should be is left out, never trusted and never an error: what remains is an exception with
its text.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import builtins
from typing import Any, NamedTuple

from assay.judge.loading import EXITS
from assay.judge.wire import codec

EXCEPTIONS = {n: e for n, e in vars(builtins).items() if isinstance(e, type) and issubclass(e, Exception)}
"""The exceptions that a candidate may raise into a test."""

MAX_LEVELS = 20
"""Levels of groups and causes that are made; `guest/raised.py` tells no more."""

_TEXT = "_text_sent"
_NOTES = "__notes__"
_FIELDS: tuple[tuple[type[Exception], frozenset[str]], ...] = (
    (OSError, frozenset(("errno", "strerror", "filename", "filename2"))),
    (ImportError, frozenset(("name", "path"))),
    (NameError, frozenset(("name",))),
    (AttributeError, frozenset(("name", "obj"))),
)
"""What builtin exceptions hold beside their arguments and their `__dict__`."""


class _Details(NamedTuple):
    """What was told of an exception beside its class and text."""

    arguments: bytes
    attributes: bytes = b""
    parts: tuple[Any, ...] = ()
    cause: Any = None


def exception_class(name: str, base: type[Exception]) -> type[Exception]:
    """Stands for an exception class of the candidate's. What its own `__str__` said there, its instances say here."""

    def text_sent(error: Exception) -> str:
        text: str | None = vars(error).get(_TEXT)
        # One as long as may be was cut, most likely; where the class has no `__str__` of its own the arguments give it whole.
        return base.__str__(error) if text is None or len(text) >= codec.MAX_TEXT else text

    return type(name, (base,), {"__module__": "solution", "__str__": text_sent})


def make_exception(cls: type[Exception], told: Any, text: str, level: int = 0) -> Exception:
    """An exception of `cls` with the details that were told, or with its text where the class refuses them."""
    details = _details(told)
    parts = _made(details.parts, level)
    error = _built(cls, details.arguments, parts, text)
    if details.attributes:
        _put_attributes(error, details.attributes)
    if cls not in EXCEPTIONS.values():
        vars(error)[_TEXT] = text
    cause = _made((details.cause,), level)
    if cause:
        error.__cause__ = cause[0]
    return error


def _details(told: Any) -> _Details:
    match told:
        case bytes():
            return _Details(told)
        case (bytes(arguments), bytes(attributes), tuple(parts), cause):
            return _Details(arguments, attributes, parts, cause)
        case _:
            return _Details(b"")


def _made(told: tuple[Any, ...], level: int) -> list[Exception]:
    """The exceptions that are told, without what is none that a candidate may raise."""
    found = []
    for each in told if level < MAX_LEVELS else ():
        match each:
            case (own, list(names), details, str(text)):
                base = next((EXCEPTIONS[n] for n in names if isinstance(n, str) and n in EXCEPTIONS), None)
                if base is not None and EXITS.isdisjoint(n for n in names if isinstance(n, str)):
                    cls = own if isinstance(own, type) and issubclass(own, Exception) else base
                    found.append(make_exception(cls, details, text, level + 1))
            case _:
                pass
    return found


def _built(cls: type[Exception], arguments: bytes, parts: list[Exception], text: str) -> Exception:
    try:
        args = codec.decode(arguments)
        return cls(*args, parts) if parts else cls(*args)
    except Exception:  # noqa: BLE001 (odd arguments: the text is all that is wanted)
        if issubclass(cls, ExceptionGroup):  # it can't be made without any
            return cls(text, parts or [Exception(text)])
        error = cls.__new__(cls)
        error.args = (text,)
        return error


def _put_attributes(error: Exception, data: bytes) -> None:
    """Gives an exception its attributes, but for those that would stand in front of a method: a test that calls it would call them."""
    try:
        attributes = codec.decode(data)
    except codec.CodecError:
        return
    if type(attributes) is not dict:
        return
    fields = frozenset[str]().union(*(names for cls, names in _FIELDS if isinstance(error, cls)))
    for name, value in attributes.items():
        if name in fields:
            setattr(error, name, value)
        elif _may_be_put(error, name, value):
            vars(error)[name] = value


def _may_be_put(error: Exception, name: object, value: object) -> bool:
    if name == _NOTES:
        return type(value) is list and all(type(note) is str for note in value)
    return type(name) is str and not name.startswith("__") and name != _TEXT and not hasattr(type(error), name)
