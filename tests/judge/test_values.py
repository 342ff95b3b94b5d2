"""Values on their way over the border: containers are refilled in place, exceptions made, only plain data opened without a session."""

from __future__ import annotations

from array import array
from collections import OrderedDict, deque

import numpy as np
import pytest
from replies import Handle, frame

from assay.judge.values import Values, apply_changes, open_plain, refill
from assay.judge.wire import codec


class Plain:
    """A class that setup could define."""

    def __init__(self, **state):
        self.__dict__.update(state)


@pytest.mark.parametrize(
    ("container", "content", "after"),
    [
        ([1], [2, 3], [2, 3]),
        ({1}, [2, 3], {2, 3}),
        ({"a": 1}, ["b", 2], {"b": 2}),
        (OrderedDict(a=1), ["b", 2, "c", 3], OrderedDict(b=2, c=3)),
        (bytearray(b"a"), b"bc", bytearray(b"bc")),
        (deque([1], 2), [7, 8, 9], deque([8, 9], 2)),
        (array("i", [1]), array("i", [2, 3]), array("i", [2, 3])),
    ],
)
def test_a_container_is_refilled_in_place(container, content, after):
    alias = container
    refill(container, content)
    assert alias == after
    assert type(alias) is type(after)


def test_an_instance_is_refilled_by_its_attributes():
    o = Plain(a=1)
    refill(o, ["b", 2])
    assert vars(o) == {"b": 2}


@pytest.mark.parametrize("content", [array("d", [2]), [2], 5, b"ab"])
def test_an_array_of_numbers_takes_only_its_own_kind(content):
    numbers = array("i", [1])
    with pytest.raises(TypeError):
        refill(numbers, content)
    assert numbers == array("i", [1])


def test_an_array_is_refilled_in_place():
    numpy = pytest.importorskip("numpy")
    array = numpy.zeros(3)
    refill(array, numpy.array([1, 2, 3]))
    assert array.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("container", "content"), [([1], 5), ({1}, [[]]), ({}, ["odd"]), ({}, [[], 1]), (bytearray(), "text"), ({1: 2}, 5)]
)
def test_contents_that_do_not_fit_are_refused_and_change_nothing(container, content):
    before = type(container)(container)
    with pytest.raises((TypeError, ValueError)):
        refill(container, content)
    assert container == before


@pytest.mark.parametrize("changes", [[(9, [])], [("x", [])], [5], 5, [(0,)], [(0, [], [])]])
def test_changes_that_name_no_container_are_refused(changes):
    with pytest.raises((IndexError, TypeError, ValueError)):
        apply_changes([[1]], changes)


ARGUMENTS = codec.encode((([1],), ()))


def test_a_plain_reply_is_opened_with_its_changes():
    assert open_plain(codec.encode(("ok", 5)), ARGUMENTS) == (5, None)
    assert open_plain(codec.encode(("ok", 5, [(0, [2])])), ARGUMENTS) == (5, ([2],))


@pytest.mark.parametrize("value", [None, True, 5, 2.5, "a", 2**70, b"a", (), [], {"a": {1}}])
def test_a_plain_answer_is_what_it_is_whether_it_is_one_leaf_or_many(value):
    assert open_plain(codec.encode(("ok", value)), ARGUMENTS) == (value, None)
    with pytest.raises(codec.CodecError):
        open_plain(codec.encode(("ok", value)) + b"N", ARGUMENTS)


@pytest.mark.parametrize(
    "reply", [("raised", 1), ("unsendable", "x"), ("ok",), ("ok", 1, [], 2), ["ok", 1], 5, ("OK", 1)]
)
def test_what_is_no_answer_is_not_opened(reply):
    with pytest.raises(codec.CodecError):
        open_plain(codec.encode(reply), ARGUMENTS)


def test_a_reply_that_holds_an_object_is_not_plain():
    with pytest.raises(codec.CodecError):
        open_plain(frame(("ok", Handle(1))), ARGUMENTS)


def test_arguments_are_plain_only_where_all_of_them_are_data():
    values = Values(None)
    assert values.arguments(([1, "a"],), {"k": {2}}).plain
    assert not values.arguments((len, print, lambda: 1), {}).plain
    assert values.arguments((1,), {}).plain, "the next call is looked at afresh"


def test_copies_share_nothing_with_the_arguments_that_were_sent():
    values = Values(None)
    mine = [1, [2]]
    sent = values.arguments((mine, mine), {})
    (first, second), mutables = values.copies(sent.data)
    assert first == mine
    assert first is second, "but they share among themselves what was shared"
    assert first is not mine
    assert [m is o for m, o in zip(mutables, (first, first[1]), strict=True)] == [True, True]


NARROW = [np.float16(0.1), np.float32(0.1), np.complex64(0.1), np.array([0.1], dtype=">f4")]


@pytest.mark.parametrize("value", NARROW)
def test_narrow_numbers_come_in_as_wide_as_python_s_own(value):
    found = Values(None).decode(codec.encode(value))
    assert found.dtype in (np.float64, np.complex128)
    assert found == value  # the value stays: 0.1 was rounded before
    assert found != 0.1


@pytest.mark.parametrize("value", NARROW)
def test_they_stay_narrow_where_the_reference_gives_such_ones(value):
    reference = Values(None, None)
    assert reference.decode(codec.encode(value)).dtype == value.dtype
    assert reference.narrow == {value.dtype.name}
    assert Values(None, frozenset(reference.narrow)).decode(codec.encode(value)).dtype == value.dtype


@pytest.mark.parametrize("value", [np.float64(0.1), np.longdouble(1), np.int8(5), np.array([True]), np.array(["a"])])
def test_other_values_of_numpy_come_in_as_they_are(value):
    assert Values(None).decode(codec.encode(value)).dtype == value.dtype


def test_a_handle_is_the_same_stand_in_each_time_and_goes_home_by_its_number():
    values = Values(None)
    one = values.decode(frame(Handle(3, "callable", "g")))
    assert values.decode(frame(Handle(3, "callable", "g"))) is one
    sent = values.arguments((one,), {})
    assert not sent.plain
    assert codec.reference(3) in sent.data


def test_an_exception_class_of_the_candidates_is_one_here_and_goes_home_too():
    values = Values(None)
    cls = values.decode(frame(Handle(3, "exception", "Own", "KeyError")))
    assert issubclass(cls, KeyError)
    assert codec.reference(3) in values.arguments((cls,), {}).data


def test_instances_of_setup_classes_travel_by_name_and_content():
    values = Values(None)
    values.classes[Plain] = "Plain"
    sent = values.arguments((Plain(a=[1]),), {})
    assert sent.plain
    (copy,), _ = values.copies(sent.data)
    assert type(copy) is Plain
    assert vars(copy) == {"a": [1]}
