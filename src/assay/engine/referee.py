"""An agent that runs the references of many problems in turn, for the price of one process.

Only for references that leave no trace in it (`judge/plain_programs.py`), and only their passes count: whatever else comes of a run in
company, a failure, an end, no answer soon, is thrown away, and the reference runs again in an agent of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.engine.links import JudgeDied
from assay.errors import SandboxError

if TYPE_CHECKING:
    from assay.engine.worker import Fork
    from assay.records import Limits

PATIENCE_S = 1.0
"""How long a reference may take in company."""

SERVES = 500
"""References that one agent runs before a fresh one takes its place."""

_NEVER_S = 86_400.0


class Referee:
    """One lane's agent for plain references. It is started when it is first needed, and again for other limits or after a bad end.

    Args:
        slot: The slot that it lives in, beside the lane's own.
    """

    def __init__(self, slot: int) -> None:
        self._slot = slot
        self._agent: _Agent | None = None

    async def calibrate(self, fork: Fork, limits: Limits, seed: int, *, screens: bool) -> tuple[Any, ...] | None:
        """The judge's answer to `calibrate` where the reference passed, else None. `screens` says whether hidden inputs are wanted.

        Raises:
            JudgeDied: The judge is gone, or so busy with the answer that it has to be given up; with it the problem that it had open.
        """
        answer = await self._ask(fork, limits, ("calibrate", seed, screens))
        match answer:
            case ("calibrated", _, _, screen, *_):
                if screen is None:  # it did not come back from a hidden input
                    await self.close()
                return answer
            case _:
                await self.close()
                return None

    async def _ask(self, fork: Fork, limits: Limits, message: tuple[Any, ...]) -> tuple[Any, ...] | None:
        try:
            return await self._ask_in_turn(fork, limits, message)
        except SandboxError:
            return None  # whoever needs the sandbox next will say what is wrong with it
        except TimeoutError:
            await self.close()
            raise JudgeDied("the reference took long in company") from None
        except JudgeDied:
            await self.close()
            raise

    async def _ask_in_turn(self, fork: Fork, limits: Limits, message: tuple[Any, ...]) -> tuple[Any, ...]:
        await fork.pair.calm.begin()
        try:
            agent = await self._agent_for(fork, limits)
            return await fork.link.ask(message, agent.socket.dup(), PATIENCE_S)
        finally:
            fork.pair.calm.end()

    async def _agent_for(self, fork: Fork, limits: Limits) -> _Agent:
        agent = self._agent
        if agent is None or not agent.serves(fork, limits):
            await self.close()
            self._agent = agent = _Agent(fork, self._slot, limits)
        agent.left -= 1
        return agent

    async def close(self) -> None:
        """Ends the agent, if there is one."""
        agent, self._agent = self._agent, None
        if agent is not None:
            await agent.close()


class _Agent:
    """A running agent: who started it, under which limits, and how many references it may still run."""

    def __init__(self, fork: Fork, slot: int, limits: Limits) -> None:
        self._link = fork.agents
        self._limits = limits
        # its time is not one reference's: each has `PATIENCE_S`
        endless = msgspec.structs.replace(limits, time_s=_NEVER_S, cpu_s=_NEVER_S, wall_s=_NEVER_S)
        self._number, self.socket = self._link.spawn(slot, endless)
        self.left = SERVES

    def serves(self, fork: Fork, limits: Limits) -> bool:
        """Whether it may run a reference for that fork, under those limits."""
        return self._link is fork.agents and self._link.broken is None and self._limits == limits and self.left > 0

    async def close(self) -> None:
        """Hangs up and waits for its end."""
        self.socket.close()
        try:
            await self._link.end(self._number)
        except SandboxError:
            return  # its server is gone, and it with it
