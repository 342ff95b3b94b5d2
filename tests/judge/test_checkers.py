"""Checkers accept what their names say and nothing else; what they don't accept, they tell by the first place that differs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.checkers import CHECKERS, NOTHING, Difference, make_checker, show_input


def checker(name: str, **settings):
    return make_checker({"name": name, "rtol": 1e-6, "atol": 1e-6, "ignore_case": False, "source": "", **settings})


def accepts(name: str, expected: str | bytes, got: str | bytes, **settings) -> bool:
    sides = (side.encode() if isinstance(side, str) else side for side in (expected, got))
    return checker(name, **settings)(b"", *sides) is None


ACCEPTED = [
    ("exact", "7\n", "7\n"),
    ("exact", "", ""),
    ("whitespace", "7\n", "7"),
    ("whitespace", "7", "7\n\n\n"),
    ("whitespace", "1 2\n3\n", "1 2 \r\n3\t\v\f\r\n \n"),
    ("whitespace", "a\r\nb\r\n", "a\nb\n"),
    ("whitespace", "\n\na", "  \n\t\na"),
    ("whitespace", "", " \n"),
    ("lines", "a\nb\n", "a\n\n\nb"),
    ("lines", "\na\n", "a"),
    ("tokens", "1 1 2\n", "1\n1\n2"),
    ("tokens", "1 2", "   1\t2   "),
    ("numbers", "3", "3.0"),
    ("numbers", "3.0", "3"),
    ("numbers", "0.333333", "0.3333331"),
    ("numbers", "1e3 x", "1000.0\nx"),
    ("numbers", "1000000.5", "1000001"),  # within rtol of the expected number
    ("numbers", "0", "0.0000009"),
    ("numbers", "007 -0 +5", "7 0 5"),
    ("numbers", ".5 5.", "0.5 5"),
    ("numbers", "1" * 5000, "0" + "1" * 5000),
    ("numbers", "9007199254740993", "9007199254740993.0"),
    ("numbers", "1e400", "10e399"),
    ("numbers", "nan inf", "nan inf"),
    ("numbers", "Yes 2", "Yes 2.0"),
    ("unordered_lines", "a\nb\nb\n", "b\na\nb"),
    ("unordered_lines", "a b\nc", "c \n\na b"),
    ("unordered_tokens", "1 2 2 3", "3\n2 1\n2"),
]

REFUSED = [
    ("exact", "7\n", "7"),
    ("exact", "7", "7 "),
    ("exact", "a\r\n", "a\n"),
    ("whitespace", "1 2", "1  2"),
    ("whitespace", "1", " 1"),
    ("whitespace", "1\n2", "1 2"),
    ("whitespace", "a\nb", "a\n\nb"),
    ("whitespace", "Yes", "YES"),
    ("whitespace", "7", ""),
    ("whitespace", "", "7"),
    ("whitespace", "a\u00a0", "a"),  # a no-break space is no blank
    ("lines", "1 2", "  1 2"),
    ("lines", "1 2", "1\n2"),
    ("lines", "a\nb", "b\na"),
    ("tokens", "1 2", "12"),
    ("tokens", "1 2", "1"),
    ("tokens", "1", "1 2"),
    ("tokens", "1.0", "1.00"),
    ("numbers", "0.333333", "0.34"),
    ("numbers", "3", "4"),
    ("numbers", "3", "2.9"),
    ("numbers", "10000000", "10000001"),  # near enough for floats, but both are integers
    ("numbers", "1000000000000000000001", "1000000000000000000000"),
    ("numbers", "1000000000000000001", "1e18"),
    ("numbers", "123456789012345678901", "1.234567890123456789e20"),
    ("numbers", "0.5", "nan"),
    ("numbers", "nan", "0.5"),
    ("numbers", "inf", "1e999"),
    ("numbers", "1e400", "2e400"),
    ("numbers", "1e99999999999999999999", "1e99999999999999999998"),
    ("numbers", "10", "1_0"),
    ("numbers", "16", "0x10"),
    ("numbers", "1", "\u0661"),  # a digit, but not one that a program may print for 1
    ("numbers", "5", "-5"),
    ("numbers", "1 2", "1"),
    ("numbers", "Yes", "yes"),
    ("unordered_lines", "a\nb\nb", "a\na\nb"),
    ("unordered_lines", "a b", "b a"),
    ("unordered_lines", "a", "a\na"),
    ("unordered_tokens", "1 2", "1 2 2"),
    ("unordered_tokens", "1 2 2", "1 2"),
]


@pytest.mark.parametrize(("name", "expected", "got"), ACCEPTED)
def test_what_a_checker_accepts(name, expected, got):
    assert accepts(name, expected, got)


@pytest.mark.parametrize(("name", "expected", "got"), REFUSED)
def test_what_a_checker_refuses(name, expected, got):
    assert not accepts(name, expected, got)


def test_every_checker_is_in_the_tables():
    assert {name for name, *_ in ACCEPTED} == {name for name, *_ in REFUSED} == set(CHECKERS) - {"custom"}


@pytest.mark.parametrize("name", sorted(set(CHECKERS) - {"custom"}))
def test_letters_in_another_case_are_the_same_only_where_that_is_asked_for(name):
    assert accepts(name, "Yes", "YES", ignore_case=True)
    assert not accepts(name, "Yes", "YES")
    assert not accepts(name, "Yes", "No", ignore_case=True)


def test_a_tolerance_is_the_larger_of_both():
    assert accepts("numbers", "1000", "1009.0", rtol=0.01, atol=0.0)
    assert accepts("numbers", "0", "0.9", rtol=0.0, atol=1.0)
    assert not accepts("numbers", "1000", "1011.0", rtol=0.01, atol=10.0)
    assert not accepts("numbers", "2", "2.0000001", rtol=0.0, atol=0.0)


# -- what is told


@pytest.mark.parametrize(
    ("name", "expected", "got", "difference"),
    [
        ("whitespace", b"a\nb\n", b"a\nc\n", ("'b'", "'c'", "line 2 of the output")),
        ("whitespace", b"a\n", b"", ("'a'", NOTHING, "line 1 of the output")),
        ("tokens", b"a", b"a b", (NOTHING, "'b'", "word 2 of the output")),
        ("exact", b"a\n", b"a", ("'a\\n'", "'a'", "line 1 of the output")),
        ("whitespace", b"a", b"\xff\x1b[2J", ("'a'", "'\\\\xff\\x1b[2J'", "line 1 of the output")),
        ("unordered_lines", b"a\nb", b"b\nc", ("'a'", NOTHING, "this line is missing in the output")),
        ("unordered_tokens", b"a", b"a b", (NOTHING, "'b'", "this word is too much in the output")),
    ],
)
def test_a_difference_is_told_by_its_first_piece(name, expected, got, difference):
    assert checker(name)(b"", expected, got) == Difference(*difference)


def test_of_a_long_line_the_place_that_differs_is_shown():
    told = checker("whitespace")(b"", b"x" * 5000 + b"left" + b"y" * 5000, b"x" * 5000 + b"right" + b"y" * 5000)
    assert told is not None
    assert (told.expected[:54], told.got[:55]) == (f"... '{'x' * 40}leftyyyyy", f"... '{'x' * 40}rightyyyyy")
    assert len(told.expected) < 300


def test_an_input_is_shown_short_and_printable():
    assert show_input("") == "no input"
    assert show_input("3 4\n") == "input '3 4\\n'"
    assert len(show_input("x" * 10**6)) < 140
    assert "\x1b" not in show_input("\x1b[2J")


# -- against brute force

TEXTS = st.text(alphabet="ab01.-+e \t\n\r\v\f", max_size=30)


def stripped(text: str) -> list[str]:
    return text.encode().rstrip().decode().replace("\r", " ").replace("\v", " ").replace("\f", " ").split("\n")


@given(TEXTS, TEXTS)
def test_whitespace_is_lines_without_their_ends(expected, got):
    sides = ([line.rstrip(" \t") for line in stripped(side)] for side in (expected, got))
    assert accepts("whitespace", expected, got) == (next(sides) == next(sides))


@given(TEXTS, TEXTS)
def test_tokens_are_words(expected, got):
    assert accepts("tokens", expected, got) == (expected.split() == got.split())


@given(st.lists(TEXTS, max_size=5), st.randoms())
def test_an_order_that_does_not_count_does_not_count(lines, random):
    mixed = random.sample(lines, len(lines))
    assert accepts("unordered_lines", "\n".join(lines), "\n".join(mixed))
    assert accepts("unordered_tokens", "\n".join(lines), "\n".join(mixed))


@given(st.integers(), st.integers())
def test_integers_are_compared_exactly(expected, got):
    assert accepts("numbers", str(expected), str(got)) == (expected == got)


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_floats_are_compared_within_the_tolerance(expected, got):
    allowed = max(Fraction(1e-6), Fraction(1e-6) * abs(Fraction(expected)))
    distance = abs(Fraction(expected) - Fraction(got))
    if abs(distance - allowed) > allowed / 1000:  # no statement at the very edge
        assert accepts("numbers", f"{expected!r} .", f"{got!r} .") == (distance <= allowed)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_no_output_is_too_odd_to_be_compared(expected, got):
    for name in set(CHECKERS) - {"custom"}:
        assert checker(name)(b"", expected, expected) is None
        told = checker(name)(b"", expected, got)
        assert told is None or all(text.isprintable() for text in told)


def test_blocks_of_words_end_between_words():
    words = [b"w" * (n % 7 + 1) for n in range(100_000)]
    assert accepts("tokens", b" ".join(words), b"\n".join(words))
    assert not accepts("tokens", b" ".join(words), b"\n".join([*words[:-1], b"x"]))


# -- checkers of a problem's own

ANY_FACTOR = """
def check(stdin, expected, got):
    n, factor = int(stdin), int(got)
    return 1 < factor < n and n % factor == 0
"""


def test_a_checker_of_its_own_sees_input_expected_and_output_as_text():
    check = checker("custom", source=ANY_FACTOR)
    assert check(b"12\n", b"2", b"4\n") is None
    assert check(b"12\n", b"2", b"5") == Difference("'2'", "'5'", "the checker says no")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise KeyError('x')", "the checker raised KeyError: 'x'"),
        ("raise SystemExit", "the checker raised SystemExit"),
        ("return 1", "the checker answered 1, which is not True or False"),
        ("pass", "the checker answered None, which is not True or False"),
        ("class E(Exception):\n  def __str__(self): return 1 / 0\n raise E", "the checker raised E"),
    ],
)
def test_whatever_else_a_checker_does_is_no_yes(body, told):
    difference = checker("custom", source=f"def check(i, e, g):\n {body}\n")(b"", b"1", b"1")
    assert difference is not None
    assert difference.message.startswith(told)


def test_a_checker_keeps_nothing_from_one_output_to_the_next():
    check = checker("custom", source="seen = []\ndef check(i, e, g):\n    seen.append(g)\n    return len(seen) == 1\n")
    assert check(b"", b"", b"a") is None
    assert check(b"", b"", b"b") is None


def test_an_output_that_is_no_text_reaches_a_checker_all_the_same():
    check = checker(
        "custom", source="def check(i, e, g):\n    return g.encode('utf-8', 'surrogateescape') == b'\\xff\\n'\n"
    )
    assert check(b"", b"", b"\xff\n") is None


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"name": "tokenz"}, "unknown"),
        ({"name": "custom", "source": "def check(:"}, "not valid Python"),
        ({"name": "custom", "source": "1 / 0"}, "does not load: ZeroDivisionError"),
        ({"name": "custom", "source": "raise SystemExit"}, "does not load: SystemExit"),
        ({"name": "custom", "source": "def chek(i, e, g): ..."}, "no function 'check'"),
    ],
)
def test_a_checker_that_can_not_be_made_says_why(settings, reason):
    with pytest.raises(ValueError, match=reason):
        checker(**settings)
