"""What is told of an exception that a program raised, so that one like it can be raised in the test.

An exception is told as `(own class or None, names of its builtin bases, details, text)`. The details are the encoded arguments, which is
all that most exceptions hold; or `(arguments, attributes, parts, cause)`, where `attributes` is an encoded dictionary of what is plain data
among its attributes, `parts` are the exceptions of a group and `cause` is what it was raised `from`, each told in the same way.
`__context__` is not told: the test has one of its own.

Nothing here is relied on: the judge makes of it what it can. Standard library only, CPython >= 3.9, loaded by path beside `agent.py`.
"""

from __future__ import annotations

import builtins
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# As in `agent.py`: a program that patches builtins patches them for itself only.
globals()["__builtins__"] = dict(vars(builtins))

codec: Any = sys.modules["assay_codec"]

MAX_TOLD = 1000
"""Exceptions of one group, and of the groups and causes in it, that are told."""
MAX_LEVELS = 20
"""Levels of groups and causes that are told."""

MAX_FRAMES, FIRST_FRAMES = 10, 3
"""Frames that are told, and how many of them are the outermost where there are more."""

_ENCODED_BYTES = 1 << 16
_NAME = 60
# A class of the program's may answer for any attribute, `__class__` and `__traceback__` too: these ask the base class.
_ARGS: Any = vars(BaseException)["args"].__get__
_CAUSE: Any = vars(BaseException)["__cause__"].__get__
_TRACE: Any = vars(BaseException)["__traceback__"].__get__
_GROUP: Any = getattr(builtins, "BaseExceptionGroup", None)
_FIELDS: tuple[tuple[type[BaseException], tuple[str, ...]], ...] = (
    (OSError, ("errno", "strerror", "filename", "filename2")),
    (ImportError, ("name", "path")),
    (NameError, ("name",)),
    (AttributeError, ("name", "obj")),
)
"""What builtin exceptions hold beside their arguments and their `__dict__`."""
_CLASSES = [o for o in vars(builtins).values() if isinstance(o, type)]
EXCEPTIONS = {e.__name__: e for e in _CLASSES if issubclass(e, BaseException)}


def told_of(error: BaseException) -> tuple[Any, list[str], Any, str]:
    """What is told of an exception."""
    return _told(error, 0, [MAX_TOLD])


def _told(error: BaseException, level: int, left: list[int]) -> tuple[Any, list[str], Any, str]:
    left[0] -= 1
    cls, text = type(error), text_of(error)
    own = None if EXCEPTIONS.get(cls.__name__) is cls else cls
    parts, cause = _others(error, level, left)
    args = (_GROUP.message.__get__(error),) if parts else tuple(_ARGS(error))
    encoded, attributes = encoded_or_none(args) or codec.encode((text,)), _attributes(error)
    details = (encoded, codec.encode(attributes), parts, cause) if attributes or parts or cause else encoded
    return own, builtin_bases(cls), details, text


def _others(error: BaseException, level: int, left: list[int]) -> tuple[tuple[Any, ...], Any]:
    """The exceptions of a group and the cause, told; none where there would be too many."""
    members = _GROUP.exceptions.__get__(error) if _GROUP is not None and issubclass(type(error), _GROUP) else ()
    cause = _CAUSE(error)
    if level >= MAX_LEVELS or len(members) + 1 > left[0]:
        return (), None
    parts = tuple(_told(member, level + 1, left) for member in members)
    return parts, None if cause is None or left[0] <= 0 else _told(cause, level + 1, left)


def _attributes(error: BaseException) -> dict[str, Any]:
    """What an exception holds beside its arguments, as far as it is plain data and no empty field."""
    try:
        return {name: value for name, value in _named(error) if encoded_or_none(value) is not None}
    except Exception:  # noqa: BLE001 (a class of the program may answer for any attribute)
        return {}


def _named(error: BaseException) -> Iterator[tuple[str, Any]]:
    for cls, names in _FIELDS:
        if issubclass(type(error), cls):
            fields = ((name, getattr(error, name, None)) for name in names)
            yield from ((name, value) for name, value in fields if value is not None)
    own = error.__dict__
    if own:
        yield from (pair for pair in own.items() if type(pair[0]) is str)


def encoded_or_none(value: object) -> bytes | None:
    """A value, encoded; None where it is not plain, or so large that nobody means to read it."""
    try:
        data: bytes = codec.encode(value)
    except Exception:  # noqa: BLE001 (see `Agent.answer`)
        return None
    return data if len(data) <= _ENCODED_BYTES else None


def builtin_bases(cls: type) -> list[str]:
    """Names of the builtin exceptions that a class is or derives from, nearest first."""
    named = ((c.__name__, c) for c in cls.__mro__)
    return [name for name, c in named if EXCEPTIONS.get(name) is c]


def frames_of(error: BaseException, filename: str) -> tuple[tuple[int, str], ...]:
    """The lines of a file through which an exception went, each with its function, outermost first.

    No more are kept than told: a recursion may be a million frames deep, and what it raised is often that the memory is full.
    """
    first: list[Any] = []
    last: Any = deque(maxlen=MAX_FRAMES - FIRST_FRAMES)
    trace = _TRACE(error)
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == filename:
            (first if len(first) < FIRST_FRAMES else last).append((trace.tb_lineno, code))
        trace = trace.tb_next
    return tuple((line, str.__str__(code.co_name)[:_NAME]) for line, code in (*first, *last))


def text_of(error: BaseException) -> str:
    """The text of an exception, as far as its own `__str__` lets."""
    try:
        text: str = str.__str__(str(error))[: codec.MAX_TEXT]
    except Exception:  # noqa: BLE001 (a class of the program may raise anything)
        return "<the exception's __str__ failed>"
    return text
