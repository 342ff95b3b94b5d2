"""What is said to an agent of a problem and what one that passes by heart answers (`by_heart.py`), as bytes.

In a file of its own, since the engine needs it too, and nothing of what runs tests.

Runs inside the jailed judge process and in the engine: standard library only.
"""

from __future__ import annotations

from typing import NamedTuple

from assay.judge.loading import Program
from assay.judge.wire import framed


class Script(NamedTuple):
    """What is said to an agent and what a program that passes by heart answers: setup, names and encoded plan go with each source; then the
    replies to these; the questions of the screen and the answers to them, nothing where none are asked. All from `replies` on are whole
    frames.
    """

    setup: str
    names: tuple[str, ...]
    plan: bytes
    replies: bytes
    questions: bytes
    answers: bytes

    @property
    def size_bytes(self) -> int:
        """Bytes of all that is said, without the program."""
        return len(self.plan) + len(self.replies) + len(self.questions) + len(self.answers)

    def opening(self, source: str, seed: int) -> bytes:
        """The frame that has an agent load a program and answer the plan."""
        return framed(Program(source, self.setup, self.names, seed).request(self.plan))
