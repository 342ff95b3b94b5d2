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
"""So many samples must have been judged before their rate tells when the rest will be, and as many must be left: few have no average."""

LOOK_BACK_S = 5.0
"""The rate of the last seconds, at least so many, tells of the rest too: endless samples come last, and each takes its whole limit."""


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
        self._marks: tuple[tuple[float, int], ...] = ()
        self._held = self._again = 0
        self._doubt: tuple[str, ...] = ()

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
        now_s = self._live_line.now_s()
        if not self._marks or now_s - self._marks[-1][0] >= LOOK_BACK_S:
            self._marks = (*self._marks[-1:], (now_s, self._done))
        self._live_line.draw_if_due()

    def in_doubt(self, held: int, done: int, again: int) -> None:
        """So many samples hit a time limit and have no verdict until all others have; of `again` that are judged again `done` are."""
        self._held, self._again, self._doubt = held, again, doubt_words(held, done, again)
        self._live_line.show() if again else self._live_line.draw_if_due()

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
        what = self._what.removesuffix("s") if self._total == 1 else self._what
        words = [f"{done:,} of {self._total:,} {what}", *self._rate(now_s), f"{self._passed:,} passed"]
        if done < self._total:
            words += (*self._doubt, *self._left(self._total - done - self._held, now_s))
        elif self._done:
            words.append(f"{clock_text(self._spent_s(now_s))} in all")
        else:
            words.append("nothing was left to judge")
        return ", ".join(words)

    def _left(self, left: int, now_s: float) -> tuple[str, ...]:
        """When the samples that are left will be judged, those in doubt aside; no time where it would be a false one."""
        if left <= 0:
            return ()
        if self._done < ENOUGH_TO_TELL:
            return ("time left unknown",)
        left_s = left * max(self._spent_s(now_s) / self._done, self._lately_s(now_s))
        # A line stays until the next sample is judged, and the last are the endless ones: a few seconds would be read for minutes.
        known = left >= ENOUGH_TO_TELL and left_s >= 1
        return (f"{clock_text(left_s)} left" if known else f"waiting for {left:,}",)

    def _lately_s(self, now_s: float) -> float:
        """Seconds that a sample took lately; 0.0 where nothing is known of it."""
        if len(self._marks) < 2:
            return 0.0
        since_s, before = self._marks[0]
        return (now_s - since_s) / (self._done - before)

    def _spent_s(self, now_s: float) -> float:
        return max(now_s - self._start_s, 1e-9)

    def _rate(self, now_s: float) -> tuple[str, ...]:
        """Samples a second; nothing where none was judged now, since a rate of 0 would say that assay hangs, nor at the end, one by one."""
        rate = self._done / self._spent_s(now_s)
        return (rate_text(rate),) if self._done and not self._again else ()


def doubt_words(held: int, done: int, again: int) -> tuple[str, ...]:
    """What is said of samples that hit a time limit and wait until nothing else runs.

    >>> doubt_words(2, 0, 0), doubt_words(3, 1, 3), doubt_words(0, 0, 0)
    (('2 over time',), ('judging time limits again, alone: 2 of 3',), ())
    """
    if again and done < again:
        return (f"judging time limits again, alone: {done + 1} of {again}",)
    return (f"{held:,} over time",) if held else ()
