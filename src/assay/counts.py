"""Numbers in sentences: of things, where one is no plural, of bytes, and of what little costs.

Keeps true: no line that a person reads says "1 problems", "0.0 MB" or "5.97e-05".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))


def count_of(number: int, noun: str) -> str:
    """A number of things.

    >>> count_of(1, "problem"), count_of(5_000, "sample")
    ('1 problem', '5,000 samples')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int) -> str:
    """Names, as far as a line holds them.

    >>> listed(["a", "b", "c"], 2), listed(["a", "b"], 2)
    ('a, b and 1 more', 'a, b')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def size_text(size_bytes: int) -> str:
    """A number of bytes in the unit that shows it.

    >>> size_text(12), size_text(49_400), size_text(1_230_000), size_text(999_960)
    ('12 bytes', '49 kB', '1.2 MB', '1.0 MB')
    """
    for unit, bytes_each in _STEPS:
        if size_bytes >= 0.9995 * bytes_each:
            digits = 0 if unit == "kB" else 1
            return f"{size_bytes / bytes_each:.{digits}f} {unit}"
    return count_of(size_bytes, "byte")


def cost_text(cost: float) -> str:
    """An amount of money: cents, or two digits of what is less than ten of them, and no cents of hundreds.

    >>> cost_text(12.3), cost_text(0.5), cost_text(0.0000597), cost_text(0.0), cost_text(1234.6)
    ('12.30', '0.50', '0.000060', '0.00', '1,235')
    """
    places = max(2, 1 - math.floor(math.log10(cost))) if cost > 0 else 2
    return f"{cost:,.{places if cost < 100 else 0}f}"
