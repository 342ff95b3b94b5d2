"""A budget of requests a minute: each waits until it is its turn, those that are tried again as well."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_MINUTE_S = 60.0


class Pace:
    """Spaces requests evenly: a server that counts by the minute, by the second or by a bucket of its own is pleased by all the same.

    Args:
        per_minute: How many requests may start in a minute; None for as many as there are.
        clock: Seconds, monotonic.
        sleep: Waits so many seconds.
    """

    def __init__(
        self,
        per_minute: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._apart_s = 0.0 if per_minute is None else _MINUTE_S / per_minute
        self._clock = clock
        self._sleep = sleep
        self._next_s = clock()

    async def turn(self) -> None:
        """Returns when the next request may start."""
        if not self._apart_s:
            return
        now_s = self._clock()
        # Taken before the wait: whoever comes meanwhile gets the turn after this one.
        turn_s = max(self._next_s, now_s)
        self._next_s = turn_s + self._apart_s
        if turn_s > now_s:
            await self._sleep(turn_s - now_s)
