"""The order in which ids are shown to people."""

from __future__ import annotations

import re


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sorting key that puts numbers inside a text in the order of their values.

    >>> sorted(["Mbpp/10", "Mbpp/2", "basics/1"], key=natural_key)
    ['Mbpp/2', 'Mbpp/10', 'basics/1']
    """
    return tuple(
        (0, int(part), part) if part.isdecimal() else (1, 0, part) for part in re.split(r"([0-9]{1,4000})", text)
    )
