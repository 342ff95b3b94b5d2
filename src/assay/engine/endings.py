"""Whose doing an end is: the program's own, the machine's that gave it no processor, or somebody else's.

Keeps true: nothing is held against a program that its end does not show to be its own.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import msgspec

from assay.engine.links import JudgeDied
from assay.errors import SandboxError
from assay.records import StoppedBy

if TYPE_CHECKING:
    from assay.records import Execution, Limits

STARVED = 8
"""So many times its limit on the clock is let go by, where nearly all of it was spent waiting for a processor."""


class Starved(Exception):
    """A sample had next to nothing of a processor, so that nothing can be said of it."""


def with_patience(limits: Limits) -> Limits:
    """The same limits with far more time on the clock, for a reference that a busy machine gave no processor."""
    return msgspec.structs.replace(limits, wall_s=STARVED * limits.clock_s)


def was_starved(facts: Execution) -> bool:
    """Whether the limit on the clock ended a process that had waited for a processor most of the time: that says nothing of it."""
    return facts.stopped_by is StoppedBy.WALL and facts.wall_s > 2 * facts.time_s


def require_fair(limits: Limits, *runs: Execution) -> None:
    """Lets a sample be judged by how it ended. A limit on the clock that somebody has set holds, whoever is to blame.

    Raises:
        Starved: The far backstop ended it, which waited for a processor nearly all the time.
    """
    for facts in runs:
        if limits.wall_s is None and was_starved(facts):
            share = f"{facts.cpu_s:.2g} s of a processor in {facts.wall_s:.0f} s"
            raise Starved(f"the machine gave it {share}; judge it again when there is less to do")


def whose_end(error: JudgeDied, facts: Execution | None) -> Exception:
    """The end of a judge as the sample's doing, with what limit it was, if it was one; or as a failure of ours, where somebody else has
    ended it or nobody can tell.
    """
    if facts is None or facts.bystander or was_killed_by_others(facts):
        return SandboxError("something that the sandbox knows nothing of ended the judge")
    if facts.stopped_by is not None and not str(error):
        return JudgeDied(f"the judge hit its limit ({facts.stopped_by.value})")
    return error


def was_killed_by_others(facts: Execution) -> bool:
    """Whether a SIGKILL ended it that the sandbox knows nothing of. A program can't send itself one, but it can have the kernel send it
    one: so this is a reason to look again, not to believe it.
    """
    return facts.signal == signal.SIGKILL and facts.stopped_by is None and not facts.killed and not facts.bystander
