"""An agent that says whatever it likes: small problems whose honest conversations are recorded once, and played back with anything changed.

Nothing of a candidate's runs: the honest agent is our own `guest/agent.py` with a reference from here, in a child process; what is played
back are bytes.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import struct
from collections import deque
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from assay.judge.calibration import Calibration, calibrate
from assay.judge.fork import judge_sample
from assay.judge.plainness import is_plain
from assay.judge.prepared import Prepared, prepare
from assay.judge.trial import total_cases
from assay.judge.verdicts import Marks, Ruling, unit_groups
from assay.judge.wire import Channel, codec
from assay.records import AssertTests, CallTests, CheckTests, Execution, Limits, Oracle, Problem, StoppedBy

GUEST = Path(codec.__file__)
MARKS = Marks(0, "0" * 32, "L4")
ADD = "def f(x):\n    return [n + 1 for n in x]\n"
CLASS = (
    "class V:\n    def __init__(self, a):\n        self.a = a\n    def __eq__(self, o):\n        return self.a == o.a\n\n"
    "def f(x):\n    return V(2 * x)\n"
)


def _problem(name: str, reference: str, *tests: Any, **fields: Any) -> Problem:
    return Problem(id=name, prompt="?", entry_point="f", reference=reference, tests=tests, **fields)


SETUP = "class Node:\n    def __init__(self, v):\n        self.v = v\n    def twice(self):\n        return 2 * self.v\n"
LOOP = "def check(g):\n    assert g([1]) == [2]\n    for n in range(3):\n        assert g([n]) == [n + 1]\n"
REFUSES = "said = None\ntry:\n    f(1)\nexcept ValueError as e:\n    said = e.args\nassert said == ('no', 1)"
RANGE = "def f(n):\n    yield from range(n)\n"


def _asserts(*cases: str) -> AssertTests:
    return AssertTests(cases=cases)


def _inputs(oracle: str, *inputs: str) -> CallTests:
    return CallTests(inputs=inputs, oracle=Oracle(name=oracle))


PROBLEMS = {
    each.id: each
    for each in (
        _problem(
            "asserts", ADD, _asserts("assert f([1, 2]) == [2, 3]", "x = f([])\nassert x == []", "assert f([7])[0] == 8")
        ),
        _problem("check", ADD, CheckTests(source=LOOP)),
        _problem("calls", ADD, _inputs("exact", "[[1, 2]]", "[[]]", "[[5]]")),
        _problem("types", ADD, _inputs("types", "[[1, 2]]", "[[5]]")),
        _problem("close", "def f(x):\n    return x / 3\n", _inputs("close", "[1]", "[10]")),
        _problem("set", "def f(x):\n    return set(x)\n", _inputs("set", "[[1, 2, 2]]", "['ab']")),
        _problem(
            "given", "import re\ndef f(x):\n    return re.match('a', x)\n", _inputs("not_none", "['ab']", "['b']")
        ),
        _problem("sorts", "def f(x):\n    x.sort()\n", _inputs("exact", "[[2, 1]]", "[[3, 1, 2]]")),
        _problem("lazy", RANGE, _inputs("exact", "[3]", "[1]")),
        _problem("iterates", RANGE, _asserts("assert list(f(3)) == [0, 1, 2]", "assert sum(f(4)) == 6")),
        _problem(
            "calls_back",
            "def f(g, x):\n    return [g(n) for n in x]\n",
            _asserts("assert f(lambda n: n * 2, [1, 2]) == [2, 4]"),
        ),
        _problem("raises", "def f(x):\n    raise ValueError('no', x)\n", _asserts(REFUSES)),
        _problem(
            "mutates",
            "def f(x):\n    x.append(9)\n    return len(x)\n",
            _asserts("x = [1]\nassert f(x) == 2 and x == [1, 9]"),
        ),
        _problem("class", CLASS, _asserts("assert f(1) == V(2)", "assert f(3) == V(6)")),
        _problem(
            "setup",
            "def f(n):\n    return Node(n)\n",
            _asserts("assert f(4).v == 4", "assert f(5).twice() == 10"),
            setup=SETUP,
        ),
    )
}


class Tape:
    """A socket on which everything lies ready and whatever is sent is kept."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self.sent: list[bytes] = []

    def recv(self, count: int) -> bytes:
        start, self._at = self._at, min(len(self._data), self._at + count)
        return self._data[start : self._at]

    def send(self, data: bytes, _: int) -> int:
        self.sent.append(data)
        return len(data)


class Clock:
    """Nobody watches."""

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass


class Recording(Channel):
    """Keeps what comes."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock, Clock())
        self.frames: list[bytes] = []

    def receive(self) -> bytes:
        self.frames.append(super().receive())
        return self.frames[-1]

    def receive_some(self, _: int) -> list[bytes]:
        return [self.receive()]


@dataclass(frozen=True)
class Scene:
    """A problem made ready, and what an honest agent says: with a plan and without one."""

    problem: Problem
    prepared: Prepared
    calibration: Calibration
    planned: tuple[bytes, ...]
    live: tuple[bytes, ...]

    def honest(self, *, live: bool) -> tuple[bytes, ...]:
        return self.live if live else self.planned


def _with_agent(talk: Any) -> Any:
    """What `talk` makes of a channel to our own agent, which is a child process until then."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            ours.close()
            _agent().Agent(theirs.fileno()).serve()
        finally:
            os._exit(1)
    theirs.close()
    with ours:
        told = talk(Recording(ours))
    os.waitpid(pid, 0)
    return told


def _agent() -> Any:
    spec = importlib.util.spec_from_file_location("assay_agent", GUEST.with_name("agent.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def scene(name: str) -> Scene:
    """The recorded problem of that name."""
    problem = PROBLEMS[name]
    prepared = prepare(msgspec.to_builtins(problem), ("base", "plus"))
    plain = is_plain(problem, ("base", "plus"))
    calibration = _with_agent(lambda channel: calibrate(prepared, channel, 0, live=True, plain=plain))
    frames = []
    for live in (False, True):

        def talk(channel: Recording, live: bool = live) -> tuple[bytes, ...]:
            told = judge_sample(prepared, calibration, channel, problem.reference or "", 0, live=live)
            assert told[0] == "again" or set("".join(told[1]["letters"])) == {"P"}, told
            return tuple(channel.frames)

        frames.append(_with_agent(talk))
    return Scene(problem, prepared, calibration, *frames)


def packed(frame: bytes) -> bytes:
    return struct.pack("<I", len(frame)) + frame


def play(name: str, data: bytes, *, live: bool) -> tuple[Any, ...]:
    """What the judge makes of the bytes `data` of an agent that then hangs up."""
    played = scene(name)
    channel = Channel(Tape(data), Clock(), played.calibration.frame_cap)
    channel._nap_s = 0.0
    return judge_sample(played.prepared, played.calibration, channel, "", 0, live=live)


def rule(name: str, report: dict[str, Any], stopped_by: StoppedBy | None = None) -> Any:
    """The verdict that the engine writes."""
    problem, calibration = scene(name).problem, scene(name).calibration
    ruling = Ruling(problem, unit_groups(problem.tests, ("base", "plus")), Limits())
    checked = ruling.read_report(
        codec.decode(codec.encode(report)), tuple(total_cases(scene(name).prepared, calibration.expected))
    )
    return ruling.verdict(MARKS, checked, Execution(exit_code=0, stopped_by=stopped_by))


# -- what a conversation really says, read without the judge


def is_right(name: str, data: bytes) -> bool | None:
    """Whether an agent that said this has solved the problem, as a plain reading of its frames has it. None where there are only claims."""
    frames = deque(_frames(data))
    if not frames:
        return False
    loaded = _read(frames.popleft(), [])
    if type(loaded) is not tuple or loaded[:1] != ("loaded",) or type(loaded[1]) is not dict or "f" not in loaded[1]:
        return False
    check = CHECKS.get(name)
    try:
        return None if check is None else bool(check(frames))
    except (IndexError, ValueError, TypeError, KeyError, codec.CodecError, OverflowError):
        return False


def _frames(data: bytes) -> list[bytes]:
    out, at = [], 0
    while at + 4 <= len(data):
        end = at + 4 + struct.unpack_from("<I", data, at)[0]
        if end > len(data):
            break
        out.append(data[at + 4 : end])
        at = end
    return out


class Node:
    """As the setup of one of the problems has it."""

    def twice(self) -> int:
        return 2 * self.v  # type: ignore[attr-defined]  # what it holds comes from the agent


class Thing(str):
    """An object that stayed with the agent, by its kind."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # as a key it would be a claim


def _read(frame: bytes, known: list[Any]) -> Any:
    decoder = codec.Decoder(
        on_handle=lambda _number, kind, _name, _detail: Thing(kind),
        on_valued=lambda base, _handle, _changed: base,
        on_reference=lambda _: Thing("local"),
        on_instance=lambda name: {"Node": Node}[name](),
        known=known,
    )
    return decoder.decode(frame)


def _answer(frames: deque[bytes], *known: Any) -> Any:
    """The next answer's value; callbacks before it are the agent's own business. Changes are made to `known`."""
    while True:
        reply = _read(frames.popleft(), list(known))
        if reply[0] != "callback":
            break
    if reply[0] != "ok" or len(reply) not in (2, 3):
        raise ValueError
    if len(reply) == 3:
        for number, content in reply[2]:
            known[number][:] = content
    return reply[1]


def _items(frames: deque[bytes]) -> list[Any]:
    """The items of an answer, also where they come one by one."""
    value = _answer(frames)
    if not isinstance(value, Thing):
        return list(value)
    out: list[Any] = []
    if value == "iterable":
        value = _answer(frames)
        if not isinstance(value, Thing):
            return list(value)
    while True:
        reply = _read(frames.popleft(), [])
        if reply[0] == "raised":
            if reply[2][0] != "StopIteration" and "StopIteration" not in reply[2]:
                raise ValueError
            return out
        out.append(reply[1])


def _plain(*wanted: Any) -> Any:
    return lambda frames: all(_same(_answer(frames), each) for each in wanted)


def _same(got: Any, wanted: Any) -> bool:
    return not isinstance(got, Thing) and got == wanted


def _sorts(frames: deque[bytes]) -> bool:
    for given in ([2, 1], [3, 1, 2]):
        known = list(given)
        if _answer(frames, known) is not None or known != sorted(given):
            return False
    return True


def _mutates(frames: deque[bytes]) -> bool:
    known = [1]
    return bool(_answer(frames, known) == 2 and known == [1, 9])


def _raises(frames: deque[bytes]) -> bool:
    reply = _read(frames.popleft(), [])
    return reply[0] == "raised" and "ValueError" in reply[2] and codec.decode(reply[3]) == ("no", 1)


def _types(frames: deque[bytes]) -> bool:
    got = [_answer(frames), _answer(frames)]
    return got == [[2, 3], [6]] and all(type(n) is int for each in got for n in each)


CHECKS: dict[str, Any] = {
    "asserts": lambda frames: _same(_answer(frames), [2, 3]) and _same(_answer(frames), []) and _answer(frames)[0] == 8,
    "check": _plain([2], [1], [2], [3]),
    "calls": _plain([2, 3], [], [6]),
    "types": _types,
    "close": lambda frames: all(abs(_answer(frames) - want) <= 1e-6 * want for want in (1 / 3, 10 / 3)),
    "set": lambda frames: all(set(_answer(frames)) == want for want in ({1, 2}, {"a", "b"})),
    "given": lambda frames: _answer(frames) not in (None, False) and _answer(frames) in (None, False),
    "sorts": _sorts,
    "lazy": lambda frames: _items(frames) == [0, 1, 2] and _items(frames) == [0],
    "iterates": lambda frames: _items(frames) == [0, 1, 2] and sum(_items(frames)) == 6,
    "calls_back": _plain([2, 4]),
    "raises": _raises,
    "mutates": _mutates,
    "setup": lambda frames: _answer(frames).v == 4 and _answer(frames).v * 2 == 10,
}
