"""What a test holds in place of the candidate's objects: stand-ins whose every use is a message to the agent.

Three kinds of value come back from an agent. Plain data is copied and is not here. A *handle* is an object that stays with the agent:
`Remote` and its kinds. A *valued* object is an instance of a candidate-defined subclass of a value type: its base content is copied, so
comparison and iteration happen in the judge, and only methods and overridden operators go to the agent.

Which uses of a handle are allowed is decided by `Session.operate`: calling and iterating copy data and are free; everything else only if
the reference needed it too (rule 4, the shape rule). That is what makes objects that equal everything worthless.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


class Holder(Protocol):
    """Whom a stand-in asks: the session."""

    def call(self, remote: Remote, args: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Calls it."""

    def operate(self, operation: str, remote: Remote, args: tuple[object, ...] = (), want: type | None = None) -> Any:
        """Asks for an operation on it, whose result must be of type `want`."""

    def allows(self, shape: str) -> bool:
        """Whether that operation would be allowed."""


_SLOTS = ("_assay_session", "_assay_handle", "_assay_kind", "_assay_type", "_assay_name")
"""Named so that they hide none of the candidate's own attributes: a test may ask for its `_name`."""


class Remote:
    """An object of the candidate's that is not plain data."""

    __slots__ = (*_SLOTS, "__weakref__")
    _assay_session: Holder
    _assay_handle: int
    _assay_kind: str
    _assay_type: str
    _assay_name: str | None

    def __init__(self, session: Holder, handle: int, kind: str, type_name: str) -> None:
        for slot, value in zip(_SLOTS, (session, handle, kind, type_name, None), strict=True):
            object.__setattr__(self, slot, value)

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__"):
            return self._assay_type
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._assay_session.operate("getattr", self, (name,))

    def __setattr__(self, name: str, value: object) -> None:
        self._assay_session.operate("setattr", self, (name, value))

    def __delattr__(self, name: str) -> None:
        self._assay_session.operate("delattr", self, (name,))

    def __setitem__(self, key: object, value: object) -> None:
        self._assay_session.operate("setitem", self, (key, value))

    def __delitem__(self, key: object) -> None:
        self._assay_session.operate("delitem", self, (key,))

    def __instancecheck__(self, o: object) -> bool:
        if not isinstance(o, Remote):
            return False
        return bool(self._assay_session.operate("isinstance", self, (o,), bool))

    def __subclasscheck__(self, o: object) -> bool:
        if not isinstance(o, Remote):
            return False
        return bool(self._assay_session.operate("issubclass", self, (o,), bool))

    def __repr__(self) -> str:
        if self._assay_session.allows("repr"):
            return str(self._assay_session.operate("repr", self, (), str))
        return f"<{self._assay_type} object of the candidate>"

    def __eq__(self, o: object) -> bool:
        if self is o and self._assay_kind in ("class", "callable"):
            return True
        return bool(self._assay_session.operate("eq", self, (o,), bool))

    def __ne__(self, o: object) -> bool:
        if self is o and self._assay_kind in ("class", "callable"):
            return False
        return bool(self._assay_session.operate("ne", self, (o,), bool))

    def __hash__(self) -> int:
        if self._assay_kind in ("class", "callable"):
            return hash((Remote, self._assay_handle))
        return int(self._assay_session.operate("hash", self, (), int))

    def __bool__(self) -> bool:
        return bool(self._assay_session.operate("bool", self, (), bool))

    def __contains__(self, o: object) -> bool:
        return bool(self._assay_session.operate("contains", self, (o,), bool))

    def __format__(self, spec: str) -> str:
        return str(self._assay_session.operate("format", self, (spec,), str))

    def __enter__(self) -> Any:
        return self._assay_session.operate("enter", self)

    def __exit__(self, *_: object) -> Any:
        return self._assay_session.operate("exit", self, ((None, None, None),))

    def __copy__(self) -> Remote:
        return self

    def __deepcopy__(self, memo: object) -> Remote:
        return self


def _binary(name: str, want: type | None) -> Any:
    def method(self: Remote, o: object) -> Any:
        return self._assay_session.operate(name, self, (o,), want)

    return method


def _unary(name: str, want: type | None) -> Any:
    def method(self: Remote, *args: object) -> Any:
        return self._assay_session.operate(name, self, args, want)

    return method


for _name in ("lt", "le", "gt", "ge"):
    setattr(Remote, f"__{_name}__", _binary(_name, bool))
for _name in (
    "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift getitem divmod radd rsub rmul rtruediv rpow "
    "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor"
).split():
    setattr(Remote, f"__{_name.rstrip('_')}__", _binary(_name, None))
_RESULTS: dict[str, type | None] = {
    "len": int, "str": str, "abs": None, "neg": None, "pos": None, "invert": None, "int": int, "float": float,
    "complex": complex, "index": int, "reversed": None, "round": None, "dir": list,
}  # fmt: skip
for _name, _want in _RESULTS.items():
    setattr(Remote, f"__{_name}__", _unary(_name, _want))


class RemoteCallable(Remote):
    """A function, class or other callable of the candidate's."""

    __slots__ = ()

    def __call__(self, *args: object, **keywords: object) -> Any:  # noqa: D102 (the class docstring says it)
        return self._assay_session.call(self, args, keywords)


class RemoteIterator(Remote):
    """A generator or other iterator: exhausted as in Python, one item a message."""

    __slots__ = ()
    __len__ = (
        None  # `list(it)` asks for it as a hint, which would be an operation that the reference may never have needed
    )

    def __iter__(self) -> RemoteIterator:
        return self

    def __next__(self) -> Any:
        return self._assay_session.operate("next", self)


class RemoteIterable(Remote):
    """An object that gives iterators. What it gave once it gives again: the items are kept here, so that it can't change between
    two comparisons.
    """

    __slots__ = ("_assay_items", "_assay_source")

    def __iter__(self) -> Iterator[Any]:
        try:
            items = object.__getattribute__(self, "_assay_items")
        except AttributeError:
            items = []
            object.__setattr__(self, "_assay_items", items)
            object.__setattr__(self, "_assay_source", iter(self._assay_session.operate("iter", self)))
        return _replay(items, object.__getattribute__(self, "_assay_source"))

    def __len__(self) -> int:
        """The number of items that it gives, unless the reference's own answer was needed: `list(o)` asks for it as a hint."""
        return (
            int(self._assay_session.operate("len", self, (), int))
            if self._assay_session.allows("len")
            else sum(1 for _ in self)
        )


class RemoteAwaitable(Remote):
    """A coroutine or other awaitable: it runs to its end there when it is awaited here. For asyncio it is a coroutine."""

    __slots__ = ()
    cr_code = cr_frame = cr_await = gi_code = None  # asyncio asks for them to show a task; they are nobody's answers
    cr_running = False

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._assay_session.operate("await", self)
        yield  # makes it a generator, which is what has to be returned here

    def send(self, _: object) -> Any:
        """Ends at once, as a coroutine does: by raising its result."""
        raise StopIteration(self._assay_session.operate("await", self))

    def throw(self, error: Any, *_: object) -> Any:
        """Raises the error here: there is nothing that could wait for it."""
        raise error

    def close(self) -> None:
        """Does nothing: it has ended, or has not begun."""


class RemoteAsyncIterator(Remote):
    """An asynchronous generator or other such iterator: each item is awaited there, one a message."""

    __slots__ = ()

    def __aiter__(self) -> RemoteAsyncIterator:
        return self

    async def __anext__(self) -> Any:
        return self._assay_session.operate("anext", self)


def _replay(items: list[Any], source: Iterator[Any]) -> Iterator[Any]:
    at = 0
    while True:
        if at == len(items):
            try:
                items.append(next(source))
            except StopIteration:
                return
        yield items[at]
        at += 1


KINDS: dict[str, type[Remote]] = {
    "iterator": RemoteIterator,
    "iterable": RemoteIterable,
    "awaitable": RemoteAwaitable,
    "async iterator": RemoteAsyncIterator,
    "callable": RemoteCallable,
    "class": RemoteCallable,
}


def _valued_class(base: type) -> type:
    """A value type with copied content whose methods, and the operators that the candidate's class overrides, go to the agent."""

    def get(self: Any, name: str) -> Any:
        if name.startswith("__") or name in _SLOTS:
            raise AttributeError(name)
        return getattr(self.__dict__["_remote"], name)

    members: dict[str, Any] = {"__getattr__": get}
    for operation in ("add", "sub", "mul", "truediv", "matmul", "neg", "abs", "str"):
        own = getattr(base, f"__{operation}__", None)
        if own is not None or operation in ("add", "sub", "mul", "truediv", "matmul"):
            members[f"__{operation}__"] = _overridable(operation, own)
    if base.__hash__ is not None:
        members["__hash__"] = base.__hash__
    return type(f"remote_{base.__name__}", (base,), members)


def _overridable(operation: str, own: Any) -> Any:
    def method(self: Any, *args: object) -> Any:
        remote = self.__dict__["_remote"]
        if f"__{operation}__" in self.__dict__["_overrides"] and remote._assay_session.allows(operation):
            return remote._assay_session.operate(operation, remote, args)
        return NotImplemented if own is None else own(self, *args)

    return method


VALUED: dict[type, type] = {t: _valued_class(t) for t in (list, dict, set, str, tuple, frozenset, bytes, int, float)}
HOMES = frozenset(VALUED.values())
"""Types whose instances are sent home by handle, not by content."""


def valued(base: Any, remote: Remote, overrides: list[str]) -> Any:
    """The copied content `base` of an object `remote`, joined with it."""
    cls = VALUED.get(type(base))
    if cls is None:
        return base
    joined = cls(base)
    joined.__dict__["_remote"] = remote
    joined.__dict__["_overrides"] = frozenset(overrides)
    return joined
