"""Plain values for the codec's tests: strategies that draw all of them, and `shape`, which tells them apart as finely as the codec must."""

from __future__ import annotations

import struct
from array import array, typecodes
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, timedelta, timezone
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

if TYPE_CHECKING:
    from collections.abc import Iterable

MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
SEQUENCES = (list, tuple, deque)
EMPTY: tuple[dict[int, int], ...] = ({}, OrderedDict())
VIEWS = tuple(type(view) for o in EMPTY for view in (o.keys(), o.items(), o.values()))


def shape(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A comparable description of a value: equal for two values exactly if the codec should give one for the other."""
    seen = {} if seen is None else seen
    cls = type(value)
    if cls in (list, deque, set, bytearray, array, np.ndarray, *MAPPINGS) or cls.__module__ == "solution":
        if id(value) in seen:
            return ("seen", seen[id(value)])
        seen[id(value)] = len(seen)
    return (cls, _content(value, cls, seen))


def _content(value: Any, cls: type, seen: dict[int, int]) -> Any:
    if cls is float:
        return struct.pack("<d", value)
    if cls is complex:
        return struct.pack("<2d", value.real, value.imag)
    if cls in (int, str):
        return value  # Python has no text for an integer of 5,000 digits
    if cls in MAPPINGS:
        factory = value.default_factory if cls is defaultdict else None
        return factory, [(shape(k, seen), shape(v, seen)) for k, v in value.items()]
    if cls in SEQUENCES:
        limit = value.maxlen if cls is deque else None
        return limit, [shape(item, seen) for item in value]
    if cls in VIEWS:
        return [shape(item, seen) for item in value]
    if cls is array:
        return value.typecode, value.tobytes()
    if cls in (set, frozenset):
        return sorted(repr(shape(item, {})) for item in value)
    if isinstance(value, np.ndarray | np.generic):
        items = [shape(item, seen) for item in value.ravel().tolist()] if value.dtype.kind == "O" else value.tobytes()
        return value.dtype.str, value.shape, items
    if cls.__module__ == "solution":
        return [(name, shape(item, seen)) for name, item in vars(value).items()]
    return repr(value)  # bytes, stamps, ranges and the like: it tells all of them


EVERY_FLOAT = st.binary(min_size=8, max_size=8).map(lambda data: struct.unpack("<d", data)[0])
FLOATS = st.one_of(EVERY_FLOAT, st.floats(), st.just(-0.0))
TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)
INTS = st.one_of(
    st.integers(),
    st.sampled_from([2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 255, 256, -128, -129]),
    st.integers(13_000, 14_000).map(lambda bits: -1 << bits),
)
ZONES = st.one_of(
    st.none(),
    st.timedeltas(timedelta(hours=-23), timedelta(hours=23)).map(timezone),
    st.sampled_from([UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")]),
)
SLICE_PARTS = st.one_of(st.none(), st.integers(-9, 9), TEXTS)
_SPANS = st.timedeltas(timedelta(hours=-23), timedelta(hours=23))
OFFSETS = st.one_of(_SPANS.map(timezone), st.builds(timezone, _SPANS, TEXTS))
ATOMS = st.one_of(
    *(st.none(), st.booleans(), INTS, FLOATS, st.complex_numbers(), TEXTS, st.binary(max_size=20)),
    *(st.just(Ellipsis), st.just(NotImplemented), st.fractions(), st.decimals().filter(lambda d: not d.is_snan())),
    *(st.dates(), st.times(timezones=ZONES), st.datetimes(timezones=ZONES), st.timedeltas(), OFFSETS),
    st.builds(range, INTS, INTS, st.integers(1, 9)),
    st.sampled_from([int, float, complex, bool, str, bytes, list, dict, set, type(None), object, type]),
)
HASHABLES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)),
    max_leaves=5,
)
NUMBERS = st.tuples(st.sampled_from(typecodes.replace("u", "")), st.binary(max_size=4)).map(
    lambda drawn: array(drawn[0], drawn[1] * array(drawn[0]).itemsize)
)
NUMBERED_ATOMS = st.one_of(
    NUMBERS,
    st.text(max_size=5).map(lambda text: array("u", text)),
    st.binary(max_size=20).map(bytearray),
    st.builds(slice, SLICE_PARTS, SLICE_PARTS, SLICE_PARTS),
)
LANES = st.one_of(
    *(st.lists(kind, min_size=7, max_size=12) for kind in (st.integers(-(2**63), 2**63 - 1), INTS, FLOATS, TEXTS)),
    st.lists(st.booleans(), min_size=8, max_size=9),
    st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), FLOATS, st.booleans()), min_size=7, max_size=12),
    st.lists(st.one_of(INTS, FLOATS, st.booleans(), st.none()), min_size=7, max_size=12),
)
DTYPES = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(),
    hnp.unsigned_integer_dtypes(),
    hnp.floating_dtypes(),
    hnp.complex_number_dtypes(),
    hnp.byte_string_dtypes(min_len=1, max_len=5),
    hnp.unicode_string_dtypes(min_len=1, max_len=5),
)
PLAIN_ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))
SCALARS = hnp.arrays(DTYPES, 1).map(lambda array: array[0])


def objects(items: list[Any], shape: tuple[int, ...]) -> Any:
    """An array of objects, of a shape that holds them all."""
    array = np.empty(len(items), dtype=object)
    for number, item in enumerate(items):
        array[number] = item
    return array.reshape(shape or len(items))


def _defaultdict(factory: Any, pairs: dict[Any, Any]) -> defaultdict[Any, Any]:
    return defaultdict(factory, pairs)


def _counter(pairs: dict[Any, Any]) -> Counter[Any]:
    counter: Counter[Any] = Counter()
    dict.update(counter, pairs)
    return counter


def _reordered(pairs: dict[Any, Any]) -> OrderedDict[Any, Any]:
    ordered = OrderedDict(pairs)
    if ordered:
        ordered.move_to_end(next(iter(ordered)))
    return ordered


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    items = st.lists(inner, max_size=4)
    pairs = st.dictionaries(HASHABLES, inner, max_size=3)
    mappings = st.one_of(pairs, pairs.map(_reordered), pairs.map(_counter))
    limits = st.one_of(st.none(), st.integers(0, 5), st.just(2**40))
    return st.one_of(
        items, items.map(tuple), pairs, pairs.map(_reordered), pairs.map(_counter), st.sets(HASHABLES, max_size=3),
        st.builds(_defaultdict, st.sampled_from([None, int, list, set, dict, str]), pairs),
        st.builds(deque, items, limits), items.map(lambda parts: objects(parts, ())), items.map(twice_and_itself),
        mappings.map(lambda o: o.keys()), mappings.map(lambda o: o.items()), mappings.map(lambda o: o.values()),
    )  # fmt: skip


def twice_and_itself(items: Iterable[Any]) -> list[Any]:
    """A list that holds everything twice, and itself."""
    items = list(items)
    knot: list[Any] = [*items, *items]
    knot.append(knot)
    return knot


VALUES = st.recursive(st.one_of(HASHABLES, NUMBERED_ATOMS, LANES, PLAIN_ARRAYS, SCALARS), _containers, max_leaves=12)
