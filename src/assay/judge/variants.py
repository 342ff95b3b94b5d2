"""Inputs like those that a problem's tests use: made of the same parts, within the same bounds, and yet new.

Only the arguments of the tests say what a function is meant for. So a variant keeps to what all of them have in common: types, the number
of arguments, numbers between the least and the greatest (a little beyond where these are small), lists and texts no longer than the
longest by more than one item, lists that are sorted or without repeats as they were, a number that is always a list's length. An input
outside of that is one that right programs may differ about, or may never come to an end with.

Pure and deterministic: the same calls and the same seed give the same variants in the same order.
Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Path = tuple[object, ...]
    Call = tuple[Any, ...]

MOST_SEEN = 64
"""Calls that are looked at: a problem with a thousand inputs is known by some of them."""

_KEPT = 200
"""Values that are kept of one place: of a long list the first."""
_TRIES = 4
"""Attempts at one variant before it is given up."""
_SMALL = 20
_NUMBER = re.compile(r"[0-9]{1,18}")
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SIZED = (str, list, tuple, dict, set, frozenset)


class Variants:
    """Makes new calls out of those that were seen.

    A *place* is where a value stands in the arguments: the number of the argument, and one step for each container it lies in. All items
    of a list stand in one place, those of a tuple in one each.

    Args:
        seen: The positional arguments of each call, plain data, never changed here.
        seed: Decides which variants there are.
    """

    def __init__(self, seen: Sequence[Call], seed: int) -> None:
        self._seen = list(seen[:MOST_SEEN])
        self._random = Random(seed)  # noqa: S311 (nothing secret: runs must be repeatable)
        self._values: dict[tuple[Path, type], list[Any]] = {}
        for call in self._seen:
            for number, value in enumerate(call):
                self._learn(value, (number,))
        self._tied = _tied_arguments(self._seen)
        self._indices = _index_arguments(self._seen)

    def make(self) -> Iterator[tuple[int, Call]]:
        """New calls without an end, each with the number of the seen call that it was made from; the caller sees to repeats."""
        while True:
            parent = self._random.randrange(len(self._seen))
            for _ in range(_TRIES):
                call = self._change(self._seen[parent])
                if call is not None and self._fits(call):
                    yield parent, call
                    break
            else:
                yield parent, self._seen[parent]

    # -- what was seen

    def _learn(self, value: Any, path: Path) -> None:
        kept = self._values.setdefault((path, type(value)), [])
        if len(kept) >= _KEPT:
            return
        kept.append(value)
        if isinstance(value, (list, set, frozenset)):
            for item in value if isinstance(value, list) else _sorted(list(value)):
                self._learn(item, (*path, "*"))
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                self._learn(item, (*path, number))
        elif isinstance(value, dict):
            for key, item in value.items():
                self._learn(key, (*path, "key"))
                self._learn(item, (*path, "*"))

    def _pool(self, value: Any, path: Path) -> list[Any]:
        """What was seen of the same type in the same place."""
        return self._values.get((path, type(value))) or [value]

    def _fits(self, call: Call) -> bool:
        """Whether numbers that always were a position in a list are one still."""
        return all(0 <= call[n] <= len(call[m]) for n, m in self._indices)

    # -- changes

    def _change(self, call: Call) -> Call | None:
        """A call with one argument, sometimes two, changed or taken from another call."""
        free = [n for n in range(len(call)) if not (n in self._tied and isinstance(call[n], int))]
        if not free:
            return None
        changed = list(call)
        for _ in range(1 + (self._random.random() < 0.3)):
            number = self._random.choice(free)
            changed[number] = self._vary(changed[number], (number,), keeps_length=number in self._tied)
        return tuple(changed)

    def _vary(self, value: Any, path: Path, *, keeps_length: bool = False) -> Any:
        pool = self._pool(value, path)
        if not keeps_length and len(pool) > 1 and self._random.random() < 0.2:
            return self._random.choice(pool)
        vary = self._ways.get(type(value))
        return value if vary is None else vary(self, value, path, keeps_length=keeps_length)

    def _vary_bool(self, value: bool, _: Path, **__: bool) -> bool:
        return not value

    def _vary_int(self, value: int, path: Path, **_: bool) -> int:
        pool = self._pool(value, path)
        low, high = _bounds(pool)
        if self._random.random() < 0.5:
            found = value + self._random.choice((-3, -2, -1, 1, 2, 3))
        else:  # between two that were seen: far more often small than large, as large ones can be slow
            ends = self._random.choice(pool), self._random.choice(pool)
            found = self._random.randint(min(ends), max(ends) if len(pool) > 1 and ends[0] != ends[1] else high)
        return min(max(found, low), high)

    def _vary_float(self, value: float, path: Path, **_: bool) -> float:
        other = self._random.choice(self._pool(value, path))
        step = self._random.choice((0.5, 1.0, 0.25))
        found = (value + other) / 2 if other != value and self._random.random() < 0.5 else value + step
        return round(found, 3) if abs(found) < 1e6 else found

    def _vary_str(self, value: str, path: Path, *, keeps_length: bool) -> str:
        pool = self._pool(value, path)
        letters = "".join(pool)
        if not letters:
            return value
        if any(map(_is_written, pool)):
            return self._vary_numbers(value, pool)
        if not keeps_length and any(" " in text.strip() for text in pool):
            return self._vary_words(value, pool)
        varied = self._vary_letters(value, pool, letters, keeps_length=keeps_length)
        return value if all(map(_is_balanced, pool)) and not _is_balanced(varied) else varied

    def _vary_letters(self, value: str, pool: Sequence[str], letters: str, *, keeps_length: bool) -> str:
        at = self._random.randrange(len(value)) if value else 0
        letter = self._random.choice(letters)
        kind = self._random.randrange(2 if keeps_length or not value else 5)
        if not value:
            return value if keeps_length else letter
        if kind == 0:
            return value[:at] + letter + value[at + 1 :]
        if kind == 1:
            other = self._random.randrange(len(value))
            low, high = min(at, other), max(at, other)
            return value[:low] + value[low : high + 1][::-1] + value[high + 1 :]
        if kind == 2 and len(value) > min(map(len, pool)):
            return value[:at] + value[at + 1 :]
        if kind == 3 and len(value) <= max(map(len, pool)):
            return value[:at] + letter + value[at:]
        return "".join(self._random.sample(value, len(value)))

    def _vary_numbers(self, value: str, pool: Sequence[str]) -> str:
        """A text with numbers and signs in it (a date, a time, a sum) keeps its form: only numbers change, none in its width."""
        found = list(_NUMBER.finditer(value))
        if not found:
            return value
        place = self._random.randrange(len(found))
        run = found[place]
        form = _NUMBER.sub("0", value)
        alike = [_NUMBER.findall(text)[place] for text in pool if _NUMBER.sub("0", text) == form]
        known = [int(each) for each in alike]
        low, high = (min(known), max(known)) if len(set(known)) > 1 else (max(0, known[0] - 2), known[0] + 2)
        near = int(run[0]) + self._random.choice((-2, -1, 1, 2))
        number = self._random.choice((near, self._random.randint(low, high), self._random.choice(known)))
        number = min(max(number, low), high, 10 ** len(run[0]) - 1)
        return f"{value[: run.start()]}{number:0{len(run[0])}d}{value[run.end() :]}"

    def _vary_words(self, value: str, pool: Sequence[str]) -> str:
        """A text of words keeps its words whole: they may be all that a function knows (numbers in words, groups of brackets)."""
        words = value.split(" ")
        known = [word for text in pool for word in text.split(" ")]
        at, kind = self._random.randrange(len(words)), self._random.randrange(4)
        if kind == 0 and len(words) > 1:
            del words[at]
        elif kind == 1 and len(words) <= max(text.count(" ") + 1 for text in pool):
            words.insert(at, self._random.choice(known))
        elif kind == 2:
            self._random.shuffle(words)
        else:
            words[at] = self._random.choice(known)
        return " ".join(words)

    def _vary_items(self, value: list[Any] | tuple[Any, ...], path: Path, *, keeps_length: bool) -> Any:
        pool = self._pool(value, path)
        lengths = {len(each) for each in pool}
        # rows of a table, and records, have one length
        fixed = keeps_length or isinstance(value, tuple) or (len(path) > 1 and len(lengths) == 1)
        items = self._vary_list(list(value), path, fixed=fixed, lengths=lengths, whole=value)
        if _all(pool, _is_sorted):
            items = _sorted(items)
        if _all(pool, _is_distinct) and not _is_distinct(items):
            return value
        return type(value)(items)

    def _vary_list(self, items: list[Any], path: Path, *, fixed: bool, lengths: set[int], whole: Any) -> list[Any]:
        step: Callable[[int], object] = (lambda n: n) if isinstance(whole, tuple) else (lambda _: "*")
        if not items:
            known = self._values.get(((*path, "*"), int)) or self._values.get(((*path, "*"), str)) or []
            return [self._random.choice(known)] if known and not fixed else items
        at = self._random.randrange(len(items))
        kind = self._random.randrange(5)
        if kind == 0 and not fixed and len(items) > max(1, min(lengths)):
            del items[at]
        elif kind == 1 and not fixed and len(items) <= max(lengths):
            items.insert(self._random.randrange(len(items) + 1), self._vary(items[at], (*path, step(at))))
        elif kind == 2 and not isinstance(whole, tuple):
            self._random.shuffle(items)
        else:
            items[at] = self._vary(items[at], (*path, step(at)))
        return items

    def _vary_set(self, value: Any, path: Path, **_: bool) -> Any:
        items = _sorted(list(value))
        if not items:
            return value
        at = self._random.randrange(len(items))
        items[at] = self._vary(items[at], (*path, "*"))
        return type(value)(items)

    def _vary_dict(self, value: dict[Any, Any], path: Path, **_: bool) -> dict[Any, Any]:
        if not value:
            return value
        keys = list(value)
        chosen = self._random.choice(keys)
        if len(keys) > 1 and self._random.random() < 0.25:
            return {key: item for key, item in value.items() if key != chosen}
        return {key: self._vary(item, (*path, "*")) if key == chosen else item for key, item in value.items()}

    _ways: ClassVar[dict[type, Any]] = {
        bool: _vary_bool, int: _vary_int, float: _vary_float, str: _vary_str, list: _vary_items, tuple: _vary_items,
        set: _vary_set, frozenset: _vary_set, dict: _vary_dict,
    }  # fmt: skip


def _bounds(pool: Sequence[int]) -> tuple[int, int]:
    """How far a number may go: as far as those that were seen, a little further where they are small, never across zero.

    >>> _bounds([2, 5]), _bounds([-3, 40]), _bounds([1000])
    ((1, 7), (-5, 42), (998, 1002))
    """
    low, high = min(pool), max(pool)
    more = max(2, min(10, high // 2)) if 0 <= high <= _SMALL else 2
    least = low if low == 0 else max(1, low - 2) if low > 0 else low - 2
    return least, (high + more if high >= 0 else min(-1, high + more))


def _tied_arguments(seen: Sequence[Call]) -> frozenset[int]:
    """Arguments that go together in every call: a number that is the length of another one, and lists of equal length."""
    count = min(map(len, seen))
    tied: set[int] = set()
    for n in range(count):
        for m in range(count):
            if n == m or not all(isinstance(call[m], _SIZED) for call in seen):
                continue
            if all(_measure(call[n]) == len(call[m]) for call in seen):
                tied |= {n, m}
    return frozenset(tied)


def _measure(value: Any) -> int:
    """The length of a list or text, or the number that one could be."""
    if isinstance(value, _SIZED):
        return len(value)
    return value if type(value) is int else -1


def _index_arguments(seen: Sequence[Call]) -> tuple[tuple[int, int], ...]:
    """Pairs of arguments of which the first is, in every call, a position in the second, or its length."""
    count = min(map(len, seen))
    return tuple(
        (n, m)
        for n in range(count)
        for m in range(count)
        if all(type(call[n]) is int and isinstance(call[m], _SIZED) and 0 <= call[n] <= len(call[m]) for call in seen)
    )


def _is_written(text: str) -> bool:
    """Whether a text has numbers in it beside signs, as a date has."""
    return _NUMBER.search(text) is not None and any(not (c.isalnum() or c.isspace()) for c in text)


def _is_balanced(text: str) -> bool:
    """Whether every bracket in a text has its counterpart.

    >>> _is_balanced("f(x)[0]"), _is_balanced("(]"), _is_balanced("no")
    (True, False, True)
    """
    waiting: list[str] = []
    for c in text:
        if c in _PAIRS:
            waiting.append(_PAIRS[c])
        elif c in _PAIRS.values() and (not waiting or waiting.pop() != c):
            return False
    return not waiting


def _all(pool: Sequence[Any], holds: Callable[[Any], bool]) -> bool:
    """Whether something holds for all lists that were seen, and one at least is long enough to show it."""
    return any(len(each) > 1 for each in pool) and all(map(holds, pool))


def _is_sorted(items: Any) -> bool:
    try:
        return all(a <= b for a, b in pairwise(items))
    except TypeError:
        return False


def _is_distinct(items: Any) -> bool:
    try:
        return len(set(items)) == len(items)
    except TypeError:
        return all(item not in items[:number] for number, item in enumerate(items))


def _sorted(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=repr)
