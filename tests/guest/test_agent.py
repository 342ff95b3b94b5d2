"""The agent: a real one, in a forked child, asked over a socket pair about harmless programs of our own."""

from __future__ import annotations

import importlib.util
import os
import socket
import struct
import sys
import textwrap
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from assay.judge.plan import Plan
from assay.judge.session import LoadFailure, Program, Session
from assay.judge.wire import Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXIT = os._exit  # bound here, for one of the programs below patches it
AGENT = Path(codec.__file__).with_name("agent.py")


class Handle(NamedTuple):
    number: int
    kind: str
    name: str
    detail: str


class Joined(NamedTuple):
    """A copied value with the handle beside it."""

    value: Any
    handle: Handle
    overrides: list[str]


class StillClock:
    def start(self) -> None:
        """Nobody watches."""

    def stop(self) -> None:
        """Nobody watches."""


class Peer:
    """The judge's end of a conversation with one agent."""

    def __init__(self) -> None:
        self.socket, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            self.socket.close()
            _be_the_agent(theirs.detach())
        theirs.close()
        self.locals: list[Any] = []

    def send(self, *message: Any) -> None:
        data = codec.encode(message)
        self.socket.sendall(struct.pack("<I", len(data)) + data)

    def receive(self, known: Any = ()) -> Any:
        decoder = codec.Decoder(
            on_handle=Handle,
            on_valued=Joined,
            on_reference=self.locals.__getitem__,
            on_instance=lambda _: Thing(),
            known=known,
        )
        return decoder.decode(self._take(struct.unpack("<I", self._take(4))[0]))

    def _take(self, n: int) -> bytes:
        data = self.socket.recv(n, socket.MSG_WAITALL) if n else b""
        if len(data) < n:
            raise EOFError
        return data

    def load(self, source: str, *names: str, setup: str = "", plan: tuple[Any, ...] = ()) -> Any:
        self.send("load", textwrap.dedent(source), textwrap.dedent(setup), names, 1, codec.encode_calls(plan))
        return self.receive()

    def call(self, target: Any, *args: Any, **keywords: Any) -> Any:
        encoder = codec.Encoder(opaque=self._opaque, classes={Thing: "Thing"}, homes={Handle})
        self.send("call", target, encoder.encode((args, tuple(keywords.items()))))
        return self.receive(encoder.mutables)

    def op(self, operation: str, handle: Handle, *args: Any) -> Any:
        encoder = codec.Encoder(opaque=self._opaque, homes={Handle})
        self.send("op", operation, handle.number, encoder.encode((args, ())))
        return self.receive(encoder.mutables)

    def _opaque(self, o: Any) -> bytes:
        if type(o) is Handle:
            return bytes(codec.reference(o.number))
        if o not in self.locals:
            self.locals.append(o)
        return bytes(codec.callback(self.locals.index(o)))

    def close(self) -> int:
        """Hangs up; the agent's exit status."""
        self.socket.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Thing:
    """What the setup of the tests below defines on both sides."""

    __module__ = "solution"


THING = "class Thing:\n    def __init__(self, a): self.a = a\n"


def _be_the_agent(fd: int) -> None:
    try:
        sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123 (as the sandbox leaves it, until the process ends)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 (see above)
        sys.settrace(None)
        spec = importlib.util.spec_from_file_location("entry", AGENT)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.main(fd)
    finally:
        EXIT(3)


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    try:
        yield peer
    finally:
        peer.close()


def loaded(peer: Peer, source: str, **more: Any) -> None:
    assert peer.load(source, **more)[0] == "loaded"


# -- loading


def test_loading_tells_which_of_the_names_there_are(peer: Peer) -> None:
    reply = peer.load(
        "import math\nLIMIT = [3]\ndef f(): return 1\nclass E(KeyError): pass", "f", "LIMIT", "math", "E", "g"
    )
    assert reply[0] == "loaded"
    kinds = {name: o.kind if isinstance(o, Handle) else o for name, o in reply[1].items()}
    assert kinds == {"f": "callable", "LIMIT": [3], "math": "module", "E": "exception"}
    assert reply[1]["E"].detail == "KeyError"


@pytest.mark.parametrize("source", ["def f(:", "x = '\ud800'", "a\0b", "(" * 300 + ")" * 300, "return 1"])
def test_what_does_not_compile_is_a_syntax_reply(peer: Peer, source: str) -> None:
    reply = peer.load(source)
    assert reply[0] == "syntax"
    assert "Error" in reply[1]


def test_what_a_program_raises_while_it_loads_is_told_with_its_line(peer: Peer) -> None:
    kind, own, bases, args, text, frames = peer.load("x = 1\n\nraise KeyError('gone', 2)")
    assert (kind, own, bases[0], codec.decode(args)) == ("raised", None, "KeyError", ("gone", 2))
    assert frames == ((3, "<module>"),)
    assert text == "('gone', 2)"


@pytest.mark.parametrize(
    ("source", "base"), [("import sys; sys.exit(0)", "SystemExit"), ("raise KeyboardInterrupt", "KeyboardInterrupt")]
)
def test_an_exit_while_loading_is_an_answer_too(peer: Peer, source: str, base: str) -> None:
    assert peer.load(source)[2][0] == base


def test_replies_to_the_plan_come_in_order_without_being_asked_for(peer: Peer) -> None:
    plan = tuple((name, codec.encode((args, ()))) for name, args in (("f", (1,)), ("g", ()), ("f", (2,))))
    loaded(peer, "def f(x): return x * 10", plan=plan)
    assert peer.receive() == ("ok", 10)
    assert peer.receive()[2][0] == "NameError"
    assert peer.receive() == ("ok", 20)
    assert peer.call("f", 3) == ("ok", 30)


def test_calls_in_one_piece_are_answered_in_one_piece(peer: Peer) -> None:
    loaded(peer, "def f(x): return 10 // x")
    calls = [("f", codec.encode(((n,), ()))) for n in (1, 0, 5)]
    peer.send("calls", codec.encode_calls(calls))
    first = peer.socket.recv(1 << 16)
    length = struct.unpack_from("<I", first)[0]
    assert codec.decode(first[4 : 4 + length]) == ("ok", 10)
    assert first.count(b"ZeroDivisionError") > 0
    assert codec.decode(first[-length:]) == ("ok", 2), "all of it came in one write"
    assert peer.call("f", 2) == ("ok", 5), "what comes alone is not held back"


def test_when_the_judge_hangs_up_the_agent_ends_quietly(peer: Peer) -> None:
    loaded(peer, "x = 1")
    again = Peer()
    loaded(again, "x = 1")
    assert again.close() == 0


def test_a_global_that_cannot_be_sent_is_told_as_a_failure_to_load(peer: Peer) -> None:
    source = "from types import MappingProxyType as M\nd = {}\nd['d'] = M(d)"
    assert peer.load(source, "d")[0] == "raised"


# -- the world that a program finds


def test_a_program_is_a_module_named_solution_with_empty_stdin_and_its_source_in_tracebacks(peer: Peer) -> None:
    source = """
        import inspect, sys, traceback
        def where(): return __name__, __file__, sys.modules[__name__].where is where
        def source(): return inspect.getsource(where)
        def read(): return sys.stdin.read()
        def trace():
            try:
                1 / 0  # here
            except ZeroDivisionError:
                return traceback.format_exc()
    """
    loaded(peer, source)
    assert peer.call("where") == ("ok", ("solution", "<solution>", True))
    assert peer.call("source") == (
        "ok",
        "def where(): return __name__, __file__, sys.modules[__name__].where is where\n",
    )
    assert peer.call("read") == ("ok", "")
    assert "1 / 0  # here" in peer.call("trace")[1]


def test_a_program_gets_none_of_the_agents_future_imports(peer: Peer) -> None:
    reply = peer.load("def f(x: Undefined): pass")
    assert (reply[0], reply[2][0]) == ("raised", "NameError")
    again = Peer()
    loaded(again, "def f(x: int): pass\ndef g(): return f.__annotations__['x'] is int", setup="def h(x: int): pass")
    assert again.call("g") == ("ok", True)
    again.close()


def test_at_most_ten_frames_lie_between_main_and_the_program(peer: Peer) -> None:
    source = """
        import sys
        def frames():
            frame, names = sys._getframe(1), []
            while frame.f_code.co_name != "main":
                names.append(frame.f_code.co_name)
                frame = frame.f_back
            return len(names) + 1
        AT_LOAD = frames()
        def at_load(): return AT_LOAD
        class Odd:
            def __eq__(self, o): return frames() > 0 and frames()
        def odd(): return Odd()
    """
    loaded(peer, source)
    for name in ("frames", "at_load"):
        assert peer.call(name)[1] <= 10
    assert peer.op("eq", peer.call("odd")[1], 1)[1] <= 10


def test_recursion_as_deep_as_python_lets_is_answered(peer: Peer) -> None:
    source = "import sys\nsys.setrecursionlimit(400)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)"
    loaded(peer, source)
    assert peer.call("f", 250) == ("ok", 250)
    assert peer.call("f", 500)[2][:2] == ["RecursionError", "RuntimeError"]
    assert peer.call("f", 250) == ("ok", 250)


PATCHED = """
import builtins, collections, datetime, decimal, json, os, struct, sys
def spoil(*args, **keywords): raise RuntimeError("spoilt")
LEN = len
for name in "len type isinstance issubclass getattr hasattr tuple dict list map zip iter next vars str bytes object repr".split():
    setattr(builtins, name, spoil)
os.read = os.write = os._exit = json.dumps = json.loads = struct.pack = spoil
collections.deque = collections.Counter = datetime.date = decimal.Decimal = spoil
sys.modules["numpy"] = None
def f(x):
    x.append(1)
    return [x, 2.5, {"a": (x,)}, {1}]
def fails(): raise ValueError("as it should")
def own_len():
    try:
        return len("abc")
    except RuntimeError:
        return "patched"
class Odd: pass
def odd(): return Odd()
"""


def test_a_program_that_patches_the_library_still_gets_its_answers_through_and_sees_its_patches(peer: Peer) -> None:
    loaded(peer, PATCHED)
    numbers = [0]
    kind, got, changed = peer.call("f", numbers)
    assert (kind, got[1:3], changed) == ("ok", [2.5, {"a": (numbers,)}], [(0, [0, 1])])
    assert peer.call("fails")[4] == "as it should"
    assert peer.call("own_len") == ("ok", "patched")
    assert peer.call("odd")[1].kind == "object"


# -- changes to arguments


class Change(NamedTuple):
    argument: Callable[[], Any]
    body: str
    after: Any


def thing(**attributes: Any) -> Thing:
    made = Thing()
    vars(made).update(attributes)
    return made


CHANGES = {
    "list": Change(lambda: [3, 1], "x.sort()", [(0, [1, 3])]),
    "dict": Change(lambda: {"a": 1}, "x['b'] = x.pop('a')", [(0, ["b", 1])]),
    "set": Change(lambda: {1, 2}, "x.discard(1)", [(0, [2])]),
    "bytearray": Change(lambda: bytearray(b"ab"), "x.append(99)", [(0, b"abc")]),
    "array": Change(lambda: array("i", [3, 1]), "x.append(2)", [(0, array("i", [3, 1, 2]))]),
    "deque": Change(lambda: deque([1, 2], 2), "x.append(3)", [(0, [2, 3])]),
    "ordered": Change(lambda: OrderedDict(a=1, b=2), "x.move_to_end('a')", [(0, ["b", 2, "a", 1])]),
    "counter": Change(lambda: Counter("a"), "x.update('b')", [(0, ["a", 1, "b", 1])]),
    "defaultdict": Change(lambda: defaultdict(list), "x['a'].append(1)", [(0, ["a", [1]])]),
    "nested": Change(lambda: ([1], [2]), "x[1].append(x[0])", [(0, [1]), (1, [2, [1]])]),
    "instance": Change(lambda: thing(a=1), "x.a = 2; x.b = [3]", [(0, ["a", 2, "b", [3]]), (1, ["a", 2, "b", [3]])]),
    "in an instance": Change(
        lambda: thing(a=[1]), "x.a.append(2)", [(0, ["a", [1, 2]]), (1, ["a", [1, 2]]), (2, [1, 2])]
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("ending", ["return 7", "raise ValueError(7)"])
def test_a_call_that_changes_its_arguments_says_so_also_when_it_fails(peer: Peer, change: Change, ending: str) -> None:
    loaded(peer, f"def f(x):\n    {change.body}\n    {ending}", setup=THING)
    # The reply speaks of containers by number; a fresh copy stands for each, so that changed ones are seen as they are told.
    encoder = codec.Encoder(classes={Thing: "Thing"})
    peer.send("call", "f", encoder.encode(((change.argument(),), ())))
    reply = peer.receive(encoder.mutables)
    assert reply[0] == ("ok" if ending.startswith("return") else "raised")
    told = dict(reply[-1])
    assert {number: told[number] for number, _ in change.after} == settled(change, encoder)


def settled(change: Change, encoder: Any) -> dict[int, Any]:
    """What is expected, with the containers that the reply names by number as they were before the call."""
    before = {repr(o): o for o in encoder.mutables}
    expected = dict(change.after)
    if list(expected) == [0, 1] and expected[0] == [1]:
        expected[1] = [2, before["[1]"]]
    if len(expected) == 3:
        expected[0] = expected[1] = ["a", before["[1]"]]
    return expected


def test_a_changed_array_comes_back_whole(peer: Peer) -> None:
    loaded(peer, "def f(x): x[0] = 9\ndef g(x): x[0].append(1)")
    assert peer.call("f", np.zeros(2))[2][0][1].tolist() == [9.0, 0.0]
    holder = np.empty(1, dtype=object)
    holder[0] = []
    (number, array), (_, inner) = peer.call("g", holder)[2]
    assert (number, array.dtype.kind, inner) == (0, "O", [1])


UNCHANGED = {
    "list": [1, [2]],
    "set": {f"text {n}" for n in range(50)},
    "nested sets": [{"a", "b"}, {1: {"x", "y"}}, frozenset("abc")],
    "nan": [float("nan"), {"a": -0.0}],
    "array": np.arange(3.0),
    "array of the library": [array("d", [1]), array("u", "a")],
    "instance": thing(a=[1], b={2}),
    "callable": [len, [1]],
    "keys": [{"a": 1}.keys(), {"b": [2]}.values()],
}


@pytest.mark.parametrize("argument", UNCHANGED.values(), ids=UNCHANGED)
def test_a_call_that_changes_nothing_reports_nothing(peer: Peer, argument: Any) -> None:
    loaded(peer, "def f(x, *more): return repr(x) and 1\ndef g(x): raise ValueError", setup=THING)
    assert peer.call("f", argument) == ("ok", 1)
    assert len(peer.call("g", argument)) == 6


HARDLY = [
    ([1, 2], "x[0] = True", [True, 2]),
    ([0.0], "x[0] = -0.0", [-0.0]),
    ({"a": 1, "b": 2}, "x['a'] = x.pop('a')", ["b", 2, "a", 1]),
    ({"a": 1}, "x['a'] = 1.0", ["a", 1.0]),
    (deque([1, 1.0]), "x.rotate()", [1.0, 1]),
    ({1, "a"}, "x.remove(1); x.add(True)", None),
    ({"a": 1}, "v = x.pop('a'); x['A'.lower() + ''] = True", ["a", True]),
    ([[1], [1]], "x[0] = x[1]", None),
    ([(1, 2)], "x[0] = [1, 2]", [[1, 2]]),
]


@pytest.mark.parametrize(("argument", "body", "after"), HARDLY, ids=[body for _, body, _ in HARDLY])
def test_a_change_that_python_calls_equal_is_one_all_the_same(peer: Peer, argument: Any, body: str, after: Any) -> None:
    loaded(peer, f"def f(x):\n    {body}\n    return 7")
    reply = peer.call("f", argument)
    assert reply[:2] == ("ok", 7)
    assert after is None or repr(reply[2][0]) == repr((0, after))
    assert len(reply) == 3


def test_an_answer_that_fills_the_memory_is_said_to_do_so(peer: Peer) -> None:
    loaded(
        peer,
        "class Meta(type):\n    def __getattribute__(cls, name):\n        if name == '__add__':\n            raise MemoryError\n"
        "        return type.__getattribute__(cls, name)\n"
        "class Own(list, metaclass=Meta): pass\ndef f(): return Own()\ndef g(): return 1",
    )
    assert peer.call("f") == ("unsendable", "MemoryError: it takes too much memory")
    assert peer.call("g") == ("ok", 1)


AFTER_ALL = [
    ([1, 2], "x.append(3); x.pop()"),
    ([2**70, "é" * 9], "x[0] += 1; x[0] -= 1; x[1] = x[1][:4] + x[1][4:]"),
    ([3, 2, 1], "x.sort(); x.reverse()"),
    ({"b": 2}, "x['c'] = x.pop('b'); x['b'] = x.pop('c')"),
    ({f"text {n}" for n in range(50)}, "x.add('more'); x.discard('more')"),
    (deque([1, 2]), "x.rotate(); x.rotate()"),
    ([[1], [1]], "x[0] = list(x[0])"),
]


@pytest.mark.parametrize(("argument", "body"), AFTER_ALL, ids=[body for _, body in AFTER_ALL])
def test_a_change_that_is_undone_is_none(peer: Peer, argument: Any, body: str) -> None:
    loaded(peer, f"def f(x):\n    {body}\n    return 7")
    assert peer.call("f", argument) == ("ok", 7)


def test_the_programs_own_objects_among_the_arguments_are_no_change(peer: Peer) -> None:
    loaded(peer, "class Odd: pass\nclass Own(list): pass\ndef make(): return Odd(), Own([1])\ndef f(*x): return 1")
    odd, own = peer.call("make")[1]
    assert peer.call("f", [1, odd, own.handle]) == ("ok", 1)


def test_an_answer_that_is_an_argument_comes_back_as_that_argument(peer: Peer) -> None:
    loaded(peer, "def f(x): return [x, x]")
    argument = [1]
    first, second = peer.call("f", argument)[1]
    assert first is argument
    assert second is argument


# -- exceptions


EXCEPTIONS = """
class Own(LookupError):
    def __init__(self, a, b): self.b = b
    def __str__(self): return f"own {self.b}"
class Dumb(Exception):
    def __str__(self): raise KeyError("no text")
class Odd: pass
def own(): raise Own(1, 2)
def dumb(): raise Dumb("a")
def odd(): raise ValueError(Odd(), 1)
def huge(): raise ValueError("x" * 10_000)
def group(): raise ExceptionGroup("many", [ValueError(1)])
def stop(): raise StopIteration(5)
def text(): b"\\xff".decode()
def leave(): raise SystemExit(4)
def surrogate(): raise ValueError("\\ud800")
def args():
    error = ValueError()
    error.args = ([1, 2],)
    raise error
"""


@pytest.mark.parametrize(
    ("name", "bases", "args", "text"),
    [
        ("own", ["LookupError", "Exception"], (1, 2), "own 2"),
        ("dumb", ["Exception"], ("a",), "<the exception's __str__ failed>"),
        ("stop", ["StopIteration", "Exception"], (5,), "5"),
        ("text", ["UnicodeDecodeError", "UnicodeError"], None, None),
        ("leave", ["SystemExit", "BaseException"], (4,), "4"),
        ("surrogate", ["ValueError"], ("\ud800",), "\ud800"),
        ("args", ["ValueError"], ([1, 2],), "[1, 2]"),
        ("huge", ["ValueError"], ("x" * 10_000,), "x" * 2000),
        ("group", ["ExceptionGroup", "BaseExceptionGroup"], ("many",), "many (1 sub-exception)"),
    ],
)
def test_exceptions_come_with_their_builtin_bases_arguments_and_text(
    peer: Peer, name: str, bases: Any, args: Any, text: Any
) -> None:
    loaded(peer, EXCEPTIONS)
    reply = peer.call(name)
    assert (reply[0], reply[2][: len(bases)]) == ("raised", bases)
    encoded = reply[3] if type(reply[3]) is bytes else reply[3][0]
    assert args is None or codec.decode(encoded) == args
    assert text is None or reply[4] == text
    assert reply[5][-1][0] > 1


def test_an_exception_class_of_the_programs_goes_out_as_a_handle_and_odd_arguments_as_text(peer: Peer) -> None:
    loaded(peer, EXCEPTIONS)
    own = peer.call("own")[1]
    assert (own.kind, own.name, own.detail) == ("exception", "Own", "LookupError")
    assert peer.call("own")[1] == own
    reply = peer.call("odd")
    assert codec.decode(reply[3]) == (reply[4],)
    assert reply[1] is None


HOLDING = """
class Own(ValueError):
    odd = property(lambda self: 1 / 0)
class Liar(ValueError):
    def __getattribute__(self, name): raise RuntimeError(name)
def fields(): open("/no/such/file")
def attributes():
    error = Own(1)
    error.code, error.thing = 7, object()
    error.add_note("a note")
    raise error
def cause():
    try:
        1 / 0
    except ZeroDivisionError as error:
        raise KeyError("k") from error
def group(): raise ExceptionGroup("many", [Own(1), ExceptionGroup("in", [KeyError(2)])])
def chain():
    error = ValueError(0)
    for n in range(1, 5000):
        outer = ValueError(n)
        outer.__cause__, error = error, outer
    raise error
def crowd(): raise ExceptionGroup("crowd", [ValueError(n) for n in range(5000)])
def loop():
    error = ValueError(1)
    error.__cause__ = error
    raise error
def large():
    error = ValueError(1)
    error.huge, error.small = "x" * 100_000, 1
    raise error
def liar(): raise Liar(3)
"""


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("fields", {"errno": 2, "strerror": "No such file or directory", "filename": "/no/such/file"}),
        ("attributes", {"code": 7, "__notes__": ["a note"]}),
        ("large", {"small": 1}),
    ],
)
def test_what_an_exception_holds_as_plain_data_is_told(peer: Peer, name: str, attributes: dict[str, Any]) -> None:
    loaded(peer, HOLDING)
    assert codec.decode(peer.call(name)[3][1]) == attributes


def test_the_exceptions_of_a_group_and_a_cause_are_told_as_any_other(peer: Peer) -> None:
    loaded(peer, HOLDING)
    own, inner = peer.call("group")[3][2]
    assert (own[0].name, codec.decode(own[2]), own[3]) == ("Own", (1,), "1")
    assert [codec.decode(part[2]) for part in inner[2][2]] == [(2,)]
    _, bases, args, text = peer.call("cause")[3][3]
    assert (bases[0], codec.decode(args), text) == ("ZeroDivisionError", ("division by zero",), "division by zero")


TRACED = """import json
def f(x):
    return g(x)
def g(x):
    return json.loads(x)
def deep(n):
    if n == 0:
        1 / 0
    deep(n - 1)
class C:
    def method(self):
        return [1 // x for x in (1, 0)]
def made(x):
    return C().method()
def renamed(x):
    class Name(str):
        __slots__ = ()
        def __getitem__(self, at):
            raise SystemExit
        __str__ = __len__ = __iter__ = __getitem__
    def inner():
        1 / 0
    inner.__code__ = inner.__code__.replace(co_name=Name("n" * 500))
    inner()
"""


def test_an_exception_is_told_with_the_programs_own_frames_outermost_first(peer: Peer) -> None:
    loaded(peer, TRACED)
    assert peer.call("f", "no json")[5] == ((3, "f"), (5, "g")), "those of the standard library are left out"
    assert peer.call("made", 1)[5][:2] == ((14, "made"), (12, "method"))
    assert peer.call("deep", 1)[5] == ((9, "deep"), (8, "deep"))


@pytest.mark.parametrize(("depth", "told"), [(8, 9), (9, 10), (10, 10), (500, 10)])
def test_of_a_deep_traceback_the_first_three_and_the_last_seven_frames_are_told(
    peer: Peer, depth: int, told: int
) -> None:
    loaded(peer, TRACED)
    frames = peer.call("deep", depth)[5]
    assert frames == ((9, "deep"),) * (told - 1) + ((8, "deep"),)


def test_a_function_with_an_odd_name_is_told_by_a_piece_of_it(peer: Peer) -> None:
    loaded(peer, TRACED)
    assert [name for _, name in peer.call("renamed", 1)[5]] == ["renamed", "n" * 60]


@pytest.mark.parametrize("name", ["chain", "crowd", "loop", "liar"])
def test_exceptions_without_end_and_those_that_lie_are_told_in_part(peer: Peer, name: str) -> None:
    loaded(peer, HOLDING)
    reply = peer.call(name)
    assert (reply[0], len(reply)) == ("raised", 6)
    assert len(codec.encode(reply[4])) < 100_000


def test_a_missing_name_is_a_name_error(peer: Peer) -> None:
    loaded(peer, "x = 1")
    reply = peer.call("nothing", 1, key=2)
    assert (reply[2][0], reply[4], reply[5]) == ("NameError", "name 'nothing' is not defined", ())


@pytest.mark.parametrize(
    "body",
    [
        "from types import MappingProxyType as M\n    d = {}\n    d['d'] = M(d)\n    return d",
        "x = ()\n    for _ in range(5000): x = (x,)\n    return x",
        "class Sly(type):\n        def __hash__(cls): raise KeyError('sly')\n    return Sly('C', (), {})()",
    ],
)
def test_an_answer_that_cannot_be_sent_is_said_to_be_so(peer: Peer, body: str) -> None:
    loaded(peer, f"def f():\n    {body}\ndef g(): return 1")
    assert peer.call("f")[0] == "unsendable"
    assert peer.call("g") == ("ok", 1)


# -- handles


def test_what_is_not_plain_is_a_handle_of_its_kind_and_the_same_one_each_time(peer: Peer) -> None:
    source = """
        import functools, math
        class Odd: pass
        class Many:
            def __iter__(self): return iter([1])
        class Vague:
            def __getattr__(self, name): raise KeyError(name)
            def __call__(self): return 1
        class Later:
            def __await__(self): return iter([])
        async def step(): yield 1
        ODD = Odd()
        def f():
            some = [ODD, ODD, Odd, Many(), (x for x in "ab"), math, len, functools.partial(len), Vague(), KeyError]
            return [*some, Later(), step(), int]
    """
    loaded(peer, source)
    got = peer.call("f")[1]
    assert got[0] == got[1] == peer.call("f")[1][0]
    assert [(h.kind, h.name) for h in got[1:-1]] == [
        *(("object", "Odd"), ("class", "Odd"), ("iterable", "Many"), ("iterator", "generator"), ("module", "math")),
        *(("callable", "len"), ("callable", "partial"), ("callable", "Vague"), ("exception", "KeyError")),
        *(("awaitable", "Later"), ("async iterator", "async_generator")),
    ]
    assert got[-1] is int


def test_what_is_awaited_runs_to_its_end_in_one_event_loop(peer: Peer) -> None:
    source = """
        import asyncio
        loops = []
        async def f(n):
            loops.append(asyncio.get_running_loop())
            await asyncio.sleep(0)
            return n / 2, len(set(loops))
        async def g():
            yield 1
    """
    loaded(peer, source)
    assert [peer.op("await", peer.call("f", n)[1]) for n in (4, 6)] == [("ok", (2.0, 1)), ("ok", (3.0, 1))]
    assert peer.op("await", peer.call("f", "x")[1])[2][0] == "TypeError"
    items = peer.call("g")[1]
    assert peer.op("anext", items) == ("ok", 1)
    assert peer.op("anext", items)[2][0] == "StopAsyncIteration"


def test_a_subclass_of_a_value_type_is_its_content_with_a_handle(peer: Peer) -> None:
    source = """
        class Own(list):
            def __eq__(self, o): return True
            def __add__(self, o): return "added"
            def total(self): return sum(self)
        def f(): return Own([1, 2])
    """
    loaded(peer, source)
    own = peer.call("f")[1]
    assert (own.value, own.overrides) == ([1, 2], ["__add__"])
    assert peer.call(peer.op("getattr", own.handle, "total")[1].number) == ("ok", 3)


NUMBER = """
class Number:
    def __init__(self, n): self.n = n
    def __repr__(self): return f"Number({self.n})"
    def __hash__(self): return 77
    def __bool__(self): return False
    def __len__(self): return 5
    def __iter__(self): return iter([1, 2])
    def __reversed__(self): return iter([2, 1])
    def __enter__(self): return "in"
    def __exit__(self, *about): return about == (None, None, None)
    def __contains__(self, o): return o == 3
    def __getitem__(self, o): return o * 2
    def __setitem__(self, k, v): self.n = (k, v)
    def __delitem__(self, k): self.n = ("deleted", k)
    def __format__(self, spec): return "as " + spec
    def __round__(self): return 1
    def __dir__(self): return ["b", "a"]
for name in "abs neg pos invert int float complex index".split():
    value = {"float": 1.5, "complex": 2j}.get(name, 4)
    setattr(Number, f"__{name}__", lambda self, value=value: value)
for name in ("eq ne lt le gt ge add sub mul truediv floordiv mod pow matmul and or xor lshift rshift divmod radd rsub rmul rtruediv rpow "
             "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor").split():
    setattr(Number, f"__{name}__", lambda self, o, name=name: (name, o))
def f(): return Number(1)
"""
NAMED_AFTER_THEMSELVES = (
    *(
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "matmul",
        "and_",
        "or_",
        "xor",
    ),
    *(
        "lshift",
        "rshift",
        "divmod",
        "radd",
        "rsub",
        "rmul",
        "rtruediv",
        "rpow",
        "iadd",
        "isub",
        "imul",
        "itruediv",
        "ifloordiv",
    ),
    *("imod", "ipow", "iand", "ior", "ixor"),
)
OTHER_OPERATIONS = {
    "len": ((), 5), "str": ((), "Number(1)"), "repr": ((), "Number(1)"), "bool": ((), False), "hash": ((), 77), "abs": ((), 4),
    "neg": ((), 4), "pos": ((), 4), "invert": ((), 4), "int": ((), 4), "float": ((), 1.5), "complex": ((), 2j), "index": ((), 4),
    "enter": ((), "in"), "round": ((), 1), "dir": ((), ["a", "b"]), "getitem": ((4,), 8), "contains": ((3,), True),
    "format": (("hex",), "as hex"), "exit": (((None, None, None),), True), "getattr": (("n",), 1), "setattr": (("n", 2), None),
    "delattr": (("n",), None), "setitem": ((1, 2), None), "delitem": ((1,), None),
}  # fmt: skip
KINDLY = {"iter", "reversed", "next", "isinstance", "issubclass", "anext", "await"}


def test_every_operation_does_what_its_name_says(peer: Peer) -> None:
    loaded(peer, NUMBER)
    for name in NAMED_AFTER_THEMSELVES:
        assert peer.op(name, peer.call("f")[1], "x") == ("ok", (name.rstrip("_"), "x")), name
    for name, (args, expected) in OTHER_OPERATIONS.items():
        assert peer.op(name, peer.call("f")[1], *args) == ("ok", expected), name
    number = peer.call("f")[1]
    peer.op("setitem", number, 1, 2)
    assert peer.op("getattr", number, "n") == ("ok", (1, 2))


def test_every_operation_there_is_has_its_test(peer: Peer) -> None:
    loaded(peer, "import sys\ndef f(): return sorted(sys._getframe(1).f_globals['OPERATIONS'])")
    assert peer.call("f")[1] == sorted({*NAMED_AFTER_THEMSELVES, *OTHER_OPERATIONS, *KINDLY})


def test_iterators_are_stepped_and_classes_asked(peer: Peer) -> None:
    loaded(peer, NUMBER + "class Small(Number): pass\ndef classes(): return Number, Small, Small(1)")
    number, small, one = peer.call("classes")[1]
    for operation, items in (("iter", [1, 2]), ("reversed", [2, 1])):
        iterator = peer.op(operation, one)[1]
        assert [peer.op("next", iterator)[1] for _ in items] == items
        assert peer.op("next", iterator)[2][0] == "StopIteration"
    assert peer.op("isinstance", number, one) == ("ok", True)
    assert peer.op("issubclass", number, small) == ("ok", True)
    assert peer.op("issubclass", small, number) == ("ok", False)


# -- callables of the test's


def test_a_callable_of_the_judges_is_called_back(peer: Peer) -> None:
    loaded(peer, "def f(g, x): return g(x, key=[x]) + 1\ndef same(g, h): return g is h")
    peer.send("call", "f", codec.Encoder(opaque=peer._opaque).encode(((len, 4), ())))
    assert peer.receive() == ("callback", 0, (4,), (("key", [4]),))
    peer.send("return", 10)
    assert peer.receive() == ("ok", 11)
    assert peer.call("same", len, len) == ("ok", True)


def test_what_a_callable_of_the_judges_raises_is_raised_in_the_program(peer: Peer) -> None:
    source = "def f(g):\n    try:\n        g()\n    except Exception as error:\n        return type(error).__name__, str(error)"
    loaded(peer, source)
    for name, told in (("KeyError", "KeyError"), ("NotKnown", "Exception"), ("UnicodeDecodeError", "Exception")):
        peer.send("call", "f", codec.Encoder(opaque=peer._opaque).encode(((len,), ())))
        peer.receive()
        peer.send("throw", name, "why")
        assert peer.receive() == ("ok", (told, "'why'" if told == "KeyError" else "why"))


def test_a_callable_goes_home_as_the_judges_own(peer: Peer) -> None:
    loaded(peer, "def f(g): return [g]")
    assert peer.call("f", len) == ("ok", [len])


# -- with the judge's own end


@pytest.fixture
def session(peer: Peer) -> Session:
    return Session(Channel(peer.socket, StillClock()), "f", None)


def test_a_callback_may_call_the_program_again(session: Session) -> None:
    source = "def inner(x): return x + 1\ndef f(g, x): return g(x) * 2"
    session.load(Program(source, "", ("f", "inner"), 1), Plan())
    f, inner = session.names["f"], session.names["inner"]
    assert f(lambda x: inner(inner(x)), 1) == 6
    assert f(lambda x: f(inner, x), 1) == 8


def test_a_changed_instance_of_a_setup_class_is_changed_in_the_test(session: Session) -> None:
    session.load(Program("def f(x):\n    x.a = 2\n    x.b = [x]\n    return x", THING, ("f",), 1), Plan())
    session.values.classes[Thing] = "Thing"
    changed = thing(a=1)
    assert session.names["f"](changed) is changed
    assert vars(changed) == {"a": 2, "b": [changed]}


def test_the_same_valued_object_twice_is_one_in_the_test(session: Session) -> None:
    session.load(Program("class Own(list): pass\ndef f():\n    x = Own([1])\n    return [x, x]", "", ("f",), 1), Plan())
    first, second = session.names["f"]()
    assert first is second


def test_a_forged_class_name_is_a_violation_of_the_protocol(session: Session) -> None:
    source = """
import os, struct, sys
def f():
    os.write(sys._getframe(1).f_locals["self"].fd, struct.pack("<I", len(FORGED)) + FORGED)
"""
    forged = b"(" + struct.pack("<I", 2) + codec.encode("ok") + b"o" + struct.pack("<I", 1) + b"X" + bytes(4)
    session.load(Program(f"FORGED = {forged!r}{source}", "", ("f",), 1), Plan())
    with pytest.raises(SessionEnded):
        session.names["f"]()
    assert session.ended == "protocol"


def test_a_program_that_fails_to_load_says_why(session: Session) -> None:
    with pytest.raises(LoadFailure, match=r"ZeroDivisionError: division by zero \(line 2\)"):
        session.load(Program("x = 1\nx / 0", "", ("f",), 1), Plan())
