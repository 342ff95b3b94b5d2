"""The codec: what goes in comes out, and whatever comes in is a value or a CodecError."""

from __future__ import annotations

import array
import collections
import contextlib
import datetime as dt
import decimal
import enum
import fractions
import struct
import subprocess
import sys
import tracemalloc
import types
import zoneinfo
from collections import Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_values import HASHABLES, VALUES, objects, shape

from assay.judge.wire import codec

CodecError = codec.CodecError
FILE = Path(codec.__file__)
FOR_LONG = settings(max_examples=150, deadline=None)


def there_and_back(value: Any, **hooks: Any) -> tuple[Any, Any, Any]:
    """The value from the other side, and the encoder and decoder it went through."""
    encoder, decoder = codec.Encoder(), codec.Decoder(**hooks)
    return decoder.decode(encoder.encode(value)), encoder, decoder


def copy_of(value: Any) -> Any:
    return there_and_back(value)[0]


# -- there and back


@FOR_LONG
@given(VALUES)
def test_every_plain_value_comes_back_with_its_types_its_aliases_and_its_cycles(value: Any) -> None:
    assert shape(copy_of(value)) == shape(value)


@FOR_LONG
@given(VALUES)
def test_both_sides_number_the_mutable_containers_alike(value: Any) -> None:
    _, encoder, decoder = there_and_back([value, value])
    assert [shape(o) for o in decoder.mutables] == [shape(o) for o in encoder.mutables]


@FOR_LONG
@given(VALUES, VALUES)
def test_containers_that_are_known_are_mentioned_and_not_sent_again(first: Any, second: Any) -> None:
    here, there = there_and_back([first])[1:]
    encoder = codec.Encoder(known=here.mutables)
    decoder = codec.Decoder(known=there.mutables)
    got = decoder.decode(encoder.encode((here.mutables, second)))
    assert all(mine is known for mine, known in zip(got[0], there.mutables, strict=True))
    assert shape(got[1]) == shape(second)
    assert [shape(o) for o in decoder.mutables] == [shape(o) for o in encoder.mutables]


@pytest.mark.parametrize(
    "value",
    [
        2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**5000, -(10**5000), float("inf"), -0.0, complex(-0.0, float("nan")),
        struct.unpack("<d", b"\x01\0\0\0\0\0\xf8\x7f")[0], "\ud800\udc00 \U0001f600 \udfff", decimal.Decimal("-0E+999999"),
        decimal.Decimal("sNaN" + "1" * 60), decimal.Decimal("9" * 30_000), fractions.Fraction(10**4000, 3**800),
        dt.time(1, 2, 3, 4, dt.timezone(dt.timedelta(seconds=1)), fold=1), bytes(range(256)),
        [2**70] * 20, [1] * 19 + [2**70], [1.5] * 20, ["\udfff", "", "é"] * 9, [True] * 20, [1, True] * 10, [1, 1.0] * 10,
        [1, -0.0, False] * 3000, [1.5, True] * 2048, [0.5, *[1] * 4096], [0.5, 2**63, True] * 9, [*range(8), 0.5, None],
        ["a", "\ud800"] * 5, ["", *["\x7f"] * 9], [""] * 9,
        np.float16(1.5), np.longdouble(1) / 3, np.bool_(True), np.str_("é"), np.bytes_(b"a"), np.str_(""), np.array("x"),
        np.zeros((2, 0, 3)), np.zeros((0,), dtype=object), np.arange(6, dtype=">i4").reshape(2, 3), objects([[1], None], (2, 1)),
        np.array(None, dtype=object), objects([np.array(5)], ()), np.arange(6).reshape(2, 3).T, np.array(["", "ab"]),
    ],
    ids=lambda value: f"{type(value).__name__} {str(value)[:10]!a}" if not isinstance(value, int) else f"{value.bit_length()} bits",
)  # fmt: skip
def test_awkward_values_come_back(value: Any) -> None:
    assert shape(copy_of([value])) == shape([value])


def test_depth_is_no_limit_of_python() -> None:
    deep_list: list[Any] = []
    deep_dict: dict[str, Any] = {}
    for _ in range(100_000):
        deep_list, deep_dict = [deep_list], {"a": deep_dict}
    for value, inner in ((copy_of(deep_list), 0), (copy_of(deep_dict), "a")):
        depth, at = 0, value
        while at:
            at, depth = at[inner], depth + 1
        assert depth == 100_000


def test_one_object_met_twice_is_one_object_there() -> None:
    one = [1]
    got = copy_of({"a": one, "b": (one, deque([one]))})
    assert got["a"] is got["b"][0] is got["b"][1][0]


BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


class Own(dt.tzinfo):
    """A time zone of the program's own."""

    def utcoffset(self, _: dt.datetime | None) -> dt.timedelta:
        return dt.timedelta(hours=3)


@pytest.mark.parametrize("fold", [0, 1])
def test_a_named_time_zone_stays_itself(fold: int) -> None:
    moment = dt.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=fold)
    got = copy_of(moment)
    assert got.tzinfo is BERLIN
    assert (got, got.fold, got.utcoffset()) == (moment, fold, moment.utcoffset())
    assert copy_of(dt.time(2, 30, tzinfo=BERLIN)).tzinfo is BERLIN
    assert copy_of([BERLIN, BERLIN]) == [BERLIN, BERLIN]


def test_a_fixed_offset_keeps_a_name_of_its_own() -> None:
    for zone in (dt.UTC, dt.timezone(dt.timedelta(hours=1)), dt.timezone(dt.timedelta(hours=1), "CET")):
        assert (copy_of(zone), copy_of(zone).tzname(None)) == (zone, zone.tzname(None))


def test_a_time_zone_of_the_programs_own_keeps_its_offset() -> None:
    moment = dt.datetime(2024, 7, 1, 12, tzinfo=Own())
    assert copy_of(moment) == moment
    assert copy_of(moment).tzinfo == dt.timezone(dt.timedelta(hours=3))
    assert copy_of(dt.time(12, tzinfo=Own())).tzinfo == dt.timezone(dt.timedelta(hours=3))


@pytest.mark.parametrize(
    "key", ["", "Europe", "No/Such", "../etc/passwd", "/etc/passwd", "Europe/Berlin\0", "a" * 5000]
)
def test_a_time_zone_that_there_is_none_of_is_refused(key: str) -> None:
    with pytest.raises(codec.CodecError):
        codec.decode(b"K" + len(key).to_bytes(4, "little") + key.encode())


class Sly(list):  # type: ignore[type-arg]  # bare, as programs write it
    """Says other things about itself than what it holds."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __iter__(self) -> Any:
        return iter([666])

    def __len__(self) -> int:
        return 99


def subclass(base: type) -> type:
    """A subclass whose own methods all lie."""

    def lie(*_: object) -> Any:
        raise AssertionError("asked the subclass")

    names = (
        "__iter__ __len__ __getitem__ items keys __bytes__ __float__ __int__ __add__ __str__ __pos__ __repr__ maxlen"
    )
    return type("Lying", (base,), dict.fromkeys(names.split(), lie))


@pytest.mark.parametrize(
    "plain",
    [
        7, 2**70, -0.0, complex(-0.0, -0.0), "a\udfff", b"ab", (1, (2,)), frozenset([1]), [1, "a"], {"a": 1}, {1, 2},
        bytearray(b"ab"), deque([1, 2]), deque([1, 2], 2),
    ],
    ids=lambda plain: type(plain).__name__,
)  # fmt: skip
def test_a_subclass_is_copied_by_its_base_content_whatever_it_says(plain: Any) -> None:
    lying = subclass(type(plain))
    o = lying(plain, plain.maxlen) if isinstance(plain, deque) and plain.maxlen else lying(plain)
    got, encoder, decoder = there_and_back([o, o])
    assert shape(got[0]) == shape(plain)
    assert len(encoder.mutables) == len(decoder.mutables)
    if isinstance(plain, list | dict | set | bytearray | deque):
        assert got[0] is got[1]


def test_a_mapping_subclass_is_copied_in_its_own_order() -> None:
    cls = type("Own", (OrderedDict,), {})
    own = cls(a=1, b=2)
    own.move_to_end("a")
    assert list(copy_of(own).items()) == [("b", 2), ("a", 1)]
    named = collections.namedtuple("named", "x y")  # noqa: PYI024 (the untyped form is the one that programs use)
    colour = enum.IntEnum("colour", "red")
    assert shape(copy_of([named(1, 2), colour.red, Counter("aab")])) == shape([(1, 2), 1, Counter("aab")])


def test_containers_with_a_plain_counterpart_become_that() -> None:
    others = [UserList([1]), UserDict(a=1), UserString("a"), types.MappingProxyType({1: 2})]
    got, encoder, decoder = there_and_back(others)
    assert got == [[1], {"a": 1}, "a", {1: 2}]
    assert len(encoder.mutables) == len(decoder.mutables)


def test_views_of_a_mapping_keep_their_order_and_compare_as_python_compares_them() -> None:
    letters: dict[str, Any] = {"b": 1, "a": [2]}
    keys, items, values = copy_of([letters.keys(), letters.items(), letters.values()])
    assert (list(keys), list(reversed(items)), list(values)) == (["b", "a"], [("a", [2]), ("b", 1)], [1, [2]])
    assert keys == {"a", "b"} == letters.keys() == keys | {"a"}
    assert items == letters.items()
    assert keys != ["b", "a"]
    assert items != [("b", 1), ("a", [2])]
    assert values != [1, [2]]
    assert copy_of({1: 2}.items()) == {(1, 2)}
    assert repr(copy_of(OrderedDict(a=1).values())) == "odict_values([1])"


def test_a_view_is_sent_without_what_it_does_not_show() -> None:
    odd = object()
    assert list(copy_of({1: odd}.keys())) == [1]
    assert list(copy_of({odd: 1}.values())) == [1]
    with pytest.raises(CodecError, match="not a plain value"):
        codec.encode({1: odd}.items())


def test_an_array_of_numbers_keeps_its_type_and_is_one_where_it_is_met_twice() -> None:
    numbers = array.array("h", [1, -2])
    got, again, view = copy_of([numbers, numbers, {1: numbers}.values()])
    assert got == numbers
    assert got != [1, -2]
    assert got.typecode == "h"
    assert got is again is next(iter(view))
    assert got is not numbers


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"Rz\0\0\0\0", "unknown type"),
        (b"R\xff\0\0\0\0", "can't decode"),
        (b"Ri\3\0\0\0abc", "not a multiple"),
        (b"Ru\4\0\0\0\xff\xff\xff\x7f", "not in range"),
        (b"V\6\0\0\0\0", "out of range"),
        (b"V\1\1\0\0\0N", "key without a value"),
    ],
)
def test_an_unknown_kind_of_array_or_view_and_a_broken_one_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        codec.decode(data)


@pytest.mark.parametrize("wrap", [lambda o: {1: o}.values(), lambda o: OrderedDict({1: o}).items()])
def test_views_in_views_are_written_no_deeper_than_they_are_read(wrap: Any) -> None:
    value: Any = 1
    for _ in range(900):
        value = wrap(value)
    assert type(copy_of(value)) is type(value)
    for _ in range(300):
        value = wrap(value)
    with pytest.raises(CodecError, match="too deep"):
        codec.encode(value)


# -- what the encoder refuses


@pytest.mark.parametrize(
    "value",
    [object(), len, lambda: 1, Sly, Exception("a"), iter([]), np.datetime64("2024"), np.zeros(2, "V3"), slice([1])],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_plain_is_refused_or_left_to_the_hook(value: Any) -> None:
    with pytest.raises(CodecError, match="not a plain value"):
        codec.encode([value])
    data = codec.Encoder(opaque=lambda _: codec.reference(9)).encode([value, 1])
    assert codec.Decoder(on_reference=lambda number: ("mine", number)).decode(data) == [("mine", 9), 1]


def tuples(depth: int) -> Any:
    value: Any = ()
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "wrap", [lambda v: (v,), lambda v: deque([v]), lambda v: objects([v], ()), lambda v: defaultdict(int, {1: v})]
)
def test_the_encoder_writes_no_deeper_than_the_decoder_reads(wrap: Any) -> None:
    value: Any = 1
    for _ in range(900):
        value = wrap(value)
    assert shape_depth(copy_of(value)) == 900
    for _ in range(300):
        value = wrap(value)
    with pytest.raises(CodecError, match="too deep"):
        codec.encode(value)


def shape_depth(value: Any) -> int:
    depth = 0
    while type(value) is not int:
        value, depth = (value[1] if isinstance(value, dict) else value[0]), depth + 1
    return depth


def test_tuples_nested_in_tuples_may_be_parted_by_lists() -> None:
    value: Any = ()
    for _ in range(50):
        value = [tuples(400), value]
    assert copy_of(value)[1][1][0] == tuples(400)


def test_what_is_endless_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["a"] = types.MappingProxyType(endless)
    with pytest.raises(CodecError, match="nested too deeply"):
        codec.encode(endless)
    with pytest.raises(CodecError, match="too large: a fraction"):
        codec.encode(fractions.Fraction(1, 2**40_000))


# -- handles, values with handles, instances


def test_handles_references_and_callbacks_go_to_their_hooks_and_nowhere_else() -> None:
    pieces = {
        "on_handle": codec.handle(7, "iterator", "count", "é"),
        "on_reference": codec.reference(8),
        "on_callback": codec.callback(9),
    }
    for hook, data in pieces.items():
        got = codec.Decoder(**{hook: lambda *told: told}).decode(data)
        assert got == {"on_handle": (7, "iterator", "count", "é"), "on_reference": (8,), "on_callback": (9,)}[hook]
        with pytest.raises(CodecError, match="where plain data was asked for"):
            codec.decode(data)


class Joined(list):  # type: ignore[type-arg]  # bare, as programs write it
    """Stands for a copied list with a handle."""


def test_a_valued_container_met_again_is_the_joined_object() -> None:
    class Own(list):  # type: ignore[type-arg]  # bare, as programs write it
        def __add__(self, other: Any) -> Any:
            return self

    own = Own([1])
    own.append(own)
    encoder = codec.Encoder(opaque=lambda _: codec.handle(3, "iterable", "Own"), valued=True)
    data = encoder.encode([[0], own, own, Own()])
    decoder = codec.Decoder(
        on_handle=lambda *h: h, on_valued=lambda base, remote, changed: Joined([base, remote, changed])
    )
    first, joined, again, other = decoder.decode(data)
    assert type(joined) is Joined
    assert joined is again
    assert joined[0][0] == 1
    assert joined[1:] == [(3, "iterable", "Own", ""), ["__add__"]]
    assert (first, other[0]) == ([0], [])
    assert len(decoder.mutables) == len(encoder.mutables)
    with pytest.raises(CodecError, match="where plain data"):
        codec.decode(data)


class Thing:
    """A class of the test's setup."""

    __module__ = "solution"


def test_instances_travel_by_class_name_and_content_also_in_cycles() -> None:
    thing, other = Thing(), Thing()
    vars(thing).update(me=thing, other=other, attributes=vars(thing), many=[1])
    other.owner = thing  # type: ignore[attr-defined]  # it has what is put there
    value = [[0], thing, vars(thing), other, {"last": []}]
    encoder = codec.Encoder(classes={Thing: "Thing"})
    decoder = codec.Decoder(on_instance={"Thing": Thing()}.__getitem__)
    decoder.on_instance = lambda name: {"Thing": Thing}[name]()
    got = decoder.decode(encoder.encode(value))
    assert shape(got) == shape(value)
    assert got[1].me is got[1]
    assert got[2] is vars(got[1]) is got[1].attributes
    assert [type(o) for o in decoder.mutables] == [type(o) for o in encoder.mutables]
    assert [shape(o) for o in decoder.mutables] == [shape(o) for o in encoder.mutables]


def test_an_instance_of_a_class_that_is_not_shared_is_refused() -> None:
    data = codec.Encoder(classes={Thing: "Thing"}).encode(Thing())

    def next_of_none(_: str) -> Any:
        return next(iter(()))

    for hook in (None, {}.__getitem__, next_of_none):
        with pytest.raises(CodecError):
            codec.Decoder(on_instance=hook).decode(data)
    forged = b"o" + data[1:-4] + struct.pack("<I", 2) + b"NN"
    with pytest.raises(CodecError, match="no text"):
        codec.Decoder(on_instance=lambda _: Thing()).decode(forged)


def test_homes_go_through_the_hook_whatever_they_derive_from() -> None:
    encoder = codec.Encoder(opaque=lambda _: codec.reference(4), homes={Sly})
    assert codec.Decoder(on_reference=lambda n: n).decode(encoder.encode(([1], Sly([1])))) == ([1], 4)


# -- whatever the bytes


HOOKS: dict[str, Any] = {
    "on_handle": lambda *told: told,
    "on_reference": [1, "a"].__getitem__,
    "on_callback": lambda _: len,
    "on_valued": lambda base, *_: base,
    "on_instance": lambda _: Thing(),
}
U32 = st.one_of(st.integers(0, 3), st.sampled_from([2**16, 2**31, 2**32 - 1])).map(lambda n: struct.pack("<I", n))
IN_PLACE = "NTF.!isf[("
"""Tags that the decoder reads without a reader of their own."""
TAG = st.sampled_from([tag.encode("latin-1") for tag in (*codec._TAGS, *IN_PLACE)])
DTYPE = st.sampled_from(["<i8", "|b1", "<U1", "|O8", "|V9", "<f2", ">c16", "|S0", "<U999999"]).map(codec._text)
ODD = st.sampled_from([b"V\0", b"V\1", b"V\2", b"V\3", b"V\4", b"V\5", b"V\6", b"Ri", b"Rd", b"Ru", b"Rz"])
SMALL = st.sampled_from([b"\0", b"\1", b"N", b"i" + bytes(8), b"r\0\0\0\0", b"s\1\0\0\0a", b"[\0\0\0\0", b"\xff" * 8])
FORGED = st.lists(
    st.one_of(TAG, TAG.flatmap(lambda tag: U32.map(tag.__add__)), ODD, U32, DTYPE, SMALL), max_size=30
).map(b"".join)


def decodes_or_refuses(data: bytes) -> None:
    for hooks in ({}, HOOKS):
        with contextlib.suppress(CodecError):
            codec.Decoder(**hooks).decode(data)


@FOR_LONG
@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_a_codec_error(data: bytes) -> None:
    decodes_or_refuses(data)


@settings(max_examples=1000, deadline=None)
@given(FORGED)
def test_any_string_of_tags_and_counts_is_a_value_or_a_codec_error(data: bytes) -> None:
    decodes_or_refuses(data)


@FOR_LONG
@given(VALUES, st.data())
def test_a_message_with_changed_bytes_is_a_value_or_a_codec_error(value: Any, data: st.DataObject) -> None:
    message = bytearray(codec.encode(value))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(message) - 1)))
        message[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    decodes_or_refuses(bytes(message))


@FOR_LONG
@given(HASHABLES, st.data())
def test_a_message_cut_short_or_gone_on_is_refused(value: Any, data: st.DataObject) -> None:
    message = codec.encode(value)
    for wrong in (message[: data.draw(st.integers(0, len(message) - 1))], message + b"N"):
        with pytest.raises(CodecError):
            codec.decode(wrong)


@pytest.mark.parametrize("tag", sorted({*codec._TAGS, *IN_PLACE} - set("NTF.!ifcglmzdtuw/rHk")))
@pytest.mark.parametrize("count", [2**32 - 1, 2**31, 10**6])
def test_a_lie_about_a_count_costs_nothing(tag: str, count: int) -> None:
    heads = {
        "n": codec._text("<i8"),
        "a": codec._text("<i8") + b"\0",
        "A": b"\0",
        "q": bytes(8),
        "e": bytes(4),
        "o": bytes(4),
        "R": b"i",
        "V": b"\0",
    }
    data = tag.encode() + heads.get(tag, b"") + struct.pack("<I", count) + bytes(100)
    tracemalloc.start()
    try:
        for hooks in ({}, HOOKS):
            with pytest.raises(CodecError):
                codec.Decoder(**hooks).decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000


@pytest.mark.parametrize("dims", [(2**32 - 1, 2**32 - 1), (0, 2**32 - 1, 2**32 - 1), (2**16, 2**16), (1,) * 65, (3,)])
def test_dimensions_that_the_data_do_not_fill_are_refused(dims: tuple[int, ...]) -> None:
    shape_bytes = bytes((len(dims),)) + b"".join(struct.pack("<I", n) for n in dims)
    with pytest.raises(CodecError):
        codec.decode(b"a" + codec._text("<i8") + shape_bytes + struct.pack("<I", 16) + bytes(16))
    with pytest.raises(CodecError):
        codec.decode(b"A" + shape_bytes + struct.pack("<I", 2) + b"NN")


@pytest.mark.parametrize(
    "dtype",
    ["O", "|O8", "V8", "M8[s]", "<m8[s]", "i4,i4", "<i3", "", "U", "<U9999999", "<U0", "(2,)i4", "i", "T16", "<i8\n"],
)
def test_a_dtype_of_anything_but_plain_numbers_and_texts_is_refused(dtype: str) -> None:
    for tag in (b"n", b"a"):
        with pytest.raises(CodecError):
            codec.decode(tag + codec._text(dtype) + (b"\0" if tag == b"a" else b"") + struct.pack("<I", 8) + bytes(8))


@pytest.mark.parametrize(("dtype", "content"), [("|b1", b"\2"), ("<U1", b"\xff\xff\xff\xff"), (">U1", b"\0\x11\0\0")])
def test_array_content_that_would_break_numpy_is_refused(dtype: str, content: bytes) -> None:
    with pytest.raises(CodecError):
        codec.decode(b"a" + codec._text(dtype) + b"\1\1\0\0\0" + struct.pack("<I", len(content)) + content)


ONE = struct.pack("<I", 1)
CHAINS = {
    "tuple": b"(" + ONE,
    "frozenset": b"Z" + ONE,
    "deque": b"q" + bytes(8) + ONE,
    "defaultdict": b"e" + bytes(4) + struct.pack("<I", 2) + b"N",
    "object array": b"A\1" + ONE + ONE,
    "valued tuple": b"vh" + bytes(4 + 1 + 4 + 4) + bytes(4) + b"(" + ONE,
    "view of values": b"V\2" + ONE,
    "view of an ordered dictionary's values": b"V\5" + ONE,
    "tuple in an instance": b"o" + bytes(4) + struct.pack("<I", 2) + b"s" + ONE + b"a(" + ONE,
}


@pytest.mark.parametrize("head", CHAINS.values(), ids=CHAINS)
def test_no_chain_is_built_that_would_end_the_interpreter(head: bytes) -> None:
    with pytest.raises(CodecError, match="too deeply"):
        codec.Decoder(**HOOKS).decode(head * 100_000 + b"N")
    codec.Decoder(**HOOKS).decode(head * 400 + b"N")


@pytest.mark.parametrize("dims", [(0, 1 << 21), (1 << 21, 0), (3, 0, 1 << 20)])
def test_an_array_of_nothing_has_no_millions_of_rows(dims: tuple[int, ...]) -> None:
    shape = bytes((len(dims),)) + b"".join(struct.pack("<I", n) for n in dims)
    for data in (b"a" + b"\3\0\0\0<f8" + shape + bytes(4), b"A" + shape + bytes(4)):
        with pytest.raises(CodecError, match="array of nothing"):
            codec.decode(data)
    assert codec.decode(codec.encode(np.zeros((0, 1000)))).shape == (0, 1000)


@pytest.mark.parametrize("codes", ["Q", "qx", "9q", "s", " q", "qe", "c"])
def test_mixed_numbers_are_of_three_types_only(codes: str) -> None:
    data = bytes(struct.calcsize("<" + codes))
    with pytest.raises(CodecError, match="unknown type"):
        codec.decode(b"M" + struct.pack("<I", len(codes)) + codes.encode() + data)


def test_a_long_list_of_mixed_numbers_takes_little_more_memory_than_its_numbers() -> None:
    data = codec.encode([0.5, 1] * 100_000)
    tracemalloc.start()
    try:
        codec.decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * len(data)


@pytest.mark.parametrize("value", [5, 2**63, -(2**63), True, False, None, 1.5, -0.0, "é\udfff", ""])
def test_a_leaf_is_encoded_as_any_other_value(value: Any) -> None:
    assert codec.leaf(value) in (codec.encode(value), None if value == 2**63 else b"")
    assert [codec.leaf(o) for o in ([1], (), b"a", Sly(), np.float64(1), Named("a"))] == [None] * 6


@FOR_LONG
@given(VALUES)
def test_a_flat_value_is_encoded_as_any_other(value: Any) -> None:
    assert codec.flat(value) in (None, codec.encode(value))


@pytest.mark.parametrize(
    "value", [[], (), [1, "a", None], ["a"] * 9, [1.5] * 8, tuple(range(20)), [True, 2, 3, 4, 5, 6, 7, 8.0]]
)
def test_lists_and_tuples_of_leaves_are_flat(value: Any) -> None:
    assert codec.flat(value) == codec.encode(value)


@pytest.mark.parametrize(
    "value",
    [tuple(range(9)), tuple("abcdefghi"), (1.5,) * 8, (True, 2, 2.5) * 3, [("é",) * 8] * 2, ((2**70,) * 9, [(1,) * 8])],
)
def test_long_tuples_of_numbers_or_texts_come_back_as_tuples_that_have_no_number(value: Any) -> None:
    copy, encoder, decoder = there_and_back([value, [1]])
    assert shape(copy) == shape([value, [1]])
    assert len(decoder.mutables) == len(encoder.mutables)


@pytest.mark.parametrize("data", [b"P", b"PN", b"P(\2\0\0\0NN", b"P[\0\0\0\0", b"PP", b"PL\2\0\0\0"])
def test_a_tuple_of_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(CodecError):
        codec.decode(data)


def test_the_values_in_long_tuples_count_as_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_PIECES", 100)
    assert copy_of([tuple(range(50))] * 2) == [tuple(range(50))] * 2
    with pytest.raises(CodecError, match="too large"):
        codec.encode([tuple(range(50))] * 3)


@pytest.mark.parametrize("value", [[[1]], [()], [2**63], [1, {}], ["a"] * 9 + [None], b"a", {1: 2}])
def test_what_holds_anything_else_is_not_flat(value: Any) -> None:
    assert codec.flat(value) is None


@FOR_LONG
@given(st.lists(VALUES, max_size=3), st.dictionaries(st.text(max_size=3), VALUES, max_size=2))
def test_arguments_are_read_the_short_way_as_the_long_way(args: list[Any], keywords: dict[str, Any]) -> None:
    data = codec.encode((tuple(args), tuple(keywords.items())))
    short, long = codec.Decoder(known=[[]]), codec.Decoder(known=[[]])
    assert shape(short.decode_call(data)) == shape(long.decode(data))
    assert shape(short.mutables) == shape(long.mutables)
    assert short.has_sets == long.has_sets


@pytest.mark.parametrize("keywords", [(("a", ()),), ((),), ("", ()), (((), ()), ())])
def test_keywords_that_end_as_if_there_were_none_are_read_too(keywords: Any) -> None:
    data = codec.encode((([1], {2}), keywords))
    assert codec.Decoder().decode_call(data) == (([1], {2}), keywords)


def test_what_is_no_arguments_is_refused_the_short_way_too() -> None:
    data = codec.encode((([1], "a"), ()))
    for end in range(len(data)):
        with contextlib.suppress(CodecError):
            assert codec.Decoder().decode_call(data[:end]) == codec.decode(data[:end])
    with pytest.raises(CodecError):
        codec.Decoder().decode_call(data + b"N")


@FOR_LONG
@given(st.lists(st.lists(st.integers() | st.text(max_size=3), max_size=9) | st.integers(), max_size=3))
def test_a_call_without_keywords_is_encoded_the_short_way_as_the_long_way(args: list[Any]) -> None:
    assert codec.encode_call(args) == codec.encode((tuple(args), ()))


@given(st.lists(st.tuples(st.sampled_from("fgh"), st.binary(max_size=4)), max_size=9))
def test_calls_that_go_out_together_come_back(calls: list[tuple[str, bytes]]) -> None:
    assert codec.decode_calls(codec.encode_calls(calls)) == calls


class Named(str):
    """A text of another type."""

    __slots__ = ()


def test_a_value_of_too_many_parts_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_PIECES", 100)
    with pytest.raises(CodecError, match="over 100 values"):
        codec.encode([("a",)] * 60)
    assert copy_of([("a",)] * 40 + [[1] * 1000]) == [("a",)] * 40 + [[1] * 1000]


def test_a_slice_of_containers_is_refused() -> None:
    with pytest.raises(CodecError, match="slice"):
        codec.decode(b"l[\0\0\0\0NN")


def test_nesting_beyond_the_cap_is_refused() -> None:
    with pytest.raises(CodecError, match="nested too deeply"):
        codec.decode((b"[" + ONE) * 500_000 + b"N")


@pytest.mark.parametrize(
    "piece",
    [
        *(b"N", b"[\0\0\0\0", b"{\0\0\0\0", b"S\0\0\0\0", b"q" + bytes(12), b"O\0\0\0\0", b"C\0\0\0\0"),
        *(b"Ri\0\0\0\0", b"V\0\0\0\0\0", b"V\5\0\0\0\0", b"M\0\0\0\0", b"M\1\0\0\0?\1"),
    ],
)
def test_memory_is_bounded_by_the_length_of_the_data(piece: bytes) -> None:
    data = b"[" + struct.pack("<I", 5_000) + piece * 5_000
    tracemalloc.start()
    try:
        codec.decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150 * len(data)


def test_a_fraction_that_would_take_long_to_cancel_is_refused() -> None:
    data = bytearray(codec.encode((2**80_001 + 1, 2**80_000 + 1)))
    data[:5] = b"/"
    with pytest.raises(CodecError, match="too large"):
        codec.decode(bytes(data))


def test_a_knot_through_a_set_of_unfinished_things_is_refused() -> None:
    for data in (b"[" + ONE + b"S" + ONE + b"r\0\0\0\0", b"{" + struct.pack("<I", 2) + b"r\0\0\0\0N"):
        with pytest.raises(CodecError, match="unhashable"):
            codec.decode(data)


# -- beside other programs


PROBE = """
import importlib.util, sys
sys.modules.update(dict.fromkeys(sys.argv[2:]))
spec = importlib.util.spec_from_file_location("codec", sys.argv[1])
codec = importlib.util.module_from_spec(spec)
spec.loader.exec_module(codec)
"""


def run_probe(code: str, *, python: str = sys.executable) -> str:
    run = subprocess.run(
        [python, "-I", "-S", "-c", PROBE + code, str(FILE)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_without_numpy_its_values_are_refused_and_numpy_stays_unloaded() -> None:
    messages = [codec.encode(value) for value in (np.float64(1), np.zeros(2), np.array([None]))]
    code = f"""
for data in {messages!r}:
    try:
        codec.decode(data)
    except codec.CodecError as error:
        print(error)
assert codec.decode(codec.encode([1, {{"a": (2.5,)}}])) == [1, {{"a": (2.5,)}}]
assert "numpy" not in sys.modules
sys.modules["numpy"] = type(sys)("numpy")  # a stub, as programs make that want to do without
assert codec.Encoder(opaque=lambda _: codec.reference(1)).encode(object()) == codec.reference(1)
"""
    assert run_probe(code).splitlines() == ["numpy is not loaded here"] * 3


def test_a_program_that_patches_builtins_and_the_library_does_not_reach_the_codec() -> None:
    code = """
import array, builtins, collections, datetime, decimal, struct
views = [o.keys() for o in ({"a": 1}, collections.OrderedDict(a=1))]
value = [1, "a", collections.deque([1]), datetime.date(2024, 1, 2), decimal.Decimal("1.5"), collections.Counter("aab"), [2.5] * 9]
value += [array.array("i", [1]), *views, [1, 2.5, True] * 3, ["a"] * 9]
data = codec.encode(value)
for name in "len tuple type isinstance issubclass list dict frozenset map zip iter id any next bytes int".split():
    setattr(builtins, name, None)
collections.deque = datetime.date = datetime.datetime = decimal.Decimal = collections.Counter = None
array.array = array.typecodes = collections.OrderedDict = struct.Struct = struct.error = None
assert codec.encode(value) == data == codec.encode(codec.decode(data))
"""
    run_probe(code)


def test_it_loads_no_more_than_the_standard_library_it_names() -> None:
    loaded = run_probe(
        "print(*sorted(m for m in sys.modules if m in ('pickle', 'inspect', 'pathlib', 'asyncio', 'json')))"
    )
    assert loaded == ""
