"""One line that tells how far a work is, drawn anew as it goes on: on a terminal in its place, elsewhere (a log, a pipe) now and then.

No thread draws: a line is drawn when something comes and the last drawing is old enough, so what comes costs next to nothing here.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, TextIO

from assay.cli.streams import drop
from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

TERMINAL_EVERY_S = 0.1
LOG_EVERY_S = 10.0


class LiveLine:
    """Draws a line when it is time.

    Args:
        text: The line at a time in seconds of `clock`.
        stream: Where to draw; a terminal gets the line that changes.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        text: Callable[[float], str],
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._text = text
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._clock = clock
        self._drawn_s = clock()

    def now_s(self) -> float:
        """The clock."""
        return self._clock()

    def begin(self) -> float:
        """The work begins now, which is given; the first line comes when there is something to tell."""
        self._drawn_s = self._clock()
        return self._drawn_s

    def show(self) -> None:
        """Draw at once on a terminal, where somebody waits to see that something goes on."""
        if self._live:
            self._draw(self._clock())

    def draw_if_due(self) -> None:
        """Draw, if the last drawing is old enough."""
        now_s = self._clock()
        if now_s - self._drawn_s >= (TERMINAL_EVERY_S if self._live else LOG_EVERY_S):
            self._draw(now_s)

    def note(self, text: str) -> None:
        """Say something between two drawings."""
        if self._live:
            self._write("\r\x1b[K")
        self._write(f"{visible(text)}\n")

    def finish(self) -> None:
        """Draw the last state and leave the line."""
        self._draw(self._clock())
        if self._live:
            self._write("\n")

    def _draw(self, now_s: float) -> None:
        self._drawn_s = now_s
        text = self._text(now_s)
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


def clock_text(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any.

    >>> clock_text(75), clock_text(3_700)
    ('1:15', '1:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def rate_text(rate: float) -> str:
    """So many a second, or a minute where they are few.

    >>> rate_text(1234.4), rate_text(0.52), rate_text(0.02)
    ('1,234/s', '0.5/s', '1.2/min')
    """
    if rate < 0.1:
        return f"{60 * rate:.1f}/min"
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
