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

import time
from typing import TYPE_CHECKING, Any, NoReturn

from assay.judge.exceptions import EXCEPTIONS, make_exception
from assay.judge.loading import EXITS, Frames, LoadFailure, Program, as_frames, as_text, read_failure
from assay.judge.plan import Asked, Plan, Replies
from assay.judge.proxies import Remote, RemoteCallable
from assay.judge.showing import cut
from assay.judge.values import Arguments, Values, apply_changes
from assay.judge.wire import Channel, codec

if TYPE_CHECKING:
    from collections.abc import Sequence

FREE = frozenset({"iter", "next", "await", "anext"})
"""Operations on handles that copy data and claim nothing."""

MAX_REQUESTS = 200_000

KEPT_BYTES = 1 << 20
"""So much of the reference's replies to calls that tests make is kept, to be compared with others'."""

BUSY_S = 20.0
"""Processor time that one program's answers may cost the judge altogether; the watchers outside see a stretch at a time."""

_NAMED = ("getattr", "setattr", "delattr")
_HARMLESS_NAMES, _HARMLESS_ANSWERS = frozenset({"callable", "class", "object"}), frozenset({"object"})
"""Kinds of objects that a name may stand for, or that may come out of a call, without a claim: of others, answers are free."""


class Mismatch(BaseException):
    """The test asked for something else than the plan foresaw."""


class Opaque(BaseException):
    """The test used a candidate's object in a way that the reference never needed: its answer would be a mere claim."""


class Session:
    """A conversation with one agent about one program.

    Args:
        channel: The agent's end.
        entry_point: The name of the function under test, where there is one.
        policy: The operations that are allowed on handles; None allows and records all.
        changes_at_once: Whether changes to arguments come back at once, as where the reference makes some itself (rule 5).
        narrow: Types of narrow numbers that the reference gives too.
    """

    def __init__(
        self, channel: Channel, entry_point: str | None, policy: frozenset[str] | None, *, changes_at_once: bool = True,
        narrow: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.channel = channel
        self.entry_point = entry_point
        self.policy = policy
        self.changes_at_once = changes_at_once
        self.values = Values(self, None if policy is None else narrow)
        self.names: dict[str, Any] = {}
        self.modules: dict[str, str] = {}
        self.operations: set[str] = set()
        self.compared: list[tuple[Remote, object]] = []
        self.seen: list[Remote] = []
        self._made_by: dict[int, tuple[Any, ...]] = {}
        self.asked = Asked(goes_on=policy is None)
        self.mutated = False
        self.claimed = False
        self.violation: str | None = None
        self.violations = 0
        self.mismatched = False
        self.last_call: tuple[str, tuple[object, ...], dict[str, object]] | None = None
        self.last_raised: BaseException | None = None
        self.last_frames: Frames = ()
        self._requests = 0
        self._began_s = time.process_time()
        self._has_plan = False
        self.replies = Replies(channel, Plan())
        self._pending: list[tuple[list[Any], Any]] = []
        self.loaded = b""

    @property
    def ended(self) -> str | None:
        """Why the conversation is over, or None."""
        return self.channel.ended

    @property
    def planned(self) -> bool:
        """Whether a plan went out with the program."""
        return self._has_plan

    @property
    def is_entry_a_function(self) -> bool:
        """Whether the program has a function, not a class, under the name that is under test."""
        entry = self.names.get(self.entry_point or "")
        return isinstance(entry, RemoteCallable) and entry._assay_kind == "callable"

    @property
    def is_idle(self) -> bool:
        """Whether nothing that was asked for is still to come."""
        return self.ended is None and self.replies.are_used_up

    # -- loading

    def load(self, program: Program, plan: Plan) -> None:
        """Sends the program, and the plan with it, unless that has been done; binds the names that the tests need and takes in the replies.

        Raises:
            LoadFailure: If the program does not compile, or raises while it loads.
            SessionEnded: If the agent is gone before the program is loaded.
        """
        self._has_plan = bool(plan.calls)
        self.replies = Replies(self.channel, plan)
        if not self.channel.is_open:
            self.channel.send(program.request(plan.data))
        self.loaded = self.channel.receive()
        reply = self._open_loaded(self.loaded)
        if reply[0] == "loaded" and len(reply) == 2 and type(reply[1]) is dict:
            for name in program.names:
                if name in reply[1]:
                    self._bind(name, reply[1][name])
        else:
            raise read_failure(reply) or self.channel.end("protocol")
        self.replies.gather()

    def _open_loaded(self, frame: bytes) -> tuple[Any, ...]:
        """The answer to a program that was sent. An object in a place where data is made of it, as a key, is not let in."""
        try:
            return self._open(frame, ())
        except Opaque as error:
            raise LoadFailure("raised", cut(str(error))) from None

    def _bind(self, name: str, value: object) -> None:
        """Takes over a name of the program's. What the reference only imports from the standard library the judge imports itself."""
        origin = (
            self.values.origins.get(value._assay_handle) if isinstance(value, Remote) and self.policy is None else None
        )
        if isinstance(value, Remote) and value._assay_kind == "module":
            self.modules[name] = value._assay_type
        elif origin and name != self.entry_point:
            self.modules[name] = origin
        elif isinstance(value, type) and name == self.entry_point:
            # a class that is known here, an exception or a builtin type: calling it is the agent's business all the same
            self._bind_remote(name, RemoteCallable(self, self.values.handle_of(value), "class", value.__name__))
        elif isinstance(value, Remote):
            self._bind_remote(name, value)
        else:
            self.names[name] = value
            self._note_claim(name, value, frozenset())

    def _bind_remote(self, name: str, remote: Remote) -> None:
        if remote._assay_name is not None:  # one object under two names: the one must not answer for the other
            remote = type(remote)(self, remote._assay_handle, remote._assay_kind, remote._assay_type)
        object.__setattr__(remote, "_assay_name", name)
        self.names[name] = remote
        self._note_claim(name, remote, _HARMLESS_NAMES)

    def _note_claim(self, name: str | None, value: object, harmless: frozenset[str]) -> None:
        """Notes that a name beside the entry point has given an answer, or an object of which answers are free: its items, its calls."""
        if name not in (None, self.entry_point) and not (isinstance(value, Remote) and value._assay_kind in harmless):
            self.claimed = True

    # -- requests

    def call(self, remote: Remote, args: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Calls a function or class of the candidate's.

        Raises:
            Exception: What the candidate raised, as a builtin exception.
        """
        self.last_call = (remote._assay_name or remote._assay_type, args, keywords)
        arguments = self.values.arguments(args, keywords)
        frame = self._call(remote, arguments.data, plain=arguments.plain)
        self.asked.keep(frame, KEPT_BYTES)
        value = self._value(frame, arguments)
        self._note_claim(remote._assay_name, value, _HARMLESS_ANSWERS)
        self._note_made(value, ("call", _target(remote), arguments.data))
        return value

    def _note_made(self, value: object, request: tuple[Any, ...]) -> None:
        if isinstance(value, Remote):
            self._made_by.setdefault(value._assay_handle, request)

    def can_ask_again(self, o: object) -> bool:
        """Whether it is known by which request an object was made."""
        return isinstance(o, Remote) and o._assay_handle in self._made_by

    def ask_again(self, o: Any) -> Any:
        """What the request that made an object gives this time; raises what the candidate raises."""
        request = self._made_by[o._assay_handle]
        return self.open_frame(self._ask(request), request[-1])[0]

    def call_frame(self, remote: Remote, arguments: bytes) -> bytes:
        """The unopened reply to a call with plain arguments that are encoded already."""
        frame = self._call(remote, arguments, plain=True)
        self.asked.keep(frame)
        return frame

    def pass_over(self, arguments: Sequence[bytes], wanted: Sequence[object], at: int) -> int:
        """The first of these calls of the entry point, from number `at` on, whose reply is not here in just the bytes that are wanted."""
        if self.entry_point is None or not isinstance(self.names.get(self.entry_point), RemoteCallable):
            return at
        return self.replies.pass_over(self.entry_point, arguments, wanted, at)

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
        name = remote._assay_name
        self.asked.note(name if plain else None, arguments)
        target = _target(remote)
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
            self.violation = self.violation or f"the answer is an opaque {remote._assay_type} object"
            self.violations += 1
            raise Opaque(self.violation)
        self.operations.add(shape)
        if operation in ("eq", "ne"):
            self.compared.append((remote, args[0]))
        self.asked.goes_on = False
        if not self.replies.are_used_up:
            self._differ()
        arguments = self.values.arguments(args, {})
        frame = self._ask(("op", operation, remote._assay_handle, arguments.data))
        result = self._value(frame, arguments, stops=operation == "next")
        self._note_made(result, ("op", operation, remote._assay_handle, arguments.data))
        if want is not None and type(result) is not want:
            self.channel.end("protocol")
        return result

    def allows(self, shape: str) -> bool:
        """Whether the reference needed this operation too (or is running now)."""
        return self.policy is None or shape in self.policy

    def _planned(self, target: str | int, arguments: bytes) -> bytes | None:
        """The reply that came with the plan, None after the plan's end."""
        replies = self.replies
        if replies.are_used_up:
            return None
        if not replies.fit(target, arguments):
            self._differ()
        return replies.take()

    def _differ(self) -> NoReturn:
        self.mismatched = True
        raise Mismatch

    def _ask(self, request: tuple[Any, ...]) -> bytes:
        self._count_request()
        self.channel.send(codec.encode(request))
        while True:
            frame = self.channel.receive()
            if not frame[5:].startswith(_CALLBACK):
                return frame
            self._answer_callback(self._open(frame, ()))

    def _count_request(self) -> None:
        self._requests += 1
        if self._requests > MAX_REQUESTS:
            self.channel.end("protocol")
        if self.policy is not None and time.process_time() - self._began_s > BUSY_S:
            self.channel.end("busy")

    def _answer_callback(self, request: tuple[Any, ...]) -> None:
        """The candidate calls a callable of the test's. What that raises is told to the candidate, as in Python."""
        self._count_request()
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
            if isinstance(reply[1], Remote) and reply[1]._assay_kind in ("object", "iterable"):
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
            self._remember(RuntimeError(f"the answer can't be sent: {as_text(reply[1])}"), ())
        _, own, names, data, text, frames = reply[:6]
        if type(names) is not list or not all(type(n) is str for n in names):
            self.channel.end("protocol")
        base = next((EXCEPTIONS[n] for n in names if n in EXCEPTIONS), None)
        if base is None or any(n in EXITS for n in names):
            self.last_frames = as_frames(frames)
            self.channel.end("exit")
        cls = own if isinstance(own, type) and issubclass(own, Exception) else base
        self._remember(make_exception(cls, data, as_text(text)), frames)

    def _remember(self, error: Exception, frames: object) -> NoReturn:
        self.last_raised = error
        self.last_frames = as_frames(frames)
        raise error


def _target(remote: Remote) -> str | int:
    return remote._assay_handle if remote._assay_name is None else remote._assay_name


_CALLBACK: bytes = codec.encode(("callback",))[5:]
