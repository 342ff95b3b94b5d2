"""Programs of one problem that are run one after the other, each as soon as the one before has said what a right one says.

The sandbox finds out by itself, from the problem's script, whether the next program may come; so it is told of several at once, and nobody
has to be woken in between. What became of each is asked for when its turn comes, and judged as if it had been begun only then.

Keeps true: a slot has one row at a time, and is free when the row is over; whoever asks what became of a program is in a turn of `Calm`
that began with the row, so that nobody is alone meanwhile; where a row breaks off, what was not begun is begun anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.sandbox import MOST_LINES_BYTES, Ended, Handover, Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.engine.calm import Calm
    from assay.engine.links import ServerLink
    from assay.engine.work import Recital
    from assay.judge import Script
    from assay.records import Limits

FIRST, MOST = 2, 16
"""Programs of a slot's first row, and of the longest. A row that goes well to its end is followed by one of twice as many, another by one
of as many as went well: to tell of programs that are then not begun costs something too.
"""


def lines_of(script: Script, seed: int, sources: Sequence[str]) -> Lines | None:
    """What is said to programs of a row, as many as fit into one request; None where not even the first does."""
    left = MOST_LINES_BYTES - len(script.replies) - len(script.questions) - len(script.answers)
    openings: list[bytes] = []
    for source in sources:
        if len(source) > left:  # before it is encoded: it may be of any size
            break
        opening = script.opening(source, seed)
        left -= len(opening)
        if left < 0:
            break
        openings.append(opening)
    if not openings:
        return None
    return Lines(openings[0], script.replies, script.questions, script.answers, tuple(openings[1:]))


class Ahead:
    """The row of one slot. `most` is how many programs the next one may have.

    Args:
        agents: Where it runs.
        calm: Turns of those who run agents there.
        slot: Which slot.
    """

    def __init__(self, agents: ServerLink, calm: Calm, slot: int) -> None:
        self._agents = agents
        self._calm = calm
        self._slot = slot
        self._number = self._went_well = 0
        self._left: list[str] = []
        self._recital: Recital | None = None
        self.most = FIRST

    @property
    def is_under_way(self) -> bool:
        """Whether there is a program in the row whose turn is still to come."""
        return bool(self._left)

    async def next(self, source: str) -> Recital | None:
        """What a program has to say, if it is the next one of the row: it has begun then, and so has its turn. A row that goes on with
        another is ended.

        Raises:
            SandboxError: If the agents' server is gone.
        """
        if self._left and self._left[-1] != source:
            await self.close()
        return self._recital if self._left else None

    def begin(self, limits: Limits, recital: Recital, lines: Lines, sources: Sequence[str], *, alone: bool) -> None:
        """Starts a row, in the turn of its first program, which is `alone` or not. `lines` are of the first of `sources`.

        Raises:
            SandboxError: If the agents' server is gone.
        """
        self._number = self._agents.recite(self._slot, limits, lines, alone=alone)
        self._left = [*reversed(sources[: 1 + len(lines.further)])]
        self._recital = recital
        self._went_well = 0

    async def told(self, patience_s: float) -> Ended | Handover:
        """What became of the next program of the row. If one more follows, its turn has begun with this.

        Raises:
            SandboxError: If the agents' server is gone; then the row is over.
        """
        left, self._left = self._left, []
        told = await self._agents.heard(self._number, patience_s)
        left.pop()
        if isinstance(told, Ended):
            self._went_well += told.agreed
            if told.followed:
                self._calm.join()
                self._left = left
                return told
        went_to_its_end = isinstance(told, Ended) and told.agreed and not left
        self.most = min(2 * self.most, MOST) if went_to_its_end else max(1, self._went_well)
        return told

    async def close(self) -> None:
        """Ends the row, if one is under way, with the turn of its next program.

        Raises:
            SandboxError: If the agents' server is gone.
        """
        if not self._left:
            return
        self._left = []
        try:
            told = await self._agents.heard(self._number, 0.0)
            while isinstance(told, Ended) and told.followed:
                told = await self._agents.heard(self._number, 0.0)
            if isinstance(told, Handover):
                told.session.close()
                await self._agents.end(self._number)
        finally:
            self._calm.end()
