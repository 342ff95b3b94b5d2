"""One small problem judged many times before the first real one comes, so that forks find their code paths warm.

A fork shares the server's memory until it writes to it. Code that has never run writes a lot: caches in code objects, lazily made types.
What the server has rehearsed is shared by all its forks and need not be made once for each of them.

Runs inside the jailed judge process: standard library only. The tests here are our own.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from assay.judge.calibration import Calibration, calibrate
from assay.judge.fork import judge_sample
from assay.judge.hidden import Maker, Screen
from assay.judge.prepared import prepare
from assay.judge.questions import SCREEN
from assay.judge.wire import Channel, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 5

_ORACLE = {"name": "exact", "rtol": 0.0, "atol": 0.0}
_PROBLEM: dict[str, Any] = {
    "id": "rehearsal", "prompt": "", "entry_point": "f", "reference": "", "setup": "import math\n", "prompt_is_code": False,
    "tests": (
        {"type": "assert", "group": "base", "cases": ("assert f([1, 2]) == [2, 3]", "x = f([1, 2])\nassert x == [2, 3], 'no'")},
        {"type": "check", "group": "base", "source": "def check(candidate):\n    assert candidate([1, 2]) == [2, 3]\n"},
        {"type": "calls", "group": "plus", "inputs": ("[[1, 2]]",), "oracle": _ORACLE},
    ),
}  # fmt: skip
_CALLS = 4


class _StoppedClock:
    def start(self) -> None:
        """Nobody watches."""

    def stop(self) -> None:
        """Nobody watches."""


def rehearse() -> None:
    """Prepares, calibrates and judges the small problem against replies that were written down."""
    for answer in (codec.encode(("ok", [2, 3])), codec.encode(("ok", [2, 4]))):
        for _ in range(ROUNDS):
            problem = prepare(_PROBLEM, ("base", "plus"))
            calibration = calibrate(problem, _channel(codec.encode(("ok", [2, 3]))), 0)
            calibration = Calibration.from_plain(codec.decode(codec.encode(calibration.to_plain(problem))), problem)
            codec.encode(judge_sample(problem, calibration, _channel(answer), "", 0))
            _close()
        _rehearse_hidden()


def _rehearse_hidden() -> None:
    """Makes questions out of replies that were written down, and asks them."""
    frames = [codec.encode(("ok", [n])) for n in range(4 * SCREEN)]
    calls = [codec.encode((([1, 2, n], "ab"), ())) for n in range(3)]
    questions = Maker(lambda arguments: frames[: len(arguments)], calls, 0).make_screen()
    screen = Screen("f", questions or zip(calls, frames, strict=False))
    screen.ask(_open_channel([reply for _, reply in screen.questions]))
    _close()


def _close() -> None:
    while _OPEN:
        for end in _OPEN.pop():
            end.close()


def _channel(answer: bytes) -> Channel:
    """A channel on which an agent's replies lie ready; its other end takes the requests and is never read."""
    loaded = codec.Encoder(opaque=lambda _: codec.handle(0, "callable", "f")).encode(("loaded", {"f": len}))
    return _open_channel([loaded, *[answer] * _CALLS])


def _open_channel(frames: Sequence[bytes]) -> Channel:
    ours, theirs = socket.socketpair()
    for frame in frames:
        theirs.sendall(len(frame).to_bytes(4, "little") + frame)
    _OPEN.append((ours, theirs))
    return Channel(ours, _StoppedClock())


_OPEN: list[tuple[socket.socket, socket.socket]] = []
