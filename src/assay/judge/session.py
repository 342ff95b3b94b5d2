"""One candidate under test: its names as stand-ins, its replies decoded, its exceptions raised, its changes to arguments applied.

The vocabulary. The *plan* is the list of calls that the reference's run made; it goes to the agent in one batch with the program. The
replies are matched by position and by byte-equal name and arguments. The first request that differs raises `Mismatch`: the agent has run
ahead, so the trial starts again in a fresh agent without a plan. Requests after the end of the plan go out live to the same agent.

The *policy* is the set of operations on handles that the reference needed. None means: allow and record (calibration).

`ended`, `violation` and `mismatched` are looked at from outside the tests, so that an `except:` in a test can't swallow them.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.proxies import HOMES, KINDS, Remote, valued
from assay.judge.wire import Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

FREE = frozenset({"iter", "next"})
CLAIMS_NOTHING = frozenset({"iter", "next"})
MAX_REQUESTS = 200_000
MAX_HANDLES = 200_000
_EXCEPTIONS = {n: e for n, e in vars(builtins).items() if isinstance(e, type) and issubclass(e, Exception)}
_EXITS = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit"})


class Mismatch(BaseException):
    """The test asked for something else than the plan foresaw."""


class Opaque(BaseException):
    """The test used a candidate's object in a way that the reference never needed: its answer would be a mere claim."""


class LoadFailure(Exception):
    """The program could not be loaded: `kind` is `syntax`, `raised` or `exit`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


class Program(NamedTuple):
    """What an agent loads: the candidate's source, the shared part of the tests' setup before it, the names wanted from it, a seed."""

    source: str
    setup: str
    names: tuple[str, ...]
    seed: int


class Plan:
    """Calls that go out in one batch with the program: `(name, encoded arguments)` each. `data` is their encoded form, made once."""

    def __init__(self, calls: Sequence[tuple[str, bytes]] = ()) -> None:
        self.calls = tuple(calls)
        self.data: bytes = codec.encode(self.calls)


class Session:
    """A conversation with one agent about one program."""

    def __init__(
        self, channel: Channel, entry_point: str | None, policy: frozenset[str] | None, *, changes_at_once: bool = True
    ) -> None:
        self.channel = channel
        self.entry_point = entry_point
        self.policy = policy
        self.changes_at_once = changes_at_once
        self.names: dict[str, Any] = {}
        self.modules: dict[str, str] = {}
        self.classes: dict[type, str] = {}
        self.operations: set[str] = set()
        self.compared: list[tuple[Remote, object]] = []
        self.seen: list[Remote] = []
        self.calls: list[tuple[str, bytes]] = []
        self.plannable = True
        self.mutated = False
        self.requests = 0
        self.violation: str | None = None
        self.mismatched = False
        self.last_call: tuple[str, tuple[object, ...], dict[str, object]] | None = None
        self.last_raised: BaseException | None = None
        self.last_line: int | None = None
        self._plan: Sequence[tuple[str, bytes]] = ()
        self._replies: list[bytes] = []
        self._cursor = 0
        self._remotes: dict[int, Any] = {}
        self._locals: list[object] = []
        self._local_numbers: dict[int, int] = {}
        self._exception_handles: dict[type, int] = {}
        self._pending: list[tuple[list[Any], list[Any]]] = []

    @property
    def ended(self) -> str | None:
        """Why the conversation is over, or None."""
        return self.channel.ended

    @property
    def planned(self) -> bool:
        """Whether a plan went out with the program."""
        return bool(self._plan)

    # -- loading

    def load(self, program: Program, plan: Plan) -> None:
        """Sends the program, and the plan with it; binds the names that the tests need and takes in the replies to the plan.

        Raises:
            LoadFailure: If the program does not compile, or raises while it loads.
            SessionEnded: If the agent is gone before the program is loaded.
        """
        self._plan = plan.calls
        names = tuple(program.names)
        self.channel.send(codec.encode(("load", program.source, program.setup, names, program.seed, plan.data)))
        reply = self._decode(self.channel.receive(), ())
        if reply[0] == "loaded" and len(reply) == 2 and type(reply[1]) is dict:
            for name in names:
                if name in reply[1]:
                    self._bind(name, reply[1][name])
        elif reply[0] == "syntax" and len(reply) == 3:
            raise LoadFailure("syntax", _text(reply[1]))
        elif reply[0] == "raised":
            self._load_raised(reply)
        else:
            self.channel.end("protocol")
        try:
            for _ in self._plan:
                self._replies.append(self.channel.receive())
        except SessionEnded:
            return  # what came before counts; the tests meet the end where the next reply is missing

    def _load_raised(self, reply: tuple[Any, ...]) -> None:
        names, text, line = reply[2], _text(reply[4]), reply[5]
        kind = "exit" if any(n in _EXITS for n in names) or "Exception" not in names else "raised"
        where = f" (line {line})" if type(line) is int else ""
        own = reply[1].__name__ if isinstance(reply[1], type) else names[0] if names else "exception"
        raise LoadFailure(kind, f"{own}: {text}{where}" if text else f"{own}{where}")

    def _bind(self, name: str, value: object) -> None:
        if isinstance(value, Remote):
            if value._kind == "module":  # noqa: SLF001 (proxies and session are one unit)
                self.modules[name] = value._type  # noqa: SLF001
                return
            object.__setattr__(value, "_name", name)
        self.names[name] = value

    # -- requests

    def call(self, remote: Remote, args: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Calls a function or class of the candidate's.

        Raises:
            Exception: What the candidate raised, as a builtin exception.
        """
        arguments, mutables, plain = self._arguments(args, keywords)
        self.last_call = (remote._name or remote._type, args, keywords)  # noqa: SLF001 (proxies and session are one unit)
        reply = self._call(remote, arguments, plain=plain)
        try:
            return self._result(reply, arguments, mutables)
        except StopIteration as error:
            # Out of a call it would silently end a `for` or a comprehension of the test that the call stands in.
            raise RuntimeError(f"the candidate raised StopIteration: {error}") from None

    def call_frame(self, remote: Remote, args: tuple[object, ...], arguments: bytes) -> bytes:
        """The undecoded reply to a call with arguments that are encoded already."""
        self.last_call = (remote._name or remote._type, args, {})  # noqa: SLF001
        return self._call(remote, arguments, plain=True)

    def open_frame(self, frame: bytes, arguments: bytes) -> tuple[Any, Any]:
        """`(value, arguments after the call)` of a reply; the second is None where the call changed none of them.

        Raises:
            Exception: What the candidate raised.
        """
        decoder = codec.Decoder()
        args, _ = decoder.decode(arguments)
        reply = self._decode(frame, decoder.mutables)
        at_once, self.changes_at_once = self.changes_at_once, True
        try:
            value = self._result(frame, arguments, decoder.mutables)
        except StopIteration as error:
            raise RuntimeError(f"the candidate raised StopIteration: {error}") from None
        finally:
            self.changes_at_once = at_once
        return value, (args if len(reply) == 3 else None)

    def _call(self, remote: Remote, arguments: bytes, *, plain: bool) -> bytes:
        name = remote._name  # noqa: SLF001
        if self.plannable and self.policy is None:
            if name is not None and plain:
                self.calls.append((name, arguments))
            else:
                self.plannable = False
        target: str | int = remote._handle if name is None else name  # noqa: SLF001
        return self._planned(target, arguments) or self._ask(("call", target, arguments))

    def operate(self, operation: str, remote: Remote, args: tuple[object, ...] = (), want: type | None = None) -> Any:
        """Asks the agent for an operation on one of its objects, if the policy allows it.

        Raises:
            Opaque: If the reference never needed this operation.
        """
        shape = f"{operation}:{args[0]}" if operation in ("getattr", "setattr", "delattr") else operation
        if operation not in FREE and not self.allows(shape):
            self.violation = self.violation or f"the answer is an opaque {remote._type} object"  # noqa: SLF001
            raise Opaque(self.violation)
        self.operations.add(shape)
        if operation in ("eq", "ne"):
            self.compared.append((remote, args[0]))
        arguments, mutables, _ = self._arguments(args, {})
        self.plannable = False
        if self._cursor < len(self._plan):
            self._differ()
        reply = self._ask(("op", operation, remote._handle, arguments))  # noqa: SLF001
        try:
            result = self._result(reply, arguments, mutables)
        except StopIteration as error:
            if operation == "next":
                raise
            raise RuntimeError(f"the candidate raised StopIteration: {error}") from None
        if want is not None and type(result) is not want:
            self.channel.end("protocol")
        return result

    def allows(self, shape: str) -> bool:
        """Whether the reference needed this operation too (or is running now)."""
        return self.policy is None or shape in self.policy

    def _planned(self, target: str | int, arguments: bytes) -> bytes | None:
        if self._cursor >= len(self._plan):
            return None
        if self._plan[self._cursor] != (target, arguments):
            self._differ()
        if self._cursor >= len(self._replies):
            self.channel.end("lost")
        self._cursor += 1
        return self._replies[self._cursor - 1]

    def _differ(self) -> None:
        self.mismatched = True
        raise Mismatch

    def _ask(self, request: tuple[Any, ...]) -> bytes:
        self.requests += 1
        if self.requests > MAX_REQUESTS:
            self.channel.end("protocol")
        self.channel.send(codec.encode(request))
        while True:
            frame = self.channel.receive()
            if not _is_callback(frame):
                return frame
            self._answer_callback(self._decode(frame, ()))

    def _answer_callback(self, request: tuple[Any, ...]) -> None:
        try:
            _, number, args, keywords = request
            function = self._locals[number]
            if not callable(function) or type(args) is not tuple or type(keywords) is not tuple:
                raise TypeError(number)
            named = dict(keywords)
        except (IndexError, TypeError, ValueError):
            self.channel.end("protocol")
        try:
            value = function(*args, **named)
            data = self._encoder().encode(("return", value))
        except Exception as error:  # noqa: BLE001 (a test's own callable raised: the candidate is told, as in Python)
            data = codec.encode(("throw", type(error).__name__, str(error)[:500]))
        self.channel.send(data)

    # -- values

    def _encoder(self) -> Any:
        return codec.Encoder(opaque=self._opaque, classes=self.classes, homes=HOMES)

    def _arguments(self, args: tuple[object, ...], keywords: dict[str, object]) -> tuple[bytes, list[Any], bool]:
        before = len(self._locals)
        encoder = self._encoder()
        self._plain = True
        data = encoder.encode((args, tuple(keywords.items())))
        return data, encoder.mutables, self._plain and len(self._locals) == before

    def _opaque(self, o: object) -> bytes:
        self._plain = False
        if isinstance(o, Remote):
            return _reference(o._handle)  # noqa: SLF001
        if type(o) in HOMES:
            return _reference(o.__dict__["_remote"]._handle)  # noqa: SLF001
        if isinstance(o, type) and o in self._exception_handles:
            return _reference(self._exception_handles[o])
        number = self._local_numbers.get(id(o))
        if number is None:
            number = self._local_numbers[id(o)] = len(self._locals)
            self._locals.append(o)
        data: bytes = codec.callback(number)
        return data

    def _decode(self, data: bytes, known: Sequence[Any]) -> tuple[Any, ...]:
        by_name = {name: cls for cls, name in self.classes.items()}
        decoder = codec.Decoder(
            on_handle=self._on_handle,
            on_reference=self._locals.__getitem__,
            on_valued=valued,
            on_instance=lambda name: object.__new__(by_name[name]),
            known=known,
        )
        try:
            reply = decoder.decode(data)
        except codec.CodecError:
            self.channel.end("protocol")
        if type(reply) is not tuple or not reply or type(reply[0]) is not str:
            self.channel.end("protocol")
        return reply  # type: ignore[no-any-return] # the decoder is untyped; its type was just checked

    def _on_handle(self, number: int, kind: str, name: str, detail: str) -> Any:
        known = self._remotes.get(number)
        if known is None:
            if len(self._remotes) >= MAX_HANDLES:
                raise codec.CodecError("too many objects")
            if kind == "exception":
                known = type(name[:100] or "Exception", (_EXCEPTIONS.get(detail, Exception),), {"__module__": "solution"})
                self._exception_handles[known] = number
            else:
                known = KINDS.get(kind, Remote)(self, number, kind, name[:100], None)
            self._remotes[number] = known
        return known

    # -- replies

    def _result(self, frame: bytes, arguments: bytes, mutables: list[Any]) -> Any:
        reply = self._decode(frame, mutables)
        if reply[0] == "ok" and len(reply) in (2, 3):
            if len(reply) == 3:
                reply = self._changed(reply, frame, arguments, mutables, 2)
            if isinstance(reply[1], Remote) and reply[1]._kind in ("object", "iterable"):  # noqa: SLF001
                self.seen.append(reply[1])
            return reply[1]
        if reply[0] == "raised" and len(reply) in (6, 7):
            if len(reply) == 7:
                reply = self._changed(reply, frame, arguments, mutables, 6)
            self._raise(reply)
        elif reply[0] == "unsendable" and len(reply) == 2:
            self._remember(RuntimeError(f"the answer can't be sent: {_text(reply[1])}"), None)
        self.channel.end("protocol")
        raise AssertionError

    def _changed(self, reply: tuple[Any, ...], frame: bytes, arguments: bytes, mutables: list[Any], at: int) -> tuple[Any, ...]:
        """Takes over the changes that a call made to its arguments: at once, or at the end of the statement (rule 5).

        In the second case the result sees changed *copies*, while the test's own objects stay as they are until `settle`.
        """
        self.mutated = True
        if self.changes_at_once:
            self._apply(mutables, reply[at])
            return reply
        self._pending.append((mutables, reply[at]))
        copies = codec.Decoder(on_reference=self._home, on_callback=self._locals.__getitem__, on_instance=self._blank)
        copies.decode(arguments)
        reply = self._decode(frame, copies.mutables)
        self._apply(copies.mutables, reply[at])
        return reply

    def _home(self, number: int) -> Any:
        return self._remotes[number]

    def _blank(self, name: str) -> Any:
        return object.__new__(next(cls for cls, known in self.classes.items() if known == name))

    def settle(self) -> None:
        """Applies the changes to arguments that were held back until the end of a statement."""
        while self._pending:
            mutables, changes = self._pending.pop(0)
            self._apply(mutables, changes)

    def _apply(self, mutables: list[Any], changes: Any) -> None:
        try:
            for number, content in changes:
                refill(mutables[number], content)
        except (IndexError, TypeError, ValueError):
            self.channel.end("protocol")

    def _raise(self, reply: tuple[Any, ...]) -> None:
        _, own, names, data, text, line = reply[:6]
        if type(names) is not list or not all(type(n) is str for n in names):
            self.channel.end("protocol")
        if any(n in _EXITS for n in names) or not any(n in _EXCEPTIONS for n in names):
            self.last_line = line if type(line) is int else None
            self.channel.end("exit")
        base = next(_EXCEPTIONS[n] for n in names if n in _EXCEPTIONS)
        cls = own if isinstance(own, type) and issubclass(own, Exception) else base
        self._remember(_exception(cls, data, _text(text)), line)

    def _remember(self, error: Exception, line: object) -> None:
        self.last_raised = error
        self.last_line = line if type(line) is int else None
        raise error


def open_plain(frame: bytes, arguments: bytes) -> tuple[Any, Any]:
    """`(value, arguments after the call)` of a reply that holds plain data only.

    Raises:
        CodecError: If it holds anything else.
    """
    decoder = codec.Decoder()
    args, _ = decoder.decode(arguments)
    reply = codec.Decoder(known=decoder.mutables).decode(frame)
    if len(reply) < 3:
        return reply[1], None
    for number, content in reply[2]:
        refill(decoder.mutables[number], content)
    return reply[1], args


def _exception(cls: type[Exception], data: Any, text: str) -> Exception:
    """An exception of `cls` with the arguments that the agent sent, or with its text where the class refuses them."""
    try:
        return cls(*codec.decode(data))
    except Exception:  # noqa: BLE001 (odd arguments: the text is all that is wanted)
        error = cls.__new__(cls)
        error.args = (text,)
        return error


def refill(container: Any, content: Any) -> None:
    """Puts new contents into a container in place.

    Raises:
        TypeError: If the contents don't fit it.
    """
    if type(container) is bytearray:
        container[:] = content
    elif isinstance(container, dict):
        pairs = dict(zip(content[::2], content[1::2], strict=True))
        container.clear()
        container.update(pairs)
    elif isinstance(container, list):
        container[:] = content
    elif isinstance(container, set):
        fresh = set(content)
        container.clear()
        container.update(fresh)
    elif hasattr(container, "maxlen"):
        container.clear()
        container.extend(content)
    elif hasattr(container, "dtype"):
        container[...] = content
    else:
        state = vars(container)
        state.clear()
        state.update(zip(content[::2], content[1::2], strict=True))


_CALLBACK: bytes = codec.encode(("callback",))[5:]


def _is_callback(frame: bytes) -> bool:
    return frame[5 : 5 + len(_CALLBACK)] == _CALLBACK


def _reference(number: int) -> bytes:
    data: bytes = codec.reference(number)
    return data


def _text(value: object) -> str:
    return value if type(value) is str else ""
