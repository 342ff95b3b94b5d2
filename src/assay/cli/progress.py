"""What a person sees while samples are judged: done of all, rate, passes so far, time left.

On a terminal one line that changes; elsewhere (a log, a pipe) a plain line now and then. Both go to stderr. No thread
draws: a line is drawn when a verdict comes and the last drawing is old enough, so a verdict costs next to nothing here.
Before judging has begun nothing is drawn: an error that comes first stands alone.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, TextIO

from assay.cli.streams import drop

if TYPE_CHECKING:
    from collections.abc import Callable

TERMINAL_EVERY_S = 0.1
LOG_EVERY_S = 10.0
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
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._clock = clock
        self._start_s = self._drawn_s = clock()
        self._done = self._passed = self._reused = 0
        self._begun = False

    def begin(self) -> None:
        """Judging begins now."""
        self._begun = True
        self._start_s = self._drawn_s = self._clock()

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
        now_s = self._clock()
        if now_s - self._drawn_s >= (TERMINAL_EVERY_S if self._live else LOG_EVERY_S):
            self._draw(now_s)

    def note(self, text: str) -> None:
        """Say something between two drawings."""
        if self._live:
            self._write("\r\x1b[K")
        self._write(f"{text}\n")

    def finish(self) -> None:
        """Draw the last state and leave the line; if nothing has begun, there is none."""
        if not self._begun and not self._done:
            return
        self._draw(self._clock())
        if self._live:
            self._write("\n")

    def line(self, now_s: float) -> str:
        """`1,204 of 5,000 samples, 980/s, 402 passed, 0:04 left`."""
        done = self._done + self._reused
        words = [f"{done:,} of {self._total:,} {self._what}", *self._rate(now_s), f"{self._passed:,} passed"]
        if done < self._total:
            known = self._done >= ENOUGH_TO_TELL
            left_s = (self._total - done) * self._spent_s(now_s) / max(self._done, 1)
            words.append(f"{_clock_text(left_s)} left" if known else "time left unknown")
        elif self._done:
            words.append(f"{_clock_text(self._spent_s(now_s))} in all")
        else:
            words.append("nothing was left to judge")
        return ", ".join(words)

    def _spent_s(self, now_s: float) -> float:
        return max(now_s - self._start_s, 1e-9)

    def _rate(self, now_s: float) -> tuple[str, ...]:
        """Samples a second; nothing where none was judged now, since a rate of 0 would say that assay hangs."""
        rate = self._done / self._spent_s(now_s)
        return () if not self._done else (f"{rate:,.0f}/s",) if rate >= 10 else (f"{rate:.1f}/s",)

    def _draw(self, now_s: float) -> None:
        self._drawn_s = now_s
        text = self.line(now_s)
        if self._live:
            self._write(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}")
        else:
            self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # who closed stderr, or has no room, does not want to hear it; the work goes on
            drop(self._stream)


def _clock_text(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any.

    >>> _clock_text(75), _clock_text(3_700)
    ('1:15', '1:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
