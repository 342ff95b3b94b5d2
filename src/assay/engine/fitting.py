"""Which limit fits a reference that was measured: room enough for slower machines and slower right answers, in steps so coarse that
measuring again gives the same limit.
"""

from __future__ import annotations

from assay.limits import RANGES
from assay.records import Limits

HEADROOM, MEMORY_HEADROOM = 4, 2
"""A limit fits that is so many times what the reference takes: machines differ, and a right answer may be slower. Memory differs less."""


def fitting_limit_s(time_s: float, declared_s: float | None = None) -> float:
    """A limit for a reference that takes `time_s`: the usual one, doubled until it is `HEADROOM` times that.

    So coarse a step gives the same limit when the same reference is measured again, but for those near a step: a limit that is declared
    already stays as long as it fits and is not four times what is needed.

    >>> fitting_limit_s(0.3), fitting_limit_s(2.7), fitting_limit_s(20), fitting_limit_s(1.2, declared_s=10.0)
    (5.0, 20.0, 80.0, 10.0)
    """
    limit_s = Limits().time_s
    if declared_s is not None and max(limit_s, HEADROOM * time_s) <= declared_s <= 4 * HEADROOM * time_s:
        return declared_s
    while limit_s < HEADROOM * time_s:
        limit_s *= 2
    return min(limit_s, RANGES["time_s"].most)


def fitting_limit_mib(peak_mib: float, declared_mib: int | None = None) -> int:
    """As `fitting_limit_s`, for memory: the usual limit, doubled until it is `MEMORY_HEADROOM` times what is used.

    >>> fitting_limit_mib(18.5), fitting_limit_mib(930), fitting_limit_mib(500, declared_mib=2048)
    (1024, 2048, 2048)
    """
    limit_mib = Limits().memory_mib
    if declared_mib is not None and limit_mib < declared_mib <= 4 * MEMORY_HEADROOM * peak_mib:
        limit_mib = declared_mib
    while limit_mib < MEMORY_HEADROOM * peak_mib:
        limit_mib *= 2
    return min(limit_mib, int(RANGES["memory_mib"].most))
