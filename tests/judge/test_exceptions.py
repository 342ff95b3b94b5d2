"""Exceptions of the candidate's, made anew: with all that they hold as plain data, and without anything else that is told of them."""

from __future__ import annotations

import pytest

from assay.judge.exceptions import EXCEPTIONS, MAX_LEVELS, exception_class, make_exception
from assay.judge.wire import codec


def test_an_exception_has_the_arguments_that_were_sent_or_else_its_text():
    assert make_exception(KeyError, codec.encode(("a", 1)), "text").args == ("a", 1)
    assert make_exception(ValueError, b"????", "text").args == ("text",)
    assert make_exception(UnicodeDecodeError, codec.encode(("one",)), "text").args == ("text",)


def test_an_exception_of_the_candidates_says_what_its_own_text_was():
    own = exception_class("Own", KeyError)
    assert str(make_exception(own, codec.encode(()), "boom")) == "boom"
    assert str(make_exception(own, codec.encode((10**5000,)), "")) == ""
    assert str(make_exception(own, b"????", "boom")) == "boom"
    assert str(make_exception(KeyError, codec.encode(("a",)), "boom")) == "'a'"
    assert str(own("a")) == "'a'", "one that the test makes itself is as its base says"
    assert make_exception(own, codec.encode((1,)), "boom").args == (1,)


def test_a_text_that_was_cut_gives_way_to_the_arguments():
    own = exception_class("Own", ValueError)
    text = "x" * (codec.MAX_TEXT + 1)
    assert str(make_exception(own, codec.encode((text,)), text[: codec.MAX_TEXT])) == text


def test_only_exceptions_in_the_narrow_sense_are_known():
    assert "ValueError" in EXCEPTIONS
    assert {"SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"}.isdisjoint(EXCEPTIONS)


def details(args=(), attributes=None, parts=(), cause=None):
    """What is told of an exception that holds more than its arguments."""
    return codec.encode(args), b"" if attributes is None else codec.encode(attributes), parts, cause


def told(name, *args, own=None):
    """An exception within another."""
    bases = [cls.__name__ for cls in EXCEPTIONS[name].__mro__]
    return own, bases, codec.encode(args), str(args)


def test_a_group_holds_what_it_held_there():
    own = exception_class("Own", KeyError)
    parts = (told("ValueError", 1), told("KeyError", "k", own=own))
    group = make_exception(ExceptionGroup, details(("both",), parts=parts), "text")
    assert (type(group), group.message) == (ExceptionGroup, "both")
    assert [(type(error), error.args) for error in group.exceptions] == [(ValueError, (1,)), (own, ("k",))]


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (5,),
        ((None, ["SystemExit", "BaseException"], b"", "text"),),
        ((None, "ValueError", b"", "text"),),
        ((None, [1, []], b"", "text"),),
        ((None, ["ValueError"], b""),),
    ],
)
def test_a_group_of_nothing_that_may_be_raised_holds_its_text(parts):
    group = make_exception(ExceptionGroup, details(("both",), parts=parts), "text")
    assert group.message == "text"
    assert [(type(error), error.args) for error in group.exceptions] == [(Exception, ("text",))]


def test_groups_in_groups_end_somewhere():
    parts = (told("ValueError", 1),)
    for _ in range(2 * MAX_LEVELS):
        parts = ((None, ["ExceptionGroup", "Exception"], details(("in",), parts=parts), "text"),)
    error, levels = make_exception(ExceptionGroup, details(("out",), parts=parts), "text"), 0
    while isinstance(error, ExceptionGroup):
        error, levels = error.exceptions[0], levels + 1
    assert levels == MAX_LEVELS + 1


def test_a_cause_is_told_and_one_that_may_not_be_raised_is_not():
    error = make_exception(ValueError, details(cause=told("KeyError", "k")), "text")
    assert (type(error.__cause__), error.__cause__.args) == (KeyError, ("k",))
    error = make_exception(ValueError, details(cause=(None, ["SystemExit", "BaseException"], b"", "")), "text")
    assert error.__cause__ is None


def test_fields_and_attributes_are_those_that_were_told():
    error = make_exception(OSError, details((2, "gone"), {"filename": "a", "own": [1], "__notes__": ["n"]}), "text")
    assert (error.errno, error.strerror, error.filename, error.own, error.__notes__) == (2, "gone", "a", [1], ["n"])
    assert str(error) == "[Errno 2] gone: 'a'"
    assert make_exception(ModuleNotFoundError, details(("no",), {"name": "x"}), "").name == "x"


@pytest.mark.parametrize(
    "attributes",
    [
        {"with_traceback": 1},
        {"args": (5,)},
        {"__class__": 1},
        {"__notes__": "no list"},
        {"__notes__": [1]},
        {"_text_sent": "forged"},
        {5: 1},
        [1],
        "text",
    ],
)
def test_what_would_stand_in_front_of_a_method_or_is_no_attribute_is_left_out(attributes):
    own = exception_class("Own", ValueError)
    error = make_exception(own, details((1,), attributes), "said")
    assert vars(error) == {"_text_sent": "said"}
    assert (error.args, str(error)) == ((1,), "said")
    assert error.with_traceback(None) is error


@pytest.mark.parametrize(
    "odd", [None, 5, (), (b"", b""), (b"", b"", [], None), (b"", "", (), None), b"", (b"", b"?", (), None)]
)
def test_details_that_are_none_leave_the_text(odd):
    assert make_exception(ValueError, odd, "text").args == ("text",)
