"""The plan: calls that go out in one batch with a program, and the replies to it as they come.

Nearly all of a sample's calls are known before it is judged: they are those that the reference's run made. Sent together they cost one
round trip, however many they are. Kept true: replies are used in the order of the calls, one each; a plan that breaks off gives the replies
that came and ends the session where the next one is missing; how much is held at once is bounded, however much comes.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING

from assay.judge.wire import Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

HELD_BYTES = 64 << 20
"""Bytes of replies after which no more are asked for. Those that are the reference's own are held already and don't count."""

_BROKEN = ("protocol", "flood")


class Plan:
    """Calls `(name, encoded arguments)` that go out in one batch.

    `answers` has the reference's reply to each call, where it is kept, else None.
    """

    def __init__(self, calls: Sequence[tuple[str, bytes]] = (), answers: Sequence[bytes | None] | None = None) -> None:
        self.calls = tuple(calls)
        self.answers = (None,) * len(self.calls) if answers is None else tuple(answers)

    @cached_property
    def data(self) -> bytes:
        """The calls, encoded."""
        data: bytes = codec.encode_calls(self.calls)
        return data


class Asked:
    """What the reference was asked: its calls and its replies to them, for as long as all that is asked are calls by name with plain data.

    `answers` has None for a reply that is not kept. `goes_on` says that nothing else was asked so far.
    """

    def __init__(self, *, goes_on: bool) -> None:
        self.calls: list[tuple[str, bytes]] = []
        self.answers: list[bytes | None] = []
        self.goes_on = goes_on
        self._kept_bytes = 0

    def note(self, name: str | None, arguments: bytes) -> None:
        """Notes a call; one without a name, or with more than data in its arguments, has the name None here and ends the record."""
        if self.goes_on and name is not None:
            self.calls.append((name, arguments))
            self.answers.append(None)
        else:
            self.goes_on = False

    def keep(self, reply: bytes, most_bytes: int | None = None) -> None:
        """Keeps the reply to the call that was noted last, unless that makes more than `most_bytes` altogether."""
        if self.goes_on:
            self._kept_bytes += len(reply)
            self.answers[-1] = reply if most_bytes is None or self._kept_bytes <= most_bytes else None

    def let_go(self, number: int) -> None:
        """Keeps no reply to a call, nor to those that were noted since: other programs' replies are not compared with them."""
        self.answers[number:] = [None] * len(self.answers[number:])

    def forget(self, number: int) -> None:
        """Takes a call, and what was noted since, out of the record: candidates are not asked it."""
        del self.calls[number:], self.answers[number:]


class Replies:
    """The replies to a plan that has gone out on a channel."""

    def __init__(self, channel: Channel, plan: Plan) -> None:
        self._channel = channel
        self._plan = plan
        self._held: deque[bytes] = deque()
        self._used = 0
        self._missing: str | None = None

    @property
    def are_used_up(self) -> bool:
        """Whether every call of the plan has had its reply."""
        return self._used >= len(self._plan.calls)

    def fit(self, name: str | int, arguments: bytes) -> bool:
        """Whether the next reply is to this call."""
        return self._plan.calls[self._used] == (name, arguments)

    def take(self) -> bytes:
        """The next reply.

        Raises:
            SessionEnded: If the plan broke off before it.
        """
        if not self._held and self._missing is None:
            self.gather()
        if not self._held:
            self._channel.end(self._missing or "lost")
        self._used += 1
        return self._held.popleft()

    def pass_over(self, name: str, arguments: Sequence[bytes], wanted: Sequence[object], at: int) -> int:
        """Uses the replies to these calls, from number `at` on, as long as they are here and the very objects that are wanted.

        Returns:
            The number of the first call that is left.
        """
        held, calls = self._held, self._plan.calls
        while at < len(wanted) and held and held[0] is wanted[at] and calls[self._used] == (name, arguments[at]):
            held.popleft()
            self._used += 1
            at += 1
        return at

    def repeat_the_reference(self) -> bool:
        """Whether every reply is here and is the reference's, byte for byte. They count as used then."""
        same = not self._used and self._held and all(map(is_, self._held, self._plan.answers))
        if not same or len(self._held) < len(self._plan.calls):
            return False
        self._used = len(self._held)
        self._held.clear()
        return True

    def gather(self) -> None:
        """Takes in replies as far as they come. All of them, unless they are so large that the rest has to wait on the way until these
        are used; why there are no more is kept for who asks for the next.
        """
        answers, here, held = self._plan.answers, self._used + len(self._held), 0
        self._channel.in_a_row = True
        try:
            while here < len(answers) and held <= HELD_BYTES:
                for frame in self._channel.receive_some(len(answers) - here):
                    answer = answers[here]
                    here += 1
                    if frame == answer:
                        self._held.append(answer)  # the same bytes, held once
                    else:
                        self._held.append(frame)
                        held += len(frame)
        except SessionEnded as ended:
            self._missing = str(ended)
            if self._channel.ended not in _BROKEN:
                self._channel.ended = None
        finally:
            self._channel.in_a_row = False
