"""Checkers: whether what a program printed is what it should have printed, by the rules that a problem names.

Bytes are compared, so that no output is too odd to be compared. Blanks are those of ASCII: space, tab, carriage return, vertical tab and
form feed; so a line may end in CR LF or LF. Both sides are taken apart piece by piece and never held in pieces as a whole, since an
output may have a hundred million bytes. A difference is told with the first piece that differs.

A checker of the problem's own (`custom`) is third-party code, which is why this runs in a judge fork and nowhere else.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from decimal import Decimal
from functools import partial
from itertools import chain, zip_longest
from math import isinf
from operator import eq
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.showing import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Check = Callable[[bytes, bytes, bytes], "Difference | None"]
    """`check(stdin, expected, got)`: how `got` differs from what is wanted, None where it is right."""

NOTHING = "nothing more"
_BLANKS = b" \t\r\v\f"
_ENDINGS = _BLANKS + b"\n"
_BLOCK_BYTES = 1 << 16
_SHOWN_BEFORE = 40
"""How much of a long piece is shown before the place where it differs."""

_INPUT_SHOWN = 120
_BLANK = re.compile(rb"[ \t\r\v\f\n]")
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_EXACT_FLOATS = 1 << 53
"""Beyond this a float can't tell an integer from its neighbour."""


def show_input(stdin: str) -> str:
    r"""What a run read, as messages name it.

    >>> show_input("3\n")
    "input '3\\n'"
    """
    return f"input {show(stdin, _INPUT_SHOWN)}" if stdin else "no input"


class Difference(NamedTuple):
    """Where an output is wrong, as a person reads it: what was wanted there, what was found, and where that is."""

    expected: str
    got: str
    message: str


class _Way(NamedTuple):
    """How a checker looks at an output: what it takes it apart into, what one piece is called, whether their order counts."""

    pieces: Callable[[bytes], Iterable[bytes]]
    piece: str
    ordered: bool = True
    numbers: bool = False


def _stripped_lines(data: bytes) -> Iterator[bytes]:
    return map(bytes.rstrip, io.BytesIO(data.rstrip(_ENDINGS)))


def _full_lines(data: bytes) -> Iterator[bytes]:
    return filter(None, _stripped_lines(data))


def _words(data: bytes) -> Iterator[bytes]:
    return chain.from_iterable(map(bytes.split, _blocks(data)))


def _blocks(data: bytes) -> Iterator[bytes]:
    """The data in pieces that end before a blank, or with the data."""
    start = 0
    while start < len(data):
        found = _BLANK.search(data, start + _BLOCK_BYTES)
        end = found.start() if found else len(data)
        yield data[start:end]
        start = end


_WAYS = {
    "exact": _Way(io.BytesIO, "line"),
    "whitespace": _Way(_stripped_lines, "line"),
    "lines": _Way(_full_lines, "line"),
    "tokens": _Way(_words, "word"),
    "numbers": _Way(_words, "word", numbers=True),
    "unordered_lines": _Way(_full_lines, "line", ordered=False),
    "unordered_tokens": _Way(_words, "word", ordered=False),
}

CHECKERS = (*_WAYS, "custom")
"""The checkers that a problem may name; `docs/stdio.md` tells what each accepts."""


def make_checker(settings: Mapping[str, Any]) -> Check:
    r"""The check that a `records.Checker`, in its plain form, describes: `check(stdin, expected, got)`.

    Raises:
        ValueError: If there is no such checker, or its own code does not define one.

    >>> check = make_checker({"name": "numbers", "rtol": 1e-6, "atol": 1e-6, "ignore_case": False, "source": ""})
    >>> check(b"", b"0.333333 7", b"0.3333332\n7\n") is None, check(b"", b"0.333333 7", b"0.333333 8")
    (True, Difference(expected="'7'", got="'8'", message='word 2 of the output'))
    """
    name = settings["name"]
    if name == "custom":
        return _custom(settings["source"])
    if name not in _WAYS:
        raise ValueError(f"the checker {name!r} is unknown")
    way = _WAYS[name]
    same = partial(_is_same_number, rtol=settings["rtol"], atol=settings["atol"]) if way.numbers else eq
    return partial(_compare, way, same, settings["ignore_case"])


def _compare(way: _Way, same: Callable[[bytes, bytes], bool], ignore_case: bool, *sides: bytes) -> Difference | None:
    _, expected, got = (side.lower() for side in sides) if ignore_case else sides
    if expected == got:
        return None
    if not way.ordered:
        return _missing(way, expected, got)
    for number, (want, have) in enumerate(zip_longest(way.pieces(expected), way.pieces(got)), 1):
        if want != have and (want is None or have is None or not same(want, have)):
            return Difference(*_shown(want, have), f"{way.piece} {number} of the output")
    return None


def _missing(way: _Way, expected: bytes, got: bytes) -> Difference | None:
    """The first piece that is printed too seldom, or too often; each counts as often as it stands there."""
    left = Counter(way.pieces(expected))
    left.subtract(way.pieces(got))
    for piece, count in left.items():
        if count > 0:
            return Difference(*_shown(piece, None), f"this {way.piece} is missing in the output")
    extra = next((piece for piece, count in left.items() if count), None)
    return None if extra is None else Difference(*_shown(None, extra), f"this {way.piece} is too much in the output")


def _shown(want: bytes | None, have: bytes | None) -> tuple[str, str]:
    """Both pieces as text; of long ones what lies round the first place where they differ."""
    start = max(0, _common(want or b"", have or b"") - _SHOWN_BEFORE)
    return _text(want, start), _text(have, start)


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with, in time that grows with the shorter one's length."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _text(piece: bytes | None, start: int) -> str:
    if piece is None:
        return NOTHING
    return ("... " if start else "") + show(piece[start:].decode("utf-8", "backslashreplace"))


def _is_same_number(want: bytes, have: bytes, rtol: float, atol: float) -> bool:
    """Whether two words are the same number: two integers exactly, else within the tolerance. Words that are no numbers never are.

    An integer that floats can't tell from its neighbours has no tolerance either.
    """
    if not (_NUMBER.fullmatch(want) and _NUMBER.fullmatch(have)):
        return False
    whole = _INTEGER.fullmatch(want)
    if whole and _INTEGER.fullmatch(have):
        return _integer(want) == _integer(have)
    a, b = float(want), float(have)
    if isinf(a) or isinf(b) or (whole and abs(a) >= _EXACT_FLOATS):
        exactly = _exactly(want)
        return exactly is not None and exactly == _exactly(have)
    return abs(a - b) <= max(atol, rtol * abs(a))


def _integer(word: bytes) -> tuple[bool, bytes]:
    """Sign and digits: `int` refuses numbers of thousands of digits."""
    digits = word.lstrip(b"+-").lstrip(b"0")
    return word.startswith(b"-") and digits != b"", digits


def _exactly(word: bytes) -> Decimal | None:
    try:
        return Decimal(word.decode("ascii"))
    except ArithmeticError:  # an exponent beyond all bounds
        return None


def _custom(source: str) -> Check:
    try:
        code = compile(source, "<checker>", "exec", dont_inherit=True)
        namespace: dict[str, Any] = {"__name__": "checker"}
        exec(code, namespace)  # noqa: S102 (data-set code, in the jailed judge)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"the checker is not valid Python: {error}") from None
    except BaseException as error:  # noqa: BLE001 (third-party code may raise anything)
        raise ValueError(f"the checker does not load: {type(error).__name__}: {error}") from None
    if not callable(namespace.get("check")):
        raise ValueError("the checker defines no function 'check'")  # noqa: TRY004 (what is wrong is the text that was given)

    def check(stdin: bytes, expected: bytes, got: bytes) -> Difference | None:
        printed = got.decode("utf-8", "surrogateescape")
        wanted = expected.decode("utf-8", "surrogatepass")
        names: dict[str, Any] = {
            "__name__": "checker"
        }  # fresh each time, or one sample's output could change the next one's verdict
        try:
            exec(code, names)  # noqa: S102 (data-set code, in the jailed judge)
            said = names["check"](stdin.decode("utf-8", "surrogatepass"), wanted, printed)
        except BaseException as error:  # noqa: BLE001 (third-party code, on any output: whatever it raises is no yes)
            return Difference(show(wanted), show(printed), f"the checker raised {_told(error)}")
        if said is True:
            return None
        told = (
            "the checker says no" if said is False else f"the checker answered {show(said)}, which is not True or False"
        )
        return Difference(show(wanted), show(printed), told)

    return check


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:400]
    except Exception:  # noqa: BLE001 (its text is made by third-party code)
        return type(error).__name__
