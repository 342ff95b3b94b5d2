"""Stand-ins: every use of one is a request to its session, and content that was copied is used here."""

from __future__ import annotations

import asyncio
import copy
import operator

import pytest

from assay.judge.proxies import KINDS, VALUED, Remote, RemoteCallable, RemoteIterable, RemoteIterator, valued


class Session:
    """Notes what is asked and gives prepared answers."""

    def __init__(self, *answers, allowed=()):
        self.asked = []
        self.answers = list(answers)
        self.allowed = allowed

    def call(self, _remote, args, keywords):
        self.asked.append(("call", args, keywords))
        return self.answers.pop(0)

    def operate(self, operation, _remote, args=(), want=None):
        self.asked.append((operation, args, want))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def allows(self, shape):
        return shape in self.allowed


def stand_in(session, kind="object"):
    return KINDS.get(kind, Remote)(session, 4, kind, "Thing")


@pytest.mark.parametrize(
    ("use", "asked"),
    [
        (lambda r: r == 1, ("eq", (1,), bool)),
        (lambda r: operator.eq(1, r), ("eq", (1,), bool)),
        (lambda r: r != 1, ("ne", (1,), bool)),
        (lambda r: r < 1, ("lt", (1,), bool)),
        (lambda r: r + 1, ("add", (1,), None)),
        (lambda r: 1 + r, ("radd", (1,), None)),
        (lambda r: r[0], ("getitem", (0,), None)),
        (lambda r: r.size, ("getattr", ("size",), None)),
        (bool, ("bool", (), bool)),
        (str, ("str", (), str)),
        (hash, ("hash", (), int)),
        (lambda r: 1 in r, ("contains", (1,), bool)),
        (operator.index, ("index", (), int)),
        (lambda r: f"{r:>3}", ("format", (">3",), str)),
    ],
)
def test_a_use_of_an_object_is_a_request_with_the_type_that_python_wants(use, asked):
    answers = {bool: True, str: "s", int: 1}
    session = Session(answers.get(asked[2], 0))
    use(stand_in(session))
    assert session.asked == [asked]


def test_identity_type_and_copies_of_a_stand_in_ask_nobody():
    session = Session()
    thing, function = stand_in(session), stand_in(session, "callable")
    assert thing is not None
    assert type(thing) is Remote
    assert not isinstance(thing, (int, str, list))
    assert copy.deepcopy([thing])[0] is thing
    assert copy.copy(thing) is thing
    assert repr(thing) == "<Thing object of the candidate>"
    assert function == function  # noqa: PLR0124 (with itself is the point)
    assert hash(function) == hash(function)
    assert callable(function)
    assert not callable(thing)
    assert not hasattr(thing, "__array__")
    assert session.asked == []


def test_an_iterator_is_exhausted_and_a_list_of_it_asks_for_nothing_but_items():
    session = Session(1, 2, StopIteration())
    iterator = stand_in(session, "iterator")
    assert type(iterator) is RemoteIterator
    assert list(iterator) == [1, 2]
    assert {operation for operation, _, _ in session.asked} == {"next"}


def test_an_iterable_is_asked_once_and_replayed():
    session = Session([1, 2, 3])
    iterable = stand_in(session, "iterable")
    assert type(iterable) is RemoteIterable
    assert next(iter(iterable)) == 1
    assert [list(iterable), sorted(iterable, reverse=True), sum(iterable), len(iterable)] == [
        [1, 2, 3],
        [3, 2, 1],
        6,
        3,
    ]
    assert session.asked == [("iter", (), None)]


def test_the_length_of_an_iterable_is_the_candidates_own_where_the_reference_needed_it():
    session = Session(7, allowed=("len",))
    assert len(stand_in(session, "iterable")) == 7
    assert session.asked == [("len", (), int)]


def test_a_callable_is_called_with_what_it_was_given():
    session = Session(5)
    function = stand_in(session, "class")
    assert type(function) is RemoteCallable
    assert function(1, key=2) == 5
    assert session.asked == [("call", (1,), {"key": 2})]


@pytest.mark.parametrize("base", VALUED)
def test_copied_content_behaves_as_the_plain_value_and_asks_nobody(base):
    session = Session()
    plain = base({1: 2} if base is dict else "12" if base in (str, int, float) else b"ab" if base is bytes else [1, 2])
    joined = valued(plain, stand_in(session), ["__add__", "__sub__", "__abs__", "__str__", "__eq__"])
    assert joined == plain
    assert isinstance(joined, base)
    assert base in (set, frozenset) or str(joined) == str(plain), "a set's text has the name of its class"
    if base in (int, float):
        assert abs(joined - 1) == abs(plain - 1)
        assert joined + 1 == plain + 1
    elif base not in (dict, set, frozenset):
        assert joined + base() == plain
    assert session.asked == []


def test_methods_of_copied_content_go_to_the_candidate_and_special_names_do_not():
    session = Session(9, 8)
    joined = valued([1], stand_in(session), [])
    assert joined.longest == 9
    assert joined._asdict == 8
    assert session.asked == [("getattr", ("longest",), None), ("getattr", ("_asdict",), None)]
    for name in ("__array__", "_assay_handle", "_assay_session"):
        with pytest.raises(AttributeError):
            getattr(joined, name)


def test_an_awaitable_is_awaited_with_one_request_and_is_a_coroutine_to_asyncio():
    async def both():
        return await stand_in(session, "awaitable"), await asyncio.wait_for(stand_in(session, "awaitable"), 9)

    session = Session((1, 2), 3, KeyError("k"), 5)
    assert asyncio.run(both()) == ((1, 2), 3)
    with pytest.raises(KeyError):
        asyncio.run(stand_in(session, "awaitable"))
    assert asyncio.run(stand_in(session, "awaitable")) == 5
    assert session.asked == [("await", (), None)] * 4


def test_an_async_iterator_ends_where_the_candidates_does():
    async def items():
        return [item async for item in stand_in(session, "async iterator")]

    session = Session(1, 2, StopAsyncIteration())
    assert asyncio.run(items()) == [1, 2]
    assert session.asked == [("anext", (), None)] * 3


def test_an_overridden_operator_is_the_candidates_only_where_the_reference_needed_it():
    session = Session(99, allowed=("add",))
    joined = valued((1, 2), stand_in(session), ["__add__"])
    assert operator.add(joined, (3,)) == 99
    plain = valued((1, 2), stand_in(session), [])
    assert operator.add(plain, (3,)) == (1, 2, 3)
