"""Plain values as bytes: strict, tagged, non-executing. The same file is loaded by path on both sides of the border.

Why it exists: `pickle` and `marshal` run or trust what they read, and JSON loses types. Here every value is a tag byte and its
content; the decoder builds exact builtin, standard-library and numpy *value* types and nothing else. It looks up no class by name.

Kept true:
- `decode(encode(v)) == v` for plain values, with types, aliasing and cycles of mutable containers kept.
- Any bytes at all decode to a value or raise `CodecError`. Memory is bounded by their length, and so is time, but for what Python itself
  takes to hash keys that were chosen to collide. No value is built that breaks the interpreter when it is hashed or freed.
- Encoder and decoder are iterative, so depth never meets the recursion limit; what the encoder writes, the decoder reads.
- Integers travel as bytes (no limit of 4,300 digits), floats as their 8 bytes.

What is not plain goes through a hook: `opaque(value)` returns the bytes of a handle (`handle()`, `callback()`) or raises.
Mutable containers are numbered in the order in which they are met; `Encoder.mutables` and `Decoder.mutables` hold them in that order, so
that both sides can speak of "the third container of this message".

How it is laid out: the encoder with a writer a type, then the decoder with a reader a tag. A writer appends one piece, tag first, and
returns the parts that follow it, if any. A reader returns a value, or a `_Frame` for one whose parts follow.
Standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import builtins
import re
import struct
import sys
import types
from array import array, typecodes
from collections import Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    Append = Callable[[bytes], None]
    Parts = Collection[object]

# Beside a program that patches `builtins.len`, the functions below must still see the real one: they get builtins of their own. For the
# same reason types of the standard library are bound here by name, not looked up in their modules while they are used.
globals()["__builtins__"] = dict(vars(builtins))

MAX_DEPTH = 200_000
"""Levels that the encoder writes. The decoder takes twice as many: there a value with a handle beside it has a level of its own."""
MAX_PIECES = 1 << 24
"""Values that the encoder writes, lists of numbers or texts for one: more would fill the sender's memory, and nobody would take them."""
MAX_CHAIN = 500
"""Levels, below the first `_SHALLOW`, of tuples directly in tuples and of other things that C code hashes, frees or compares by recursion
without a check: a tuple in a tuple 140,000 levels deep ends the interpreter in `hash`, an object array 5,000 deep when it is freed.
"""
MAX_FRACTION_BITS = 1 << 15
"""Bits of a fraction's numerator and denominator: to cancel them takes time quadratic in their length."""
MAX_ROWS = 1 << 20
"""Rows of an array without elements: it takes no memory, but a list of its rows does."""
MAX_TEXT = 2000
"""Characters of an exception's text that are sent."""
MET = b"r"
"""The tag of a container that was met before: where this byte does not occur, no container stands in two places."""
KINDS = (
    *("object", "class", "exception", "iterator", "callable", "module", "iterable"),
    *("awaitable", "async iterator"),
)

_SHALLOW = 500
_UNGUARDED = frozenset(b"(ZleqAoV")
_NEUTRAL = ord("v")
_TAG_INT, _TAG_STR, _TAG_FLOAT, _TAG_LIST = b"isf["
_Layout, _LayoutError = struct.Struct, struct.error
_U32 = struct.Struct("<I")
_I64 = struct.Struct("<q")
_F64 = struct.Struct("<d")
_2F64 = struct.Struct("<2d")
_TAG_U32 = struct.Struct("<cI")
_TAG_I64 = struct.Struct("<cq")
_TAG_F64 = struct.Struct("<cd")
_I64_MIN, _I64_MAX = -(1 << 63), (1 << 63) - 1
_CALL, _NO_KEYWORDS = _TAG_U32.pack(b"(", 2) + b"(", _TAG_U32.pack(b"(", 0)
_LITTLE = sys.byteorder == "little"
_INT, _FLOAT, _STR = frozenset((int,)), frozenset((float,)), frozenset((str,))
_CODES = {int: "q", float: "d", bool: "?"}
_NUMBERS = frozenset(_CODES)
_FAST_LANE = 8
_IN_TUPLE, _LANES = b"P", (b"L", b"D", b"U", b"M")
_PIECE = 4096
_NUMPY_KINDS = "biufcSU"
_DTYPE = re.compile(f"[<>|=]?[{_NUMPY_KINDS}][0-9]{{1,6}}")
_FACTORIES = {t.__name__: t for t in (int, float, str, list, dict, set, tuple, bool)}
BUILTIN_TYPES: dict[str, type] = {
    t.__name__: t
    for t in (
        *(int, float, complex, bool, str, bytes, bytearray, list, tuple, set, frozenset, dict, range),
        *(object, type(None), type),
    )
}
VALUE_BASES = (int, float, complex, str, bytes, tuple, frozenset, list, dict, set, bytearray, deque)
OVERRIDES = ("__add__", "__sub__", "__mul__", "__truediv__", "__matmul__", "__neg__", "__abs__", "__str__")
_STDLIB = ("collections", "decimal", "fractions", "datetime", "enum", "builtins", "http", "signal", "socket")


class CodecError(Exception):
    """The bytes are not a value of this encoding, or the value has no encoding."""


def handle(number: int, kind: str, name: str, detail: str = "") -> bytes:
    """Bytes of a handle: object `number` of the other side, of one of `KINDS`, with a name to show and a detail (exception base)."""
    return b"h" + _U32.pack(number) + bytes((KINDS.index(kind),)) + _text(name) + _text(detail)


def reference(number: int) -> bytes:
    """Bytes that name object `number` of the receiving side (a handle going home)."""
    return b"H" + _U32.pack(number)


def callback(number: int) -> bytes:
    """Bytes of a callable that stays with the sender and is called back by `number`."""
    return b"k" + _U32.pack(number)


def is_builtin(o: object) -> bool:
    """Whether an object is one of Python's builtin functions, which both sides have."""
    return type(o) is types.BuiltinFunctionType and vars(builtins).get(o.__name__) is o


def builtin(name: str) -> bytes:
    """Bytes that name a builtin function: the receiver takes its own, so that none of the sender's is ever called from outside."""
    return b"x" + _text(name)


def _text(value: str) -> bytes:
    data = value.encode("utf-8", "surrogatepass")
    return _U32.pack(len(data)) + data


def _numpy() -> Any:
    """The numpy module if this process has loaded it, else None: a value of numpy's can't exist before."""
    np = sys.modules.get("numpy")
    return np if isinstance(getattr(np, "ndarray", None), type) else None


def _check_depth(chains: list[int], tag: int, depth: int, limit: int) -> None:
    """Refuses a container at level `depth`, if that is too deep. `chains` has an entry a level below `_SHALLOW`, up to the parent's."""
    if depth > limit:
        raise CodecError("nested too deeply")
    del chains[depth - _SHALLOW - 1 :]
    above = chains[-1] if chains else 0
    chains.append(above + 1 if tag in _UNGUARDED else above if tag == _NEUTRAL else 0)
    if above >= MAX_CHAIN and chains[-1] > MAX_CHAIN:
        raise CodecError("tuples nested too deeply")


class Encoder:
    """Encodes values of one message.

    Args:
        opaque: Called with a value that is not plain; returns the bytes of a handle or raises CodecError.
        known: Mutable containers that the other side already has, in its numbering; they are sent as references.
        valued: Whether instances of candidate-defined subclasses of value types carry a handle beside the copied content.
        classes: Classes that both sides have from the test's setup, with their names; instances travel as name and `__dict__`.
        homes: Types whose instances always go through `opaque`, whatever they derive from.
    """

    def __init__(
        self,
        opaque: Callable[[Any], bytes] | None = None,
        known: Iterable[Any] = (),
        valued: bool = False,
        classes: Mapping[type, str] = types.MappingProxyType({}),
        homes: Collection[type] = (),
    ) -> None:
        self.opaque = opaque
        self.homes = homes
        self.classes = classes
        self.mutables = list(known)
        self.numbers = {id(o): n for n, o in enumerate(self.mutables)}
        self.valued = valued

    def encode(self, value: object) -> bytes:
        """The bytes of `value`.

        Raises:
            CodecError: If something in it is not plain and there is no hook, or it is too large or too deep.
        """
        out: list[bytes] = []
        try:
            self._run(out, value)
        except (OverflowError, _LayoutError) as error:
            raise CodecError(f"too large: {error}") from None
        return b"".join(out)

    def _run(self, out: list[bytes], value: Any) -> None:
        """Writes `value`. Long, because a call a value would cost more than all the rest: the common types are written in place."""
        stack = [iter((value,))]
        chains: list[int] = []
        push, append, numbers = stack.append, out.append, self.numbers
        tag_u32, tag_i64, writers, in_lanes = _TAG_U32.pack, _TAG_I64.pack, _WRITERS, 0
        while stack:
            for o in stack[-1]:
                t = type(o)
                if t is int:
                    if _I64_MIN <= o <= _I64_MAX:
                        append(tag_i64(b"i", o))
                    else:
                        data = o.to_bytes(o.bit_length() // 8 + 1, "little", signed=True)
                        append(tag_u32(b"I", len(data)) + data)
                elif t is str:
                    data = o.encode("utf-8", "surrogatepass")
                    append(tag_u32(b"s", len(data)) + data)
                elif t is list:
                    n = numbers.get(id(o))
                    if n is not None:
                        append(tag_u32(b"r", n))
                        continue
                    self.number(o)
                    items = tuple(o)
                    if len(items) >= _FAST_LANE and _write_lane(append, items):
                        continue
                    append(tag_u32(b"[", len(items)))
                    push(iter(items))
                    break
                elif t is tuple:
                    if len(o) >= _FAST_LANE and _write_lane(append, o, _IN_TUPLE):
                        in_lanes += len(o)
                        if in_lanes > MAX_PIECES:
                            raise CodecError(f"too large: over {MAX_PIECES} values")
                        continue
                    append(tag_u32(b"(", len(o)))
                    push(iter(o))
                    break
                elif t is bool:
                    append(b"T" if o else b"F")
                elif o is None:
                    append(b"N")
                elif t is float:
                    append(_TAG_F64.pack(b"f", o))
                else:
                    parts = writers.get(t, _write_rare)(self, append, o)
                    if parts is not None:
                        push(iter(parts))
                        break
            else:
                stack.pop()
                continue
            if len(stack) > _SHALLOW:
                _check_depth(chains, out[-1][0], len(stack), MAX_DEPTH)
            if len(out) > MAX_PIECES:
                raise CodecError(f"too large: over {MAX_PIECES} values")

    # -- pieces, for the writers

    def number(self, o: object) -> None:
        """Gives a mutable container the next number."""
        self.numbers[id(o)] = len(self.mutables)
        self.mutables.append(o)

    def met(self, append: Append, o: object) -> bool:
        """Whether a mutable container was met before: then a reference to it is written, else it is numbered."""
        n = self.numbers.get(id(o))
        if n is None:
            self.number(o)
            return False
        append(_TAG_U32.pack(b"r", n))
        return True

    def hook(self, append: Append, o: object) -> Parts | None:
        """Leaves a value that is not plain to `opaque`; no parts follow."""
        if self.opaque is None:
            raise CodecError(f"not a plain value: {type(o).__name__}")
        append(self.opaque(o))
        return None


def leaf(o: object) -> bytes | None:
    """The bytes of a number, a text, a bool or None, as an encoder writes them; None for a value of any other type.

    >>> leaf(5) == encode(5), leaf([5])
    (True, None)
    """
    t = type(o)
    if t is int and _I64_MIN <= o <= _I64_MAX:  # type: ignore[operator] # it is an int
        return _TAG_I64.pack(b"i", o)
    if t is bool:
        return b"T" if o else b"F"
    if t is str:
        return b"s" + _text(o)  # type: ignore[arg-type] # it is a str
    if t is float:
        return _TAG_F64.pack(b"f", o)
    return b"N" if o is None else None


def flat(o: object) -> bytes | None:
    """The bytes of a leaf, or of a list or tuple of leaves, as an encoder writes them; None for any other value, and for some of these.

    >>> flat([5, "a"]) == encode([5, "a"]), flat([[5]])
    (True, None)
    """
    t = type(o)
    if t is not list and t is not tuple:
        return leaf(o)
    items: tuple[object, ...] = tuple(o)  # type: ignore[arg-type] # it is a list or a tuple
    if len(items) >= _FAST_LANE:
        pieces: list[bytes] = []
        return pieces[0] if _write_lane(pieces.append, items, b"" if t is list else _IN_TUPLE) else None
    leaves = tuple(map(leaf, items))
    return None if None in leaves else _TAG_U32.pack(b"[" if t is list else b"(", len(items)) + b"".join(leaves)  # type: ignore[arg-type] # none is None


def array_u32(numbers: Iterable[int]) -> bytes:
    """Little-endian 32-bit unsigned integers as bytes."""
    return _little_endian(array("I", numbers)).tobytes()


def _little_endian(data: array[Any]) -> array[Any]:
    if not _LITTLE:
        data.byteswap()
    return data


# -- writers, one a type. They call the base type's own methods, so that they serve its subclasses too, whatever these override.


def _write_lane(append: Append, items: tuple[Any, ...], head: bytes = b"") -> bool:
    """Writes a long list of numbers or of texts in one piece, or the tuple of them that `head` says; False where it isn't one."""
    kinds = frozenset(map(type, items))
    if kinds == _INT:
        try:
            data = array("q", items)
        except OverflowError:
            return False
        append(head + _TAG_U32.pack(b"L", len(items)) + _little_endian(data).tobytes())
    elif kinds == _FLOAT:
        append(head + _TAG_U32.pack(b"D", len(items)) + _little_endian(array("d", items)).tobytes())
    elif kinds == _STR:
        append(head + _TAG_U32.pack(b"U", len(items)) + _packed(items))
    elif kinds <= _NUMBERS:
        codes = "".join(map(_CODES.__getitem__, map(type, items)))
        try:
            numbers = b"".join(packing.pack(*items[start:end]) for packing, start, end in _packings(codes))
        except _LayoutError:
            return False
        append(head + _TAG_U32.pack(b"M", len(items)) + codes.encode("ascii") + numbers)
    else:
        return False
    return True


def _packings(codes: str) -> Iterator[tuple[Any, int, int]]:
    """The layouts of numbers in a row, for a piece at a time: a layout takes more memory than what it lays out."""
    for start in range(0, len(codes), _PIECE):
        end = min(start + _PIECE, len(codes))
        yield _Layout("<" + codes[start:end]), start, end


def _packed(texts: tuple[str, ...]) -> bytes:
    """The lengths of texts in bytes, then the texts. Where all is ASCII that is one copy, not one each."""
    joined = "".join(texts)
    if joined.isascii():
        return array_u32(map(len, texts)) + joined.encode("ascii")
    each = [s.encode("utf-8", "surrogatepass") for s in texts]
    return array_u32(map(len, each)) + b"".join(each)


def _flat(mapping: dict[Any, Any]) -> list[object]:
    # An OrderedDict has its own order, which `dict.items` doesn't know.
    pairs = OrderedDict.items(mapping) if isinstance(mapping, OrderedDict) else dict.items(mapping)
    return [x for pair in tuple(pairs) for x in pair]


def _write_dict(encoder: Encoder, append: Append, o: dict[Any, Any], head: bytes = b"{") -> Parts | None:
    if encoder.met(append, o):
        return None
    flat = _flat(o)
    append(head + _U32.pack(len(flat)))
    return flat


def _write_defaultdict(encoder: Encoder, append: Append, o: defaultdict[Any, Any]) -> Parts | None:
    name = next((name for name, factory in _FACTORIES.items() if factory is o.default_factory), "")
    return _write_dict(encoder, append, o, b"e" + _text(name))


def _write_list(encoder: Encoder, append: Append, o: list[Any]) -> Parts | None:
    return None if encoder.met(append, o) else _write_items(append, b"[", tuple(list.__iter__(o)))


def _write_set(encoder: Encoder, append: Append, o: set[Any]) -> Parts | None:
    return None if encoder.met(append, o) else _write_items(append, b"S", tuple(set.__iter__(o)))


def _write_deque(encoder: Encoder, append: Append, o: deque[Any]) -> Parts | None:
    if encoder.met(append, o):
        return None
    items, limit = tuple(deque.__iter__(o)), _deque_limit(o)
    append(b"q" + _I64.pack(-1 if limit is None else limit) + _U32.pack(len(items)))
    return items


_deque_limit: Callable[[deque[Any]], int | None] = vars(deque)["maxlen"].__get__


def _write_bytearray(encoder: Encoder, append: Append, o: bytearray) -> None:
    if not encoder.met(append, o):
        data = bytes(bytearray.__getitem__(o, slice(None)))
        append(_TAG_U32.pack(b"B", len(data)) + data)


def _write_tuple(_: Encoder, append: Append, o: tuple[Any, ...]) -> Parts:
    return _write_items(append, b"(", tuple(tuple.__iter__(o)))


def _write_frozenset(_: Encoder, append: Append, o: frozenset[Any]) -> Parts:
    return _write_items(append, b"Z", tuple(frozenset.__iter__(o)))


def _write_items(append: Append, tag: bytes, items: Parts) -> Parts:
    append(_TAG_U32.pack(tag, len(items)))
    return items


def _write_view(_: Encoder, append: Append, o: Collection[Any]) -> Parts:
    """Writes what a view of a mapping shows, not the mapping: what it doesn't show may be large, or have no encoding."""
    kind = _VIEW_TYPES.index(type(o))
    parts = [x for pair in o for x in pair] if kind in _ITEM_VIEWS else list(o)
    append(b"V" + bytes((kind,)) + _U32.pack(len(parts)))
    return parts


def _write_numbers(encoder: Encoder, append: Append, o: array[Any]) -> None:
    if not encoder.met(append, o):
        data = _little_endian(o[:]).tobytes()
        append(b"R" + o.typecode.encode() + _U32.pack(len(data)) + data)


def _write_bytes(_: Encoder, append: Append, o: bytes) -> None:
    append(_TAG_U32.pack(b"b", len(o)) + o)


def _write_complex(_: Encoder, append: Append, o: complex) -> None:
    append(b"c" + _2F64.pack(o.real, o.imag))


def _fields(tag: bytes, *names: str) -> Callable[[Encoder, Append, Any], Parts]:
    """A writer of these attributes of an exact type."""
    get = attrgetter(*names)

    def write(_: Encoder, append: Append, o: Any) -> Parts:
        append(tag)
        parts: Parts = get(o)
        return parts

    return write


def _write_slice(encoder: Encoder, append: Append, o: slice) -> Parts | None:
    parts = (o.start, o.stop, o.step)
    if any(type(part) not in _SLICED for part in parts):
        return encoder.hook(append, o)
    append(b"l")
    return parts


def _write_type(encoder: Encoder, append: Append, o: type) -> None:
    if BUILTIN_TYPES.get(o.__name__) is o:
        append(b"y" + _text(o.__name__))
    else:
        encoder.hook(append, o)


def _write_fraction(_: Encoder, append: Append, o: Fraction) -> Parts:
    append(b"/")
    return _cancellable((o.numerator, o.denominator))


def _write_timezone(_: Encoder, append: Append, o: timezone) -> Parts:
    """Writes the offset, and the name where it is not the one that follows from it."""
    offset, name = o.utcoffset(None), o.tzname(None)
    if name == timezone(offset).tzname(None):
        append(b"z")
        return (offset,)
    append(b"Y")
    return (offset, name)


def _write_time(_: Encoder, append: Append, o: time) -> Parts:
    append(b"u")
    return (o.hour, o.minute, o.second, o.microsecond, o.fold, _zone(o))


def _write_datetime(_: Encoder, append: Append, o: datetime) -> Parts:
    append(b"w")
    return (o.year, o.month, o.day, o.hour, o.minute, o.second, o.microsecond, o.fold, _zone(o))


def _zone(o: time | datetime) -> tzinfo | None:
    """The time zone, if both sides know it; one of the program's own keeps its offset and loses its name and its rules."""
    zone = o.tzinfo
    if zone is None or type(zone) is timezone or _zone_key(zone) is not None:
        return zone
    offset = o.utcoffset()
    return None if offset is None else timezone(offset)


def _zone_key(o: object) -> str | None:
    """The key of a time zone out of the system's database, None for anything else. No such zone is there before `zoneinfo` is."""
    module = sys.modules.get("zoneinfo")
    key = o.key if module is not None and type(o) is getattr(module, "ZoneInfo", None) else None  # type: ignore[attr-defined] # it is one
    return key if type(key) is str else None


def _write_rare(encoder: Encoder, append: Append, o: Any) -> Parts | None:
    t = type(o)
    np = _numpy()
    if np is not None and issubclass(t, np.generic):
        return _write_scalar(encoder, append, o, np)
    if np is not None and issubclass(t, np.ndarray):
        return _write_array(encoder, append, o, np)
    if (key := _zone_key(o)) is not None:
        append(b"K" + _text(key))
        return None
    if t in encoder.homes:
        return encoder.hook(append, o)
    if t in encoder.classes:
        return _write_instance(encoder, append, o)
    if issubclass(t, VALUE_BASES):
        return _write_subclass(encoder, append, o)
    return encoder.hook(append, o)


def _write_instance(encoder: Encoder, append: Append, o: object) -> Parts | None:
    """Writes class name and content of `__dict__`, which is a container with a number of its own, after the object's."""
    if encoder.met(append, o):
        return None
    attributes = object.__getattribute__(o, "__dict__")
    encoder.number(attributes)
    flat = _flat(attributes)
    append(b"o" + _text(encoder.classes[type(o)]) + _U32.pack(len(flat)))
    return flat


def _write_subclass(encoder: Encoder, append: Append, o: Any) -> Parts | None:
    """A subclass of a value type is copied by its *base* content, whatever the subclass says about itself."""
    t = type(o)
    base = next(b for b in VALUE_BASES if issubclass(t, b))
    if encoder.valued and encoder.opaque is not None and t.__module__ not in _STDLIB and id(o) not in encoder.numbers:
        changed = [name for name in OVERRIDES if getattr(t, name, None) is not getattr(base, name, None)]
        append(b"v" + encoder.opaque(o) + _text(" ".join(changed)))
    if base in _SCALARS:
        return (_SCALARS[base](o),)
    return _WRITERS[base](encoder, append, o)


def _write_scalar(encoder: Encoder, append: Append, o: Any, np: Any) -> Parts | None:
    if o.dtype.kind not in _NUMPY_KINDS:
        return encoder.hook(append, o)
    a = np.asarray(o)
    append(b"n" + _text(a.dtype.str) + _U32.pack(a.nbytes) + a.tobytes())
    return None


def _write_array(encoder: Encoder, append: Append, o: Any, np: Any) -> Parts | None:
    a = np.asarray(o).view(np.ndarray)
    if a.dtype.kind != "O" and a.dtype.kind not in _NUMPY_KINDS:
        return encoder.hook(append, o)
    if encoder.met(append, o):
        return None
    shape = bytes((a.ndim,)) + b"".join(map(_U32.pack, a.shape))
    if a.dtype.kind != "O":
        append(b"a" + _text(a.dtype.str) + shape + _U32.pack(a.nbytes) + a.tobytes())
        return None
    items: list[object] = a.ravel().tolist()
    append(b"A" + shape + _U32.pack(len(items)))
    return items


_SLICED = frozenset((int, type(None), bool, float, str))
_SCALARS: dict[type, Callable[[Any], object]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda o: bytes.__getitem__(o, slice(None)),
}
"""The content of a value type's subclass as an exact value."""
_VIEW_TYPES: tuple[type, ...] = (
    *(type({}.keys()), type({}.items()), type({}.values())),
    *(type(OrderedDict().keys()), type(OrderedDict().items()), type(OrderedDict().values())),
)
_ITEM_VIEWS = (1, 4)

_WRITERS: dict[type, Callable[[Encoder, Append, Any], Parts | None]] = {
    dict: _write_dict,
    set: _write_set,
    frozenset: _write_frozenset,
    bytes: _write_bytes,
    complex: _write_complex,
    range: _fields(b"g", "start", "stop", "step"),
    slice: _write_slice,
    type(Ellipsis): lambda _, append, __: append(b"."),
    type(NotImplemented): lambda _, append, __: append(b"!"),
    list: _write_list,
    tuple: _write_tuple,
    bytearray: _write_bytearray,
    deque: _write_deque,
    OrderedDict: lambda encoder, append, o: _write_dict(encoder, append, o, b"O"),
    Counter: lambda encoder, append, o: _write_dict(encoder, append, o, b"C"),
    defaultdict: _write_defaultdict,
    Decimal: lambda _, append, o: append(b"m" + _text(str(o))),
    Fraction: _write_fraction,
    timedelta: _fields(b"d", "days", "seconds", "microseconds"),
    timezone: _write_timezone,
    date: _fields(b"t", "year", "month", "day"),
    time: _write_time,
    datetime: _write_datetime,
    type: _write_type,
    array: _write_numbers,
    UserList: lambda _, __, o: (o.data,),
    UserDict: lambda _, __, o: (o.data,),
    UserString: lambda _, __, o: (o.data,),
    types.MappingProxyType: lambda _, __, o: (dict(o),),
    **dict.fromkeys(_VIEW_TYPES, _write_view),
}


# -- decoding


class _Frame(tuple):  # type: ignore[type-arg]  # one allocation: a named tuple's constructor costs twice as much
    """`(number of parts, fill)`: a container whose parts follow; `fill(parts)` gives the value."""

    __slots__ = ()


class Decoder:
    """Decodes values of one message; builds exact plain types only.

    Args:
        on_handle: Called as `(number, kind, name, detail)` for a handle of the other side.
        on_reference: Called as `(number)` for one of our own objects that comes home.
        on_callback: Called as `(number)` for a callable that stays with the sender.
        on_valued: Called as `(base value, handle, overridden operators)` for a value with a handle beside it.
        on_instance: Called as `(class name)`; returns a bare instance, whose `__dict__` is then filled.
        known: Mutable containers that references may name, in the sender's numbering.

    A hook that is None refuses its kind of value. Builtin functions are taken only where `takes_builtins` is set: a receiver that calls
    what it is sent must not be handed `eval`. `on_numbers`, where it is set, is given the elements of each numpy value and returns them as
    they are to be.
    """

    def __init__(
        self,
        on_handle: Callable[[int, str, str, str], Any] | None = None,
        on_reference: Callable[[int], Any] | None = None,
        on_callback: Callable[[int], Any] | None = None,
        on_valued: Callable[[Any, Any, list[str]], Any] | None = None,
        on_instance: Callable[[str], Any] | None = None,
        known: Iterable[Any] = (),
    ) -> None:
        self.on_handle = on_handle
        self.on_reference = on_reference
        self.on_callback = on_callback
        self.on_valued = on_valued
        self.on_instance = on_instance
        self.mutables = list(known)
        self.has_sets = False
        self.takes_builtins = False
        self.on_numbers: Callable[[Any], Any] | None = None
        self.data = b""
        self.at = 0

    def decode(self, data: bytes) -> Any:
        """The value that `data` encodes, all of it.

        Raises:
            CodecError: For anything else.
        """
        return self._read(data, 0, 1)[0]

    def decode_call(self, data: bytes) -> Any:
        """As `decode`, for the arguments of a call, `(args, ((keyword, value), ...))`, in less time: nearly all calls have no keywords,
        and then what stands round the arguments need not be read.

        Raises:
            CodecError: As `decode`.
        """
        known = len(self.mutables)
        if data.startswith(_CALL) and data.endswith(_NO_KEYWORDS):
            count: int = _U32.unpack_from(data, len(_CALL))[0]
            try:
                return tuple(self._read(data, len(_CALL) + 4, count, len(_NO_KEYWORDS))), ()
            except CodecError:  # the keywords end so
                del self.mutables[known:]
        return self.decode(data)

    def _read(self, data: bytes, at: int, count: int, rest: int = 0) -> list[Any]:
        """The values from `at` on, so many, before the last `rest` bytes.

        Raises:
            CodecError: If they are anything else.
        """
        self.data, self.at = data, at
        try:
            values = self._run(count)
        except CodecError:
            raise
        except Exception as error:  # noqa: BLE001 (constructors, hooks and hashes refuse in many ways; here all mean the same)
            raise CodecError(f"{type(error).__name__}: {error}") from None
        if self.at != len(data) - rest:
            raise CodecError(f"{len(data) - rest - self.at} bytes left over")
        return values

    def _run(self, left: int) -> list[Any]:
        """Reads values, as many as are left. Long, as the encoder's is: the common tags are read in place."""
        data, size, readers, constants, at = self.data, len(self.data), _READERS, _CONSTANTS, self.at
        small, u32, real = _I64.unpack_from, _U32.unpack_from, _F64.unpack_from
        chains: list[int] = []
        stack: list[tuple[int, list[Any], Callable[[list[Any]], Any]]] = []
        parts: list[Any] = []
        fill: Callable[[list[Any]], Any] = tuple
        while True:
            while left:
                left -= 1
                tag = data[at]
                at += 1
                if tag == _TAG_INT:
                    parts.append(small(data, at)[0])
                    at += 8
                    continue
                if tag == _TAG_STR:
                    end = at + 4 + u32(data, at)[0]
                    if end > size:
                        raise CodecError("cut short")
                    parts.append(data[at + 4 : end].decode("utf-8", "surrogatepass"))
                    at = end
                    continue
                if tag in constants:
                    parts.append(constants[tag])
                    continue
                if tag == _TAG_FLOAT:
                    parts.append(real(data, at)[0])
                    at += 8
                    continue
                outer = (left, parts, fill)
                if tag in b"[(":
                    left = u32(data, at)[0]
                    at += 4
                    if left > size - at:
                        raise CodecError("count beyond the data")
                    # the parts of a list are the list
                    parts, fill = [], tuple
                    if tag == _TAG_LIST:
                        fill = _as_it_is
                        self.mutables.append(parts)
                else:
                    self.at = at
                    got = readers[tag](self)
                    at = self.at
                    if type(got) is not _Frame:
                        parts.append(got)
                        continue
                    left, fill = got
                    parts = []
                stack.append(outer)
                if len(stack) >= _SHALLOW:
                    _check_depth(chains, tag, len(stack) + 1, 2 * MAX_DEPTH)
            if not stack:
                self.at = at
                return parts
            value = fill(parts)
            left, parts, fill = stack.pop()
            parts.append(value)

    # -- pieces, for the readers

    def u32(self) -> int:
        """An unsigned number of 32 bits."""
        at = self.at
        self.at = at + 4
        number: int = _U32.unpack_from(self.data, at)[0]
        return number

    def count(self) -> int:
        """A number of parts; each part takes at least one byte, so that a lie about it can't cost memory."""
        n = self.u32()
        if n > len(self.data) - self.at:
            raise CodecError("count beyond the data")
        return n

    def take(self, n: int) -> bytes:
        """The next `n` bytes."""
        at = self.at
        if n > len(self.data) - at:
            raise CodecError("cut short")
        self.at = at + n
        return self.data[at : at + n]

    def text(self) -> str:
        """A length and that many bytes of UTF-8."""
        return self.take(self.u32()).decode("utf-8", "surrogatepass")

    def numbered(self, o: Any) -> Any:
        """The mutable container `o`, which has the next number now."""
        self.mutables.append(o)
        return o


# -- readers, one a tag


_CONSTANTS = {ord("N"): None, ord("T"): True, ord("F"): False, ord("."): Ellipsis, ord("!"): NotImplemented}


def _as_it_is(parts: list[Any]) -> list[Any]:
    return parts


def _fixed(n: int, fill: Callable[[list[Any]], object]) -> Callable[[Decoder], object]:
    frame = _Frame((n, fill))
    return lambda _: frame


def _read_small(d: Decoder) -> int:
    at = d.at
    d.at = at + 8
    number: int = _I64.unpack_from(d.data, at)[0]
    return number


def _lane(d: Decoder, code: str) -> list[Any]:
    a = array(code)
    a.frombytes(d.take(d.u32() * 8))
    items: list[Any] = d.numbered(_little_endian(a).tolist())
    return items


def _read_mixed(d: Decoder) -> list[Any]:
    codes = d.take(d.u32())
    if codes.translate(None, b"qd?"):
        raise CodecError("a number of an unknown type")
    numbers: list[Any] = d.numbered([])
    for packing, _, _ in _packings(codes.decode("ascii")):
        numbers += packing.unpack(d.take(packing.size))
    return numbers


def _read_tuple(d: Decoder) -> tuple[Any, ...]:
    tag = d.take(1)
    if tag not in _LANES:
        raise CodecError("a tuple of an unknown kind")
    items: list[Any] = _READERS[tag[0]](d)
    d.mutables.pop()
    return tuple(items)


def _read_texts(d: Decoder) -> list[str]:
    lengths = array("I")
    lengths.frombytes(d.take(d.count() * 4))
    data = d.take(sum(_little_endian(lengths)))
    ends = list(accumulate(lengths))
    spans = zip([0, *ends], ends)
    if data.isascii():
        joined = data.decode("ascii")
        texts = [joined[start:end] for start, end in spans]
    else:
        texts = [data[start:end].decode("utf-8", "surrogatepass") for start, end in spans]
    d.numbered(texts)
    return texts


def _filled(d: Decoder, o: Any, put: Callable[[Any, list[Any]], object], n: int) -> _Frame:
    d.numbered(o)

    def fill(parts: list[Any]) -> Any:
        put(o, parts)
        return o

    return _Frame((n, fill))


def _read_set(d: Decoder) -> _Frame:
    d.has_sets = True
    return _filled(d, set(), set.update, d.count())


def _read_frozenset(d: Decoder) -> _Frame:
    d.has_sets = True
    return _Frame((d.count(), frozenset))


def _read_deque(d: Decoder) -> _Frame:
    limit = _read_small(d)
    return _filled(d, deque(maxlen=None if limit == -1 else limit), deque.extend, d.count())


def _read_numbers(d: Decoder) -> array[Any]:
    code = d.take(1).decode("ascii")
    if code not in typecodes:
        raise CodecError("an array of an unknown type")
    numbers = array(code)
    numbers.frombytes(d.take(d.u32()))
    _little_endian(numbers)
    if code in "uw":
        numbers.tounicode()  # refuses what is no character
    d.numbered(numbers)
    return numbers


def _read_view(d: Decoder) -> _Frame:
    view, mapping = _VIEWS[d.take(1)[0]]
    return _Frame((d.count(), lambda parts: view(mapping, parts)))


def _items_view(mapping: Any, parts: list[Any]) -> object:
    if len(parts) % 2:
        raise CodecError("a key without a value")
    return mapping(zip(parts[::2], parts[1::2])).items()


_VIEWS: tuple[tuple[Callable[[Any, list[Any]], object], type], ...] = tuple(
    (view, mapping)
    for mapping in (dict, OrderedDict)
    for view in (
        lambda mapping, parts: mapping.fromkeys(parts).keys(),
        _items_view,
        lambda mapping, parts: mapping(enumerate(parts)).values(),
    )
)
"""Views, in the order of `_VIEW_TYPES`, of a mapping of their own, so that order, comparison and the rest are Python's."""


def _put_pairs(o: dict[Any, Any], parts: list[Any]) -> None:
    dict.update(o, zip(parts[::2], parts[1::2]))


def _put_ordered(o: OrderedDict[Any, Any], parts: list[Any]) -> None:
    o.update(zip(parts[::2], parts[1::2]))


def _put_attributes(o: object, parts: list[Any]) -> None:
    _put_pairs(object.__getattribute__(o, "__dict__"), parts)
    check_attributes(o)


def check_attributes(o: object) -> None:
    """Lets an object pass whose attributes came from the other side, without what a `cached_property` has computed there.

    Raises:
        CodecError: If one stands in front of a method: a test that calls that would call what the other side has put there.
    """
    attributes = object.__getattribute__(o, "__dict__")
    if any(type(name) is not str for name in attributes):
        raise CodecError("an attribute whose name is no text")
    for name in tuple(attributes):
        own = getattr(type(o), name, None)
        if callable(own):
            raise CodecError("an attribute in the place of a method")
        if hasattr(type(own), "__get__"):
            del attributes[name]


def _mapping(d: Decoder, o: Any, put: Callable[[Any, list[Any]], object] = _put_pairs) -> _Frame:
    n = d.count()
    if n % 2:
        raise CodecError("a key without a value")
    return _filled(d, o, put, n)


def _read_defaultdict(d: Decoder) -> _Frame:
    name = d.text()
    return _mapping(d, defaultdict(_FACTORIES[name] if name else None))


def _read_instance(d: Decoder) -> _Frame:
    if d.on_instance is None:
        raise CodecError("an instance where plain data was asked for")
    o = d.on_instance(d.text())
    frame = _mapping(d, o, _put_attributes)
    d.numbered(object.__getattribute__(o, "__dict__"))
    return frame


def _ints(parts: list[Any]) -> list[int]:
    if any(type(part) is not int for part in parts):
        raise CodecError("an integer was expected")
    return parts


def _cancellable(parts: Sequence[int]) -> Sequence[int]:
    if any(part.bit_length() > MAX_FRACTION_BITS for part in parts):
        raise CodecError("too large: a fraction")
    return parts


def _fill_slice(parts: list[Any]) -> slice:
    if any(type(part) not in _SLICED for part in parts):
        raise CodecError("a slice of something odd")
    return slice(*parts)


def _read_zone(d: Decoder) -> tzinfo:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 (it costs milliseconds, which few need)

    return ZoneInfo(d.text())


def _fill_time(parts: list[Any]) -> time:
    hour, minute, second, micro, fold = _ints(parts[:5])
    return time(hour, minute, second, micro, parts[5], fold=fold)


def _fill_datetime(parts: list[Any]) -> datetime:
    return datetime.combine(date(*_ints(parts[:3])), _fill_time(parts[3:]))


def _dtype(d: Decoder) -> tuple[Any, Any]:
    np, text = _numpy(), d.text()
    if np is None:
        raise CodecError("numpy is not loaded here")
    if _DTYPE.fullmatch(text) is None:
        raise CodecError("refused dtype")
    return np, np.dtype(text)


def _flat_array(d: Decoder, np: Any, dtype: Any) -> Any:
    """The elements that come next. A bool that is neither, or a character beyond Unicode, would break numpy later."""
    data = d.take(d.u32())
    if dtype.kind == "b" and data.translate(None, b"\0\1"):
        raise CodecError("a bool that is neither")
    if dtype.kind == "U" and np.frombuffer(data, dtype.str[0] + "u4").max(initial=0) > sys.maxunicode:
        raise CodecError("a character beyond Unicode")
    flat = np.frombuffer(data, dtype)
    return flat if d.on_numbers is None else d.on_numbers(flat)


def _dims(d: Decoder) -> tuple[int, ...]:
    dims = tuple(d.u32() for _ in range(d.take(1)[0]))
    if 0 in dims and prod(n for n in dims if n) > MAX_ROWS:
        raise CodecError("too large: an array of nothing")
    return dims


def _read_scalar(d: Decoder) -> Any:
    return _flat_array(d, *_dtype(d))[0]


def _read_array(d: Decoder) -> Any:
    np, dtype = _dtype(d)
    shape = _dims(d)
    return d.numbered(_flat_array(d, np, dtype).reshape(shape).copy())


def _read_objects(d: Decoder) -> _Frame:
    np, shape, n = _numpy(), _dims(d), d.count()
    if np is None:
        raise CodecError("numpy is not loaded here")
    flat = np.empty(n, dtype=object)

    def put(_: object, parts: list[Any]) -> None:
        for i, part in enumerate(parts):
            flat[i] = part

    return _filled(d, flat.reshape(shape), put, n)


def _read_handle(d: Decoder) -> Any:
    if d.on_handle is None:
        raise CodecError("a handle where plain data was asked for")
    number, kind = d.u32(), KINDS[d.take(1)[0]]
    return d.on_handle(number, kind, d.text(), d.text())


def _read_reference(d: Decoder) -> Any:
    if d.on_reference is None:
        raise CodecError("a reference where plain data was asked for")
    return d.on_reference(d.u32())


def _read_builtin(d: Decoder) -> Any:
    function = vars(builtins).get(d.text()) if d.takes_builtins else None
    if not is_builtin(function):
        raise CodecError("a builtin function where plain data was asked for")
    return function


def _read_callback(d: Decoder) -> Any:
    if d.on_callback is None:
        raise CodecError("a callback where plain data was asked for")
    return d.on_callback(d.u32())


def _read_valued(d: Decoder) -> _Frame:
    join = d.on_valued
    if join is None or d.take(1) != b"h":
        raise CodecError("a value with a handle where plain data was asked for")
    remote, changed, number = _read_handle(d), d.text().split(), len(d.mutables)

    def fill(parts: list[Any]) -> Any:
        joined = join(parts[0], remote, changed)
        if number < len(d.mutables) and d.mutables[number] is parts[0]:
            d.mutables[number] = joined  # a second mention of it is the same object
        return joined

    return _Frame((1, fill))


def _refuse(d: Decoder) -> Any:
    raise CodecError(f"unknown tag {d.data[d.at - 1]}")


_TAGS: dict[str, Callable[[Decoder], Any]] = {
    "I": lambda d: int.from_bytes(d.take(d.u32()), "little", signed=True),
    "c": lambda d: complex(*_2F64.unpack(d.take(16))),
    "b": lambda d: d.take(d.u32()),
    "B": lambda d: d.numbered(bytearray(d.take(d.u32()))),
    "L": lambda d: _lane(d, "q"),
    "D": lambda d: _lane(d, "d"),
    "U": _read_texts,
    "M": _read_mixed,
    "P": _read_tuple,
    "S": _read_set,
    "Z": _read_frozenset,
    "q": _read_deque,
    "{": lambda d: _mapping(d, {}),
    "O": lambda d: _mapping(d, OrderedDict(), _put_ordered),
    "C": lambda d: _mapping(d, Counter()),
    "e": _read_defaultdict,
    "g": _fixed(3, lambda p: range(*_ints(p))),
    "l": _fixed(3, _fill_slice),
    "m": lambda d: Decimal(d.text()),
    "/": _fixed(2, lambda p: Fraction(*_cancellable(_ints(p)))),
    "d": _fixed(3, lambda p: timedelta(*_ints(p))),
    "z": _fixed(1, lambda p: timezone(*p)),
    "Y": _fixed(2, lambda p: timezone(*p)),
    "K": _read_zone,
    "t": _fixed(3, lambda p: date(*_ints(p))),
    "u": _fixed(6, _fill_time),
    "w": _fixed(9, _fill_datetime),
    "y": lambda d: BUILTIN_TYPES[d.text()],
    "r": lambda d: d.mutables[d.u32()],
    "n": _read_scalar,
    "a": _read_array,
    "A": _read_objects,
    "R": _read_numbers,
    "V": _read_view,
    "h": _read_handle,
    "H": _read_reference,
    "k": _read_callback,
    "x": _read_builtin,
    "v": _read_valued,
    "o": _read_instance,
}
_READERS = tuple(_TAGS.get(chr(tag), _refuse) for tag in range(256))


def encode(value: object) -> bytes:
    """The bytes of a plain value.

    >>> decode(encode([1, (2.5, None), {"a": {3}}]))
    [1, (2.5, None), {'a': {3}}]
    """
    return Encoder().encode(value)


def encode_call(args: Collection[object]) -> bytes:
    """The bytes of the arguments of a call without keywords, `(args, ())`; no container stands in two places of them.

    >>> encode_call([1, [2, 3]]) == encode(((1, [2, 3]), ()))
    True
    """
    parts = tuple(map(flat, args))
    if None in parts or len(parts) >= _FAST_LANE:
        return encode((tuple(args), ()))
    return _CALL + _U32.pack(len(parts)) + b"".join(parts) + _NO_KEYWORDS  # type: ignore[arg-type] # none is None


def pack(pieces: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Many pieces of bytes as two: their lengths, and all of them joined.

    >>> unpack(pack([b"1", b"", b"23"]))
    [b'1', b'', b'23']
    """
    return array_u32(map(len, pieces)), b"".join(pieces)


def unpack(packed: tuple[bytes, bytes]) -> list[bytes]:
    """The pieces that `pack` took."""
    sizes, joined = packed
    lengths = array("I")
    lengths.frombytes(sizes)
    ends = list(accumulate(_little_endian(lengths)))
    return [joined[start:end] for start, end in zip([0, *ends], ends)]


def encode_calls(calls: Sequence[tuple[str, bytes]]) -> bytes:
    """The bytes of calls `(name, encoded arguments)` that go out together, which mostly have one name: it is then sent once.

    >>> decode_calls(encode_calls([("f", b"1"), ("f", b"23")]))
    [('f', b'1'), ('f', b'23')]
    """
    names = tuple(name for name, _ in calls)
    told = names[:1] if len(set(names)) == 1 else names
    return encode((told, pack([arguments for _, arguments in calls])))


def decode_calls(data: bytes) -> list[tuple[str, bytes]]:
    """The calls that `encode_calls` wrote.

    Raises:
        CodecError: If they are none.
    """
    names, packed = decode(data)
    arguments = unpack(packed)
    return list(zip(names * len(arguments) if len(names) == 1 else names, arguments))


def decode(data: bytes) -> Any:
    """The plain value that `data` encodes.

    >>> decode(b"?")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    CodecError: unknown tag 63
    """
    return Decoder().decode(data)
