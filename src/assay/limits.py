"""How far each limit of a sample may go: one table for problem files, the Python API and the command line.

Keeps true: what reaches the sandbox fits its messages and the kernel's own numbers. A limit beyond its range is a mistake of
whoever wrote it, told before anything runs; it is never bent into the range, since a verdict is keyed by its declared limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.records import Limits


class Range(NamedTuple):
    """The least and the greatest value of a number, both allowed. `whole` says that it can't have a fraction."""

    least: float
    most: float
    whole: bool = True

    def holds(self, value: object) -> bool:
        """Whether `value` is such a number; nan, infinities and booleans never are.

        >>> Range(1, 9).holds(9), Range(1, 9).holds(2.5), Range(0, 9, whole=False).holds(float("nan"))
        (True, False, False)
        """
        right_kind = type(value) is int or (type(value) is float and not self.whole)
        return right_kind and self.least <= value <= self.most  # type: ignore[operator]  # it is a number, by its type

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.least} to {self.most}"


RANGES = {
    "time_s": Range(0.01, 86_400, whole=False),
    "cpu_s": Range(0.01, 864_000, whole=False),
    "wall_s": Range(0.01, 864_000, whole=False),
    "memory_mib": Range(16, 1_048_576),
    "processes": Range(1, 65_536),
    "output_kib": Range(1, 1_048_576),
    "disk_mib": Range(1, 1_048_576),
    "open_files": Range(8, 1_048_576),
}
"""Every limit that is a number, by its name in `Limits`: up to a day of time, ten days of wall time, a TiB of memory."""

_BY_DEFAULT_NONE = ("cpu_s", "wall_s")


def limits_flaw(limits: Limits) -> str | None:
    """What is wrong with the first limit that is out of its range, with its name, value and range; None where all are right.

    >>> from assay.records import Limits
    >>> limits_flaw(Limits(disk_mib=-1))
    "'disk_mib' must be a whole number from 1 to 1048576, not -1"
    """
    return next(_flaws(limits), None)


def _flaws(limits: Limits) -> Iterator[str]:
    for name, allowed in RANGES.items():
        value = getattr(limits, name)
        if not (allowed.holds(value) or (value is None and name in _BY_DEFAULT_NONE)):
            yield f"{name!r} must be {allowed}, not {shown_number(value)}"
    if limits.network is not False:
        yield f"'network' must be false, not {limits.network!r}: samples have no network in this release"


def shown_number(value: object) -> str:
    """The value as Python writes it, cut to a length; a number of thousands of digits can't even be written.

    Who wrote 0 should not read 0.0, which it has become as a time.

    >>> shown_number(10**5000), shown_number(-0.5), shown_number(0.0)
    ('a number of more than 4000 digits', '-0.5', '0')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    try:
        text = repr(value)
    except ValueError:
        return "a number of more than 4000 digits"
    return text if len(text) <= 60 else f"{text[:57]}..."
