"""The process beside the code on trial: loads one program and answers the judge's requests about it.

Nothing here is relied on for the soundness of a verdict. Whatever bytes leave this process are data to the judge, which holds the tests
and the expected values; here there is nothing to win. What is kept true is for the sake of honest programs: one that patches builtins or
the standard library still gets its answers through, an answer that can't be sent is said to be so, and at most ten frames lie below the
program's own. Standard library only, CPython >= 3.9, loaded by path.

A frame is a 32-bit little-endian length and that many bytes of `codec`. Requests and replies, as tuples::

    ("load", source, setup, names, seed, plan)   -> ("loaded", have) | ("syntax", text, line) | ("raised", ...), then a reply a planned call
    ("call", name | handle, arguments)           -> ("ok", value[, changed]) | ("raised", ...) | ("unsendable", text)
    ("calls", plan)                              -> a reply a call, all in one piece
    ("op", operation, handle, arguments)         -> the same
    ("stdio", source, seed, input_bytes) + input -> ("ready",) + descriptors | ("syntax", text, line); then nothing more (`stdio.py`)

`arguments` are the encoded bytes of `(args, ((keyword, value), ...))`; `changed` lists the new contents of the argument containers, by
their number, where the call changed any. `("raised", class handle, base names, details, text, frames[, changed])` reports an exception
(`raised.py`), `frames` being `((line, function), ...)` of the program's own, outermost first. A
`plan` is the encoded tuple of calls `(name, arguments)` whose requests went out early: their replies come without being asked for. A
callable argument that lives with the judge is called back: `("callback", number, args, keywords)` -> `("return", value)` |
`("throw", name, text)`, before which the judge may make requests of its own.
"""

from __future__ import annotations

import builtins
import importlib.util
import linecache
import mmap
import operator
import os
import random
import socket
import sys
import types
from collections import deque
from typing import Any, NoReturn

# The functions below get builtins of their own, so that a program that patches `builtins.len` patches them for itself only.
globals()["__builtins__"] = dict(vars(builtins))

RESERVE = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
"""Memory that nobody touches: given back when a program has used up all that it may, so that there is room to say so."""

FILENAME = "<solution>"
MODULE = "solution"
_read, _write, _exit, _is = os.read, os.write, os._exit, operator.is_


def _load(name: str) -> Any:
    """The module of that name that lies beside this file."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"assay_{name}", path)
    assert spec is not None and spec.loader is not None  # noqa: PT018 (one fact)
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"assay_{name}"] = module
    spec.loader.exec_module(module)
    return module


codec: Any = sys.modules.get("assay_codec") or _load("codec")
stdio: Any = sys.modules.get("assay_stdio") or _load("stdio")
raised: Any = sys.modules.get("assay_raised") or _load("raised")
STDLIB: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
_OK: bytes = codec.encode(("ok", None))[:-1]

OPERATIONS: dict[str, Any] = {
    **{name: getattr(operator, name) for name in (
        "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
        "lshift", "rshift", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "neg", "pos", "invert",
        "index", "getitem", "setitem", "delitem", "contains",
    )},
    "len": len, "iter": iter, "next": next, "str": str, "repr": repr, "bool": bool, "hash": hash, "abs": abs, "int": int, "float": float,
    "complex": complex, "reversed": reversed, "round": round, "dir": dir, "divmod": divmod, "format": format, "getattr": getattr,
    "setattr": setattr, "delattr": delattr, "isinstance": lambda c, o: isinstance(o, c), "issubclass": lambda c, o: issubclass(o, c),
    "enter": lambda o: type(o).__enter__(o), "exit": lambda o, args: type(o).__exit__(o, *args), "radd": lambda o, x: x + o,
    "rsub": lambda o, x: x - o, "rmul": lambda o, x: x * o, "rtruediv": lambda o, x: x / o, "rpow": lambda o, x: x**o,
    "await": lambda o: waited_for(o), "anext": lambda o: waited_for(type(o).__anext__(o)),  # noqa: PLW0108 (it is defined below)
}  # fmt: skip


class Callback:
    """A callable that lives with the judge: calling it here is a nested request."""

    def __init__(self, agent: Agent, number: int) -> None:
        self.agent = agent
        self.number = number

    def __call__(self, *args: object, **keywords: object) -> Any:
        """What the judge's callable returns, or raises."""
        return self.agent.call_back(self.number, args, keywords)


class Given:
    """The arguments of one call: their bytes, their values, the mutable containers among these, and what these held before the call."""

    __slots__ = ("before", "data", "has_sets", "mutables", "values")

    def __init__(self, data: bytes, values: Any, mutables: list[Any], has_sets: bool) -> None:
        self.data = data
        self.values = values
        self.mutables = mutables
        self.has_sets = has_sets
        self.before = items_of(mutables)

    def is_untouched(self) -> bool:
        """Whether every container holds the very objects that it held before, in their order: then nothing in them has changed, for what
        is no container can't change. False where that can't be told so.
        """
        if self.before is None:
            return False
        return all(len(now) == len(then) and all(map(_is, now, then)) for now, then in self.before)


def items_of(mutables: list[Any]) -> list[tuple[Any, tuple[Any, ...]]] | None:
    """What containers hold, as `(container or view of it, its items)`; None if one can change otherwise than by its items."""
    found = []
    for o in mutables:
        kind = type(o)
        if kind is dict:
            found += [(o.keys(), tuple(o)), (o.values(), tuple(o.values()))]
        elif kind is list or kind is set or kind is deque:
            found.append((o, tuple(o)))
        else:
            return None
    return found


class Agent:
    """One program and the objects of it that the judge knows by handle.

    Args:
        fd: The socket to the judge.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.objects: list[Any] = []
        self.kept_types: set[type] = {Callback}
        self.handles: dict[int, int] = {}
        self.callbacks: dict[int, Callback] = {}
        self.classes: dict[type, str] = {}
        self.namespace: dict[str, Any] = {}
        self.held = b""
        self.holds = False
        self.spare: Any = self.decoder()

    def send(self, message: tuple[Any, ...], known: list[Any] | tuple[()] = ()) -> None:
        """Sends a message, in which `known` containers of the judge's are mentioned by number."""
        self.send_bytes(self.encoder(known).encode(message))

    def send_bytes(self, data: bytes, *, hold: bool = False) -> None:
        """Sends one frame; one that is to be held goes out with the next, which spares the judge a wake-up."""
        frames = self.held + len(data).to_bytes(4, "little") + data
        self.held = frames if hold or self.holds else b""
        if hold or self.holds:
            return
        sent = _write(self.fd, frames)
        while sent < len(frames):
            sent += _write(self.fd, memoryview(frames)[sent:])

    def receive(self) -> Any:
        """The next message. The process ends where there is none."""
        return self.decoder().decode(self._exactly(int.from_bytes(self._exactly(4), "little")))

    def _exactly(self, n: int) -> bytes:
        chunks = []
        while n:
            chunk = _read(self.fd, min(n, 1 << 20))
            if not chunk:
                _exit(0)
            chunks.append(chunk)
            n -= len(chunk)
        return b"".join(chunks)

    def encoder(self, known: list[Any] | tuple[()] = ()) -> Any:
        """An encoder of answers: what is not plain stays here and goes out as a handle."""
        return codec.Encoder(opaque=self.handle, known=known, valued=True, classes=self.classes)

    def decoder(self) -> Any:
        """A decoder of one message of the judge's."""
        decoder = codec.Decoder(
            on_reference=self.objects.__getitem__, on_callback=self._callback, on_instance=self._blank
        )
        decoder.takes_builtins = True
        return decoder

    def _callback(self, number: int) -> Callback:
        return self.callbacks.get(number) or self.callbacks.setdefault(number, Callback(self, number))

    def _blank(self, name: str) -> Any:
        return object.__new__(next(cls for cls, known in self.classes.items() if known == name))

    def handle(self, o: Any) -> bytes:
        """The bytes of an object that is not plain: a handle, or what the judge gave us for one of its own."""
        if type(o) is Callback:
            return bytes(codec.reference(o.number))
        number = self.handles.get(id(o))
        if number is None:
            number = self.handles[id(o)] = len(self.objects)
            self.objects.append(o)
            self.kept_types.add(type(o))
        return bytes(codec.handle(number, *describe(o)))

    def serve(self) -> NoReturn:
        """Answers requests until the judge hangs up."""
        while True:
            self.serve_one(self.receive())

    def serve_one(self, request: tuple[Any, ...]) -> None:
        """Answers one request."""
        if request[0] == "call":
            self.call(request[1], request[2])
        elif request[0] == "calls":
            self.call_all(codec.decode_calls(request[1]))
        elif request[0] == "op":
            self.answer(OPERATIONS[request[1]], (self.objects[request[2]],), request[3])
        elif request[0] == "stdio":
            self.become(*request[1:])
        else:
            self.load(*request[1:])

    def load(self, source: str, setup: str, names: tuple[str, ...], seed: int, plan: bytes) -> None:
        """Runs the setup and the program, tells which of the names it has, and answers the planned calls.

        A plain reference may be loaded after others: then nothing of theirs is left.
        """
        if self.namespace or seed != _seeded:
            seed_generators(seed)
        if self.namespace:
            Agent.__init__(self, self.fd)
        self.namespace = new_module().__dict__
        if setup:
            exec(compile(setup, "<setup>", "exec", 0, True), self.namespace)  # noqa: S102 (data-set code, in the sandbox)
            self.classes = shared_classes(self.namespace)
        try:
            # Without `dont_inherit` the program would get this file's `from __future__`.
            code = compile(source, FILENAME, "exec", 0, True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            self.send(("syntax", f"{type(error).__name__}: {error}", getattr(error, "lineno", None)))
            return
        linecache.cache[FILENAME] = (len(source), None, source.splitlines(True), FILENAME)
        try:
            exec(code, self.namespace)  # noqa: S102 (this is what the sandbox is for)
            have = {name: self.namespace[name] for name in names if name in self.namespace}
            data = self.encoder().encode(("loaded", have))
        except BaseException as error:  # noqa: BLE001 (SystemExit too is an answer)
            self.report(error)
            return
        calls = codec.decode_calls(plan)
        self.send_bytes(data, hold=bool(calls))
        for name, arguments in calls:
            self.call(name, arguments)

    def become(self, source: str, seed: int, input_bytes: int) -> None:
        """Becomes a whole program: tells the judge whether it can be run, hands it the descriptors, hangs up and runs it."""
        if seed != _seeded:
            seed_generators(seed)
        stage = stdio.Stage(self.fd, source, input_bytes)
        answer = codec.encode(stage.answer)
        stage.send(len(answer).to_bytes(4, "little") + answer)
        stage.play()

    def call(self, target: str | int, arguments: bytes) -> None:
        """Answers a call of a function by its name or by its handle."""
        if isinstance(target, int):
            function = self.objects[target]
        else:
            function = self.namespace[target] if target in self.namespace else missing(target)
        self.answer(function, (), arguments)

    def call_all(self, calls: list[tuple[str, bytes]]) -> None:
        """Answers calls with one piece of replies."""
        for number, (name, arguments) in enumerate(calls, 1):
            self.holds = number < len(calls)
            self.call(name, arguments)

    def answer(self, function: Any, first: tuple[Any, ...], arguments: bytes) -> None:
        """Calls a function and sends what it gave."""
        given = self.taken(arguments)
        args, keywords = given.values
        try:
            result = function(*first, *args, **dict(keywords)) if keywords else function(*first, *args)
        except BaseException as error:  # noqa: BLE001 (SystemExit too is an answer)
            self.report(error, given.mutables, self.changes(given))
            return
        try:
            changed = self.changes(given)
            is_new = not changed and id(result) not in map(id, given.mutables)
            flat = codec.flat(result) if is_new else None
            data = _OK + flat if flat else self.encoder(given.mutables).encode(("ok", result, *changed))
        except MemoryError:
            data = None  # said below, where what filled the memory is gone
        except Exception as error:  # noqa: BLE001 (classes of the program have a say in it: anything may be raised)
            data = codec.encode(("unsendable", f"{type(error).__name__}: {raised.text_of(error)}"))
        self.send_bytes(codec.encode(("unsendable", "MemoryError: it takes too much memory")) if data is None else data)

    def taken(self, arguments: bytes) -> Given:
        """Arguments, decoded. A decoder is made once and used again; a request that comes while it decodes makes one of its own."""
        decoder, self.spare = self.spare or self.decoder(), None
        decoder.mutables, decoder.has_sets = [], False
        values = decoder.decode_call(arguments)
        self.spare = decoder
        return Given(arguments, values, decoder.mutables, decoder.has_sets)

    def changes(self, given: Given) -> tuple[Any, ...]:
        """The containers among the arguments as they are now, as a tuple to append to a reply; empty where none has changed."""
        if given.is_untouched():
            return ()
        now = self._echo(given.values)
        if now == given.data:
            return ()
        # A set that was decoded may iterate in another order than the one that was encoded: compare like with like.
        if given.has_sets and now == self._echo(self.decoder().decode(given.data)):
            return ()
        return ([(n, contents(o)) for n, o in enumerate(given.mutables)],)

    def _echo(self, arguments: tuple[Any, Any]) -> bytes | None:
        """Arguments in the judge's own words, so that the same bytes mean that nothing has changed; None if there are none for them."""
        encoder = codec.Encoder(opaque=self._named_by_judge, classes=self.classes, homes=self.kept_types)
        try:
            return bytes(encoder.encode(arguments))
        except Exception:  # noqa: BLE001 (see `answer`)
            return None

    def _named_by_judge(self, o: Any) -> bytes:
        if type(o) is Callback:
            return bytes(codec.callback(o.number))
        if codec.is_builtin(o):
            return bytes(codec.builtin(o.__name__))
        number = self.handles.get(id(o))
        return self.handle(o) if number is None else bytes(codec.reference(number))

    def report(self, error: BaseException, known: list[Any] | tuple[()] = (), changed: tuple[Any, ...] = ()) -> None:
        """Sends an exception (see `raised.py`), with the lines of the program that it went through."""
        if issubclass(type(error), MemoryError):
            RESERVE.close()
        told = ("raised", *raised.told_of(error), raised.frames_of(error, FILENAME))
        try:
            data = self.encoder(known).encode((*told, *changed))
        except Exception:  # noqa: BLE001 (see `answer`)
            data = self.encoder().encode(told)
        self.send_bytes(data)

    def call_back(self, number: int, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Calls a callable of the judge's; meanwhile the judge may have requests, for it may call the program again.

        Raises:
            Exception: What the callable raised.
        """
        self.send(("callback", number, args, tuple(keywords.items())))
        reply = self.receive()
        while reply[0] not in ("return", "throw"):
            self.serve_one(reply)
            reply = self.receive()
        if reply[0] == "return":
            return reply[1]
        try:
            error = raised.EXCEPTIONS.get(reply[1], Exception)(reply[2])
        except TypeError:  # such as UnicodeDecodeError, which wants five arguments
            error = Exception(reply[2])
        raise error


def describe(o: Any) -> tuple[str, str, str]:
    """`(kind, name, detail)` of an object that stays here."""
    cls = type(o)
    if issubclass(cls, type):
        base = next(iter(raised.builtin_bases(o)), "")
        return ("exception" if base else "class"), o.__name__, base
    if issubclass(cls, types.ModuleType):
        return "module", o.__name__, ""
    if hasattr(cls, "__next__") and hasattr(cls, "__iter__"):
        return "iterator", cls.__name__, ""
    if hasattr(cls, "__await__"):
        return "awaitable", cls.__name__, ""
    if hasattr(cls, "__anext__"):
        return "async iterator", cls.__name__, ""
    if callable(o):
        return "callable", callable_name(o), origin_of(o)
    return ("iterable" if hasattr(cls, "__iter__") else "object"), cls.__name__, ""


_loops: list[Any] = []


def waited_for(o: Any) -> Any:
    """What an awaitable gives: it runs to its end here, alone, in the one event loop that the program's own objects may belong to."""
    import asyncio  # noqa: PLC0415 (it costs a tenth of a second, which few need)

    async def wait() -> Any:
        return await o

    if not _loops:
        _loops.append(asyncio.new_event_loop())
    return _loops[0].run_until_complete(wait())


def origin_of(o: Any) -> str:
    """The module of the standard library that a plain function comes from, or nothing."""
    known = type(o) in (types.FunctionType, types.BuiltinFunctionType) and o.__module__ in STDLIB
    return str(o.__module__) if known and vars(sys.modules[o.__module__]).get(o.__name__) is o else ""


def callable_name(o: Any) -> str:
    """`__name__` of a callable, or its type's where it has none or won't tell."""
    try:
        return str(o.__name__)
    except Exception:  # noqa: BLE001 (a class of the program may answer for any attribute)
        return type(o).__name__


def missing(name: str) -> Any:
    """Stands in for a function that the program does not define."""

    def function(*_: object, **__: object) -> NoReturn:
        raise NameError(f"name {name!r} is not defined")

    return function


def contents(o: Any) -> Any:
    """What a container holds, as a plain value that the judge can put into its own copy."""
    if isinstance(o, bytearray):
        return bytes(o)
    if isinstance(o, (list, set)) or type(o).__name__ == "deque":
        return list(o)
    if type(o).__module__ in ("numpy", "array"):
        return o.__copy__()
    pairs = o if isinstance(o, dict) else vars(o)
    return [x for pair in tuple(pairs.items()) for x in pair]


def new_module() -> types.ModuleType:
    """The module that the program runs as: named in `sys.modules`, not `__main__`, with the builtins that everybody shares."""
    module = types.ModuleType(MODULE)
    module.__dict__.update(__file__=FILENAME, __builtins__=vars(builtins))
    sys.modules[MODULE] = module
    return module


def shared_classes(namespace: dict[str, Any]) -> dict[type, str]:
    """Plain classes that the test's setup defines; both sides have them, so their instances can travel."""
    return {
        o: name
        for name, o in namespace.items()
        if type(o) is type and o.__module__ == MODULE and o.__base__ is object and "__slots__" not in vars(o)
    }


def seed_generators(seed: int) -> None:
    """Seeds `random`, and numpy's generator where numpy is loaded, alike in calibration and judging."""
    random.seed(seed)
    np = sys.modules.get("numpy")
    if np is not None:
        np.random.seed(seed % (1 << 32))


USUAL_SEED = 0
_seeded: int | None = None
_REHEARSED = "import re\nfrom typing import List\ndef f(x: List[int]):\n    return sorted(v + 1 for v in x if v % 2)\n"


def rehearse() -> tuple[bytes, ...]:
    """Loads and calls a small program of our own many times, in the server, so that children find all this code warm; returns the frames by
    which a child can be had to do so too.

    A child shares the server's memory until it writes to it, and code that has never run writes a lot.
    """
    arguments = codec.encode((([1, 2, 3],), ()))
    plan = codec.encode_calls((("f", arguments), ("f", codec.encode(((None,), ())))))
    requests = (("load", _REHEARSED, "", ("f",), 0, plan), ("calls", plan))
    frames = tuple(len(data).to_bytes(4, "little") + data for data in map(codec.encode, requests))
    for _ in range(20):
        judge, mine = socket.socketpair()
        with judge, mine:
            agent = Agent(mine.fileno())
            for frame in frames:
                judge.sendall(frame)
                agent.serve_one(agent.receive())
            agent.call("f", arguments)
    del sys.modules[MODULE], linecache.cache[FILENAME]
    global _seeded  # noqa: PLW0603 (seeding is dear to a child: the usual seed is set once, here, before the first)
    seed_generators(USUAL_SEED)
    _seeded = USUAL_SEED
    return frames


def main(fd: int) -> NoReturn:
    """Serves one session on a connected socket until the judge closes it."""
    Agent(fd).serve()
