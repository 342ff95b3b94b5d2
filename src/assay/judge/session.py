"""One candidate under test: its names as stand-ins, its replies opened, its exceptions raised, its changes to arguments applied.

The vocabulary. The *plan* is the list of calls that the reference's run made; it goes to the agent in one batch with the program. The
replies are matched by position and by byte-equal name and arguments. The first request that differs raises `Mismatch`: the agent has run
ahead, so the trial starts again in a fresh agent without a plan. Requests after the end of the plan go out live to the same agent.

The *policy* is the set of operations on handles that the reference needed. None means: allow and record (calibration).

`claimed` says that a test took a plain answer or a value from a name beside the entry point: the candidate's helpers and constants decide
nothing in most tests, but where they do, the verdict rests on their word.

`ended`, `violation` and `mismatched` are looked at from outside the tests, so that an `except:` in a test can't swallow them.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from assay.judge.plan import Plan, Replies
from assay.judge.proxies import Remote, RemoteCallable
from assay.judge.showing import cut
from assay.judge.values import EXCEPTIONS, Arguments, Values, apply_changes, make_exception
from assay.judge.wire import Channel, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

FREE = frozenset({"iter", "next"})
"""Operations on handles that copy data and claim nothing."""

MAX_REQUESTS = 200_000
_NAMED = ("getattr", "setattr", "delattr")
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


class Session:
    """A conversation with one agent about one program.

    Args:
        channel: The agent's end.
        entry_point: The name of the function under test, where there is one.
        policy: The operations that are allowed on handles; None allows and records all.
        changes_at_once: Whether changes to arguments come back at once, as where the reference makes some itself (rule 5).
    """

    def __init__(
        self, channel: Channel, entry_point: str | None, policy: frozenset[str] | None, *, changes_at_once: bool = True
    ) -> None:
        self.channel = channel
        self.entry_point = entry_point
        self.policy = policy
        self.changes_at_once = changes_at_once
        self.values = Values(self)
        self.names: dict[str, Any] = {}
        self.modules: dict[str, str] = {}
        self.operations: set[str] = set()
        self.compared: list[tuple[Remote, object]] = []
        self.seen: list[Remote] = []
        self.calls: list[tuple[str, bytes]] = []
        self.answers: list[bytes | None] = []
        self.mutated = False
        self.claimed = False
        self.violation: str | None = None
        self.mismatched = False
        self.last_call: tuple[str, tuple[object, ...], dict[str, object]] | None = None
        self.last_raised: BaseException | None = None
        self.last_line: int | None = None
        self._recording = policy is None
        self._requests = 0
        self._has_plan = False
        self._planned_replies = Replies(channel, Plan())
        self._pending: list[tuple[list[Any], Any]] = []

    @property
    def ended(self) -> str | None:
        """Why the conversation is over, or None."""
        return self.channel.ended

    @property
    def planned(self) -> bool:
        """Whether a plan went out with the program."""
        return self._has_plan

    # -- loading

    def load(self, program: Program, plan: Plan) -> None:
        """Sends the program, and the plan with it; binds the names that the tests need and takes in the replies to the plan.

        Raises:
            LoadFailure: If the program does not compile, or raises while it loads.
            SessionEnded: If the agent is gone before the program is loaded.
        """
        self._has_plan = bool(plan.calls)
        self._planned_replies = Replies(self.channel, plan)
        source, setup, names, seed = program
        self.channel.send(codec.encode(("load", source, setup, names, seed, plan.data)))
        reply = self._open(self.channel.receive(), ())
        if reply[0] == "loaded" and len(reply) == 2 and type(reply[1]) is dict:
            for name in names:
                if name in reply[1]:
                    self._bind(name, reply[1][name])
        elif reply[0] == "syntax" and len(reply) == 3:
            raise LoadFailure("syntax", cut(_text(reply[1])))
        elif reply[0] == "raised" and len(reply) == 6:
            raise self._load_failure(reply)
        else:
            self.channel.end("protocol")
        self._planned_replies.gather()

    def _load_failure(self, reply: tuple[Any, ...]) -> LoadFailure:
        _, own, names, _, text, line = reply
        if type(names) is not list or not all(type(n) is str for n in names):
            self.channel.end("protocol")
        kind = "exit" if any(n in _EXITS for n in names) or "Exception" not in names else "raised"
        name = own.__name__ if isinstance(own, type) else names[0] if names else "exception"
        told = cut(f"{name}: {_text(text)}" if text else name)
        return LoadFailure(kind, told if _line(line) is None else f"{told} (line {line})")

    def _bind(self, name: str, value: object) -> None:
        """Takes over a name of the program's. What the reference only imports from the standard library the judge imports itself."""
        origin = self.values.origins.get(value._handle) if isinstance(value, Remote) and self.policy is None else None
        if isinstance(value, Remote) and value._kind == "module":
            self.modules[name] = value._type
        elif origin and name != self.entry_point:
            self.modules[name] = origin
        elif isinstance(value, type) and name == self.entry_point:
            # a class that is known here, an exception or a builtin type: calling it is the agent's business all the same
            self._bind_remote(name, RemoteCallable(self, self.values.handle_of(value), "class", value.__name__))
        elif isinstance(value, Remote):
            self._bind_remote(name, value)
        else:
            self.names[name] = value
            self.claimed = self.claimed or name != self.entry_point

    def _bind_remote(self, name: str, remote: Remote) -> None:
        object.__setattr__(remote, "_name", name)
        self.names[name] = remote

    # -- requests

    def call(self, remote: Remote, args: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Calls a function or class of the candidate's.

        Raises:
            Exception: What the candidate raised, as a builtin exception.
        """
        self.last_call = (remote._name or remote._type, args, keywords)
        arguments = self.values.arguments(args, keywords)
        frame = self._call(remote, arguments.data, plain=arguments.plain)
        value = self._value(frame, arguments)
        if remote._name not in (None, self.entry_point) and not isinstance(value, Remote):
            self.claimed = True
        return value

    def call_frame(self, remote: Remote, arguments: bytes) -> bytes:
        """The unopened reply to a call with plain arguments that are encoded already."""
        frame = self._call(remote, arguments, plain=True)
        if self._recording:
            self.answers[-1] = frame
        return frame

    def pass_over(self, arguments: Sequence[bytes], wanted: Sequence[object], at: int) -> int:
        """The first of these calls of the entry point, from number `at` on, whose reply is not here in just the bytes that are wanted."""
        if self.entry_point is None or not isinstance(self.names.get(self.entry_point), RemoteCallable):
            return at
        return self._planned_replies.pass_over(self.entry_point, arguments, wanted, at)

    def forget_call(self, number: int) -> None:
        """Takes a call, and what was recorded since, out of the record: candidates are not asked it."""
        del self.calls[number:], self.answers[number:]

    def open_frame(self, frame: bytes, arguments: bytes) -> tuple[Any, Any]:
        """`(value, arguments after the call)` of a reply; the second is None where the call changed none of them.

        Raises:
            Exception: What the candidate raised.
        """
        args, mutables = self.values.copies(arguments)
        at_once, self.changes_at_once = self.changes_at_once, True
        mutated, self.mutated = self.mutated, False
        try:
            value = self._value(frame, Arguments(arguments, mutables, plain=True))
            return value, (args if self.mutated else None)
        finally:
            self.changes_at_once = at_once
            self.mutated = self.mutated or mutated

    def _call(self, remote: Remote, arguments: bytes, *, plain: bool) -> bytes:
        name = remote._name
        if self._recording:
            if name is not None and plain:
                self.calls.append((name, arguments))
                self.answers.append(None)
            else:
                self._recording = False
        target: str | int = remote._handle if name is None else name
        planned = self._planned(target, arguments)
        return self._ask(("call", target, arguments)) if planned is None else planned

    def operate(self, operation: str, remote: Remote, args: tuple[object, ...] = (), want: type | None = None) -> Any:
        """Asks the agent for an operation on one of its objects, if the policy allows it.

        Raises:
            Opaque: If the reference never needed this operation.
            Exception: What the candidate raised.
        """
        shape = f"{operation}:{args[0]}" if operation in _NAMED else operation
        if operation not in FREE and not self.allows(shape):
            self.violation = self.violation or f"the answer is an opaque {remote._type} object"
            raise Opaque(self.violation)
        self.operations.add(shape)
        if operation in ("eq", "ne"):
            self.compared.append((remote, args[0]))
        self._recording = False
        if not self._planned_replies.are_used_up:
            self._differ()
        arguments = self.values.arguments(args, {})
        frame = self._ask(("op", operation, remote._handle, arguments.data))
        result = self._value(frame, arguments, stops=operation == "next")
        if want is not None and type(result) is not want:
            self.channel.end("protocol")
        return result

    def allows(self, shape: str) -> bool:
        """Whether the reference needed this operation too (or is running now)."""
        return self.policy is None or shape in self.policy

    def _planned(self, target: str | int, arguments: bytes) -> bytes | None:
        """The reply that came with the plan, None after the plan's end."""
        replies = self._planned_replies
        if replies.are_used_up:
            return None
        if not replies.fit(target, arguments):
            self._differ()
        return replies.take()

    def _differ(self) -> NoReturn:
        self.mismatched = True
        raise Mismatch

    def _ask(self, request: tuple[Any, ...]) -> bytes:
        self._requests += 1
        if self._requests > MAX_REQUESTS:
            self.channel.end("protocol")
        self.channel.send(codec.encode(request))
        while True:
            frame = self.channel.receive()
            if not frame[5:].startswith(_CALLBACK):
                return frame
            self._answer_callback(self._open(frame, ()))

    def _answer_callback(self, request: tuple[Any, ...]) -> None:
        """The candidate calls a callable of the test's. What that raises is told to the candidate, as in Python."""
        self._requests += 1
        try:
            _, number, args, keywords = request
            function = self.values.locals[number]
            if not callable(function) or type(args) is not tuple or type(keywords) is not tuple:
                raise TypeError(number)
            named = dict(keywords)
        except (IndexError, TypeError, ValueError):
            self.channel.end("protocol")
        try:
            data = self.values.encode(("return", function(*args, **named)))
        except Exception as error:  # noqa: BLE001 (a test's own callable raised: the candidate is told, as in Python)
            data = codec.encode(("throw", type(error).__name__, str(error)[:500]))
        self.channel.send(data)

    # -- replies

    def _open(self, frame: bytes, known: Sequence[Any]) -> tuple[Any, ...]:
        try:
            reply = self.values.decode(frame, known)
        except codec.CodecError:
            self.channel.end("protocol")
        if type(reply) is not tuple or not reply or type(reply[0]) is not str:
            self.channel.end("protocol")
        return reply

    def _value(self, frame: bytes, arguments: Arguments, *, stops: bool = False) -> Any:
        """What a reply says. StopIteration comes only out of `next`: out of a call it would silently end a loop of the test's."""
        reply = self._open(frame, arguments.mutables)
        size = {"ok": 2, "raised": 6, "unsendable": 2}.get(reply[0])
        if size is None or len(reply) not in (size, size + 1):
            self.channel.end("protocol")
        if len(reply) > size:
            reply = self._changed(reply, frame, arguments)
        if reply[0] == "ok":
            if isinstance(reply[1], Remote) and reply[1]._kind in ("object", "iterable"):
                self.seen.append(reply[1])
            return reply[1]
        try:
            self._raise(reply)
        except StopIteration as error:
            if stops:
                raise
            raise RuntimeError(f"the candidate raised StopIteration: {error}") from None

    def _changed(self, reply: tuple[Any, ...], frame: bytes, arguments: Arguments) -> tuple[Any, ...]:
        """Takes over the changes that a call made to its arguments: at once, or at the end of the statement (rule 5).

        In the second case the result sees changed *copies*, while the test's own objects stay as they are until `settle`.
        """
        self.mutated = True
        if self.changes_at_once:
            self._apply(arguments.mutables, reply[-1])
            return reply
        self._pending.append((arguments.mutables, reply[-1]))
        _, copies = self.values.copies(arguments.data)
        reply = self._open(frame, copies)
        self._apply(copies, reply[-1])
        return reply

    def settle(self) -> None:
        """Applies the changes to arguments that were held back until the end of a statement."""
        while self._pending:
            self._apply(*self._pending.pop(0))

    def _apply(self, mutables: list[Any], changes: Any) -> None:
        try:
            apply_changes(mutables, changes)
        except (IndexError, TypeError, ValueError):
            self.channel.end("protocol")

    def _raise(self, reply: tuple[Any, ...]) -> NoReturn:
        if reply[0] == "unsendable":
            self._remember(RuntimeError(f"the answer can't be sent: {_text(reply[1])}"), None)
        _, own, names, data, text, line = reply[:6]
        if type(names) is not list or not all(type(n) is str for n in names):
            self.channel.end("protocol")
        base = next((EXCEPTIONS[n] for n in names if n in EXCEPTIONS), None)
        if base is None or any(n in _EXITS for n in names):
            self.last_line = _line(line)
            self.channel.end("exit")
        cls = own if isinstance(own, type) and issubclass(own, Exception) else base
        self._remember(make_exception(cls, data, _text(text)), line)

    def _remember(self, error: Exception, line: object) -> NoReturn:
        self.last_raised = error
        self.last_line = _line(line)
        raise error


_CALLBACK: bytes = codec.encode(("callback",))[5:]


def _line(value: object) -> int | None:
    """A line number, if it can be one."""
    return value if type(value) is int and 0 < value < 1 << 31 else None


def _text(value: object) -> str:
    return value if type(value) is str else ""
