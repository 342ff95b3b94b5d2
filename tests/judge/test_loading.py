"""Why a program was not loaded, by whatever the agent says."""

from __future__ import annotations

import pytest

from assay.judge.loading import as_frames, as_line, as_text, read_failure

BASES = ["ValueError", "Exception", "BaseException", "object"]


class Own(Exception):
    """An exception class of the candidate's, as it arrives."""


class Claim:
    """An object of the candidate's, of which nothing may be asked."""

    __bool__ = __str__ = __eq__ = None


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (("syntax", "no", 3), "syntax", "no"),
        (("raised", None, BASES, b"", "bad", ((1, "<module>"), (3, "f"))), "raised", "ValueError: bad (line 3)"),
        (("raised", Own, BASES, b"", "", None), "raised", "Own"),
        (
            ("raised", None, ["SystemExit", "ValueError", "Exception"], b"", "0", ((1, "<module>"),)),
            "exit",
            "SystemExit: 0 (line 1)",
        ),
        (("raised", None, ["BaseException"], b"", 5, ((-1, "f"),)), "exit", "BaseException"),
        (("raised", None, BASES, b"", Claim(), Claim()), "raised", "ValueError"),
        (("raised", None, [], b"", "", ((1 << 40, "f"),)), "exit", "exception"),
        (("unsendable", "too large"), "raised", "its names can't be sent: too large"),
    ],
)
def test_a_failure_is_read_as_far_as_it_can_be_one(reply, kind, text):
    failure = read_failure(reply)
    assert (failure.kind, failure.text) == (kind, text)


@pytest.mark.parametrize(
    "reply",
    [
        ("loaded",),
        ("ok", 1),
        ("raised",),
        ("raised", None, BASES, b"", "t"),
        ("raised", None, "ValueError", b"", "t", 1),
        ("raised", None, [1], b"", "t", 1),
        ("syntax", "no"),
        ("passed", True),
    ],
)
def test_what_is_no_failure_is_none(reply):
    assert read_failure(reply) is None


def test_where_it_raised_is_kept():
    failure = read_failure(("raised", None, BASES, b"", "bad", ((1, "<module>"), (3, "f"))))
    assert failure.frames == ((1, "<module>"), (3, "f"))
    assert read_failure(("raised", None, BASES, b"", "bad", 3)).frames == ()


class Pair(tuple):
    """A tuple with a say in it."""

    __slots__ = ()
    __iter__ = __len__ = __getitem__ = None


def test_of_frames_only_plain_pairs_are_taken():
    assert as_frames(Pair(((1, "f"),))) == ()
    assert as_frames((Pair((1, "f")), (2, Claim()), (Claim(), "f"), Claim(), (3, "g"))) == ((3, "g"),)
    assert as_frames(tuple((n, "f") for n in range(1, 11))) == tuple((n, "f") for n in range(1, 11))
    assert as_frames(tuple((n, "f") for n in range(1, 12))) == ()


def test_lines_and_texts_are_taken_only_as_such():
    assert [as_line(x) for x in (1, 0, -1, 1 << 31, True, "1", None)] == [1, None, None, None, None, None, None]
    assert [as_text(x) for x in ("a", b"a", None, 5)] == ["a", "", "", ""]
