"""Warming: what every child would do first is done once before, so that its result is shared instead of made once a child.

The first `compile` in a child costs 1.2 ms without this (the lazily made AST types) and 0.18 ms with it.
Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import gc
import importlib
import traceback

_MODULES = [
    "abc",
    "array",
    "bisect",
    "builtins",
    "cmath",
    "codecs",
    "collections.abc",
    "contextlib",
    "copy",
    "datetime",
    "decimal",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "inspect",
    "io",
    "itertools",
    "json",
    "linecache",
    "math",
    "numbers",
    "operator",
    "random",
    "re",
    "socket",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "time",
    "traceback",
    "types",
    "typing",
]

_LARGE_BYTES = 100_000
"""A block so large makes the C library sort all its free blocks. Else every child's first small one would: 50 pages copied in each."""

_PROGRAM = """
import re, math
from typing import List
from collections import defaultdict
class Shape:
    def __init__(self, side):
        self.side = side
    def area(self):
        return [self.side ** 2 for _ in range(2)]
def work(values, *more, **named):
    seen = defaultdict(list)
    for value in values:
        seen[value % 3].append(str(value))
    with_default = lambda x, y=1: x if x else y
    return sorted({str(i): i for i in values}.items(), key=lambda pair: with_default(pair[1]))
try:
    work([1, 2, None])
except TypeError as error:
    message = f"{error!r:>20} {1.5:.2f}"
assert work([1, 2]) == [("1", 1), ("2", 2)]
assert Shape(2).area() == [4, 4], "area"
re.findall(r"(a+)|b", "aab"); re.sub("x", "y", "xxx")
"""


def warm() -> None:
    """Imports what programs commonly import, and compiles, runs and fails once."""
    for name in _MODULES:
        importlib.import_module(name)
    for _ in range(3):
        exec(compile(_PROGRAM, "<warm>", "exec"), {"__name__": "warm"})  # noqa: S102 (a literal of this file)
    try:
        exec("def broken(: pass", {})  # noqa: S102 (a literal of this file)
    except SyntaxError:
        traceback.format_exc()


def settle() -> None:
    """Puts everything alive out of the collector's reach, and what is free in order, so that children touch few of the shared pages."""
    gc.collect()
    gc.disable()
    gc.freeze()
    bytearray(_LARGE_BYTES)
