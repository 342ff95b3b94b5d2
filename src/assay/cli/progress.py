"""What a person sees while samples are judged: done of all, rate, passes so far, time left.

The line goes to stderr (`live_line.py`). Before judging has begun nothing is drawn: an error that comes first stands alone.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

from assay.cli.live_line import LiveLine, clock_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Callable

ENOUGH_TO_TELL = 20
"""So many samples must have been judged before their rate tells when the rest will be."""


class Progress:
    """Counts samples and draws the count.

    Args:
        total: How many there are to judge, those included that an earlier run has judged.
        what: What they are.
        stream: Where to draw; a terminal gets the line that changes.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        total: int,
        what: str = "samples",
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._what = what
        self._live_line = LiveLine(self.line, stream=stream, clock=clock)
        self._start_s = self._live_line.now_s()
        self._done = self._passed = self._reused = 0
        self._begun = False

    def begin(self) -> None:
        """Judging begins now."""
        self._begun = True
        self._start_s = self._live_line.begin()

    def reuse(self, passed: bool) -> None:
        """Count a sample whose verdict was there before; the rate leaves it out."""
        self._reused += 1
        self._passed += passed

    def again(self, passed: bool) -> None:
        """Take back one `reuse` of such a verdict: the sample has changed and is judged again."""
        self._reused -= 1
        self._passed -= passed

    def leave_out(self, number: int) -> None:
        """Take so many samples, which will get no verdict, from the total."""
        self._total -= number

    def count(self, passed: bool) -> None:
        """Count a sample that was judged just now, and draw if it is time."""
        self._done += 1
        self._passed += passed
        self._live_line.draw_if_due()

    def note(self, text: str) -> None:
        """Say something between two drawings."""
        self._live_line.note(text)

    def finish(self) -> None:
        """Draw the last state and leave the line; if nothing has begun, there is none."""
        if self._begun or self._done:
            self._live_line.finish()

    def line(self, now_s: float) -> str:
        """`1,204 of 5,000 samples, 980/s, 402 passed, 0:04 left`."""
        done = self._done + self._reused
        words = [f"{done:,} of {self._total:,} {self._what}", *self._rate(now_s), f"{self._passed:,} passed"]
        if done < self._total:
            known = self._done >= ENOUGH_TO_TELL
            left_s = (self._total - done) * self._spent_s(now_s) / max(self._done, 1)
            words.append(f"{clock_text(left_s)} left" if known else "time left unknown")
        elif self._done:
            words.append(f"{clock_text(self._spent_s(now_s))} in all")
        else:
            words.append("nothing was left to judge")
        return ", ".join(words)

    def _spent_s(self, now_s: float) -> float:
        return max(now_s - self._start_s, 1e-9)

    def _rate(self, now_s: float) -> tuple[str, ...]:
        """Samples a second; nothing where none was judged now, since a rate of 0 would say that assay hangs."""
        rate = self._done / self._spent_s(now_s)
        return (rate_text(rate),) if self._done else ()
