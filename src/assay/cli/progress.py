"""What a person sees while samples are judged: done of all, rate, passes so far, time left.

On a terminal one line that changes; elsewhere (a log, a pipe) a plain line now and then. Both go to stderr. No thread
draws: a line is drawn when a verdict comes and the last drawing is old enough, so a verdict costs next to nothing here.
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

    def reuse(self, passed: bool) -> None:
        """Count a sample whose verdict was there before; the rate leaves it out."""
        self._reused += 1
        self._passed += passed

    def again(self) -> None:
        """Take back one `reuse`: the sample has changed and is judged again."""
        self._reused -= 1

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
        """Draw the last state and leave the line."""
        self._draw(self._clock())
        if self._live:
            self._write("\n")

    def line(self, now_s: float) -> str:
        """`1,204 of 5,000 samples, 980/s, 402 passed, 0:04 left`."""
        done = self._done + self._reused
        spent_s = max(now_s - self._start_s, 1e-9)
        rate = self._done / spent_s
        words = [f"{done:,} of {self._total:,} {self._what}", f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"]
        words.append(f"{self._passed:,} passed")
        if done < self._total:
            known = self._done >= ENOUGH_TO_TELL
            words.append(f"{_clock_text((self._total - done) / rate)} left" if known else "time left unknown")
        else:
            words.append(f"{_clock_text(spent_s)} in all")
        return ", ".join(words)

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
