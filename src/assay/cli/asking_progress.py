"""What a person sees while a model answers: answers of all, rate, tokens, cost, time left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

from assay.cli.live_line import LiveLine, clock_text, rate_text
from assay.counts import cost_text, count_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.models import Price, Reply

ENOUGH_TO_TELL = 5
"""So many answers must have come before their rate tells when the rest will be there."""


class AskProgress:
    """Counts answers and tokens, and draws the count. Tokens and cost are those of this call of the command.

    Args:
        total: How many answers are wanted, those included that are there.
        there: How many are there.
        price: What tokens cost, if the user says so.
        more: Further words for the line, of what goes on beside (judging, say).
        stream: Where to draw.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        total: int,
        there: int,
        price: Price | None = None,
        *,
        more: Callable[[], tuple[str, ...]] = tuple,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.answers = self.failed = 0
        self._total = total
        self._there = there
        self._price = price
        self._more = more
        self._tokens_in = self._tokens_out = 0
        self._exact = True
        self._line = LiveLine(self.line, stream=stream, clock=clock)
        self._start_s = self._line.now_s()
        self._begun = False

    def begin(self) -> None:
        """Asking begins now; before, nothing is drawn, so that an error that comes first stands alone."""
        self._begun = True
        self._start_s = self._line.begin()
        self._line.show()

    def reply(self, reply: Reply) -> None:
        """Count the tokens of a reply."""
        self._tokens_in += reply.tokens_in or 0
        self._tokens_out += reply.tokens_out or 0
        self._exact &= reply.exact and None not in (reply.tokens_in, reply.tokens_out)

    def answer(self) -> None:
        """Count an answer that came just now."""
        self.answers += 1
        self.draw()

    def fail(self, answers: int) -> None:
        """Count answers that did not come."""
        self.failed += answers
        self.draw()

    def draw(self) -> None:
        """Draw, if it is time."""
        self._line.draw_if_due()

    def note(self, text: str) -> None:
        """Say something between two drawings."""
        self._line.note(text)

    def finish(self) -> None:
        """Draw the last state and leave the line; if nothing has begun, there is none."""
        if self._begun:
            self._line.finish()

    def line(self, now_s: float) -> str:
        """`120 of 1,000 answers, 3.2/s, 45,120 tokens in, 23,300 out (210/s), 0.12 USD, 4:31 left`."""
        spent_s = max(now_s - self._start_s, 1e-9)
        done = self._there + self.answers
        words = [f"{done:,} of {count_of(self._total, 'answer')}"]
        words += [rate_text(self.answers / spent_s)] if self.answers else []
        words += [f"{self.failed:,} failed"] if self.failed else []
        words += [*self._tokens(spent_s), *self._more(), self._end(done, spent_s)]
        return ", ".join(words)

    def _tokens(self, spent_s: float) -> tuple[str, ...]:
        """Tokens and cost; `at least` where the server did not count all of them."""
        if not self._tokens_in and not self._tokens_out:
            return ()
        words = [
            f"{self._tokens_in:,} tokens in",
            f"{self._tokens_out:,} out ({rate_text(self._tokens_out / spent_s)})",
        ]
        if self._price is not None:
            words.append(f"{cost_text(self._price.cost(self._tokens_in, self._tokens_out))} {self._price.currency}")
        return tuple(words if self._exact else ["at least " + words[0], *words[1:]])

    def _end(self, done: int, spent_s: float) -> str:
        left = self._total - done - self.failed
        if left > 0:
            known = self.answers >= ENOUGH_TO_TELL
            return f"{clock_text(left * spent_s / self.answers)} left" if known else "time left unknown"
        return f"{clock_text(spent_s)} in all" if self.answers or self.failed else "nothing was left to ask"
