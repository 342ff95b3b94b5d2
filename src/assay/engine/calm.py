"""Who is at work in a worker's servers: many at once, or one alone, and how often a run is repeated that memory of others may have ended.

Where memory runs out the kernel ends whoever is largest, not whoever used it. A sample that ends so is run again while nobody else works,
which shows whose memory it was. Keeps true: who is alone began when nobody else was at work, and nobody begins before it has ended.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from assay.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from assay.records import Execution

TRIES = 2
"""So often a run is repeated, alone."""

Run = TypeVar("Run")


class Calm:
    """Turns of those who run agents in one pair of servers. Who has begun has to end; a turn of many costs next to nothing."""

    def __init__(self) -> None:
        self._at_work = 0
        self._want_calm = 0
        self._changed: asyncio.Event | None = None

    async def begin(self, *, alone: bool = False) -> None:
        """Begins a turn. `alone`: waits until nobody else is at work, and keeps others waiting until it has ended."""
        self._want_calm += alone
        try:
            while self._at_work if alone else self._want_calm:
                self._changed = self._changed or asyncio.Event()
                await self._changed.wait()
        except BaseException:
            self._want_calm -= alone
            self._wake()
            raise
        self._at_work += 1

    def join(self) -> None:
        """Begins a turn that goes on from another one, of many, which has not ended: who waits to be alone waits for both."""
        self._at_work += 1

    def end(self, *, alone: bool = False) -> None:
        """Ends the turn."""
        self._at_work -= 1
        self._want_calm -= alone
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = None


async def run_until_clear(
    calm: Calm, run: Callable[[bool], Awaitable[Run]], facts_of: Callable[[Run], Execution], *, begun: bool = False
) -> Run:
    """What `run(alone)` gives, in a turn of its own (which may have `begun`), and run again alone where memory ran out and ended a
    bystander.

    Raises:
        SandboxError: It ran out each time, and not for what the sample used: the machine, or what is round assay, has too little.
    """
    if not begun:
        await calm.begin()
    outcome = await _in_turn(calm, run, alone=False)
    for _ in range(TRIES):
        if not facts_of(outcome).bystander:
            return outcome
        await calm.begin(alone=True)
        outcome = await _in_turn(calm, run, alone=True)
    if facts_of(outcome).bystander:
        raise SandboxError(
            f"memory ran out round the sandbox {1 + TRIES} times and ended a sample that had not used it up: the machine, the container "
            "or the cgroup that assay runs in has too little for what else runs there"
        )
    return outcome


async def _in_turn(calm: Calm, run: Callable[[bool], Awaitable[Run]], *, alone: bool) -> Run:
    try:
        return await run(alone)
    finally:
        calm.end(alone=alone)
