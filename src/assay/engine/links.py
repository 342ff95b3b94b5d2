"""The engine's ends of the sockets: to a judge fork, and to the two fork servers of a worker.

All in one asyncio loop and its thread. Nothing here waits for a process without a way out: where one dies, whoever waits gets the error.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from typing import TYPE_CHECKING, Any

from assay.errors import SandboxError
from assay.judge.wire import codec
from assay.sandbox import Ended, Handover

if TYPE_CHECKING:
    from assay.records import Execution, Limits
    from assay.sandbox import ForkServer, Lines

PATIENCE_S = 0.01
"""How long a child has to end by itself once its session is over: killing it at once would cost a message for each sample."""

_LENGTH = struct.Struct("<I")
_REPLY_CAP = 1 << 30
_CHUNK_BYTES = 1 << 18


class JudgeDied(Exception):
    """The judge fork is gone in the middle of a sample."""


class JudgeLink:
    """A conversation with one judge fork: one message, one answer. It listens all the time, since asking the loop anew for each answer
    costs two system calls more; what comes unasked ends it, or a fork could fill the engine's memory.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._buffer = bytearray()
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[bytes] | None = None
        self._ended: JudgeDied | None = None
        self._loop.add_reader(sock, self._read)

    async def ask(
        self, message: tuple[Any, ...], agent: socket.socket | None = None, patience_s: float | None = None
    ) -> tuple[Any, ...]:
        """Sends a message, with an agent's socket where it needs one (closed here), and waits for the answer.

        Raises:
            JudgeDied: If the fork ends before it has answered.
            TimeoutError: If there is no answer within `patience_s` seconds.
        """
        data = codec.encode(message)
        self._answer = answer = self._loop.create_future()
        expiry = None if patience_s is None else self._loop.call_later(patience_s, self._fail, TimeoutError())
        try:
            await self._send(data, agent)
            told = codec.decode(await answer)
        except (OSError, codec.CodecError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise JudgeDied from None
        finally:
            self._answer = None
            if expiry is not None:
                expiry.cancel()
            if answer.done() and not answer.cancelled():
                answer.exception()  # the fork may have ended while the message went out: then nobody has asked for this one
        if type(told) is not tuple or not told or type(told[0]) is not str:
            raise JudgeDied("the judge's answer can't be read")
        return told

    async def _send(self, data: bytes, agent: socket.socket | None) -> None:
        """Raises JudgeDied where the fork is known to be gone."""
        head = _LENGTH.pack(len(data))
        sent = 0
        if agent is not None:
            with agent:
                if self._ended is None:
                    sent = socket.send_fds(self._sock, [head, data], [agent.fileno()])
        if self._ended is not None:
            raise self._ended
        if sent < len(head) + len(data):
            await self._loop.sock_sendall(self._sock, (head + data)[sent:])

    def _read(self) -> None:
        try:
            chunk = self._sock.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._buffer += chunk
        if not chunk:
            self._end(JudgeDied())
        elif self._answer is None or self._answer.done():
            self._end(JudgeDied("the judge spoke unasked"))
        elif len(self._buffer) >= _LENGTH.size:
            self._take(_LENGTH.unpack_from(self._buffer)[0], self._answer)

    def _take(self, length: int, answer: asyncio.Future[bytes]) -> None:
        whole = _LENGTH.size + length
        if length > _REPLY_CAP or len(self._buffer) > whole:
            self._end(JudgeDied("the judge's answer can't be read"))
        elif len(self._buffer) == whole:
            answer.set_result(bytes(memoryview(self._buffer)[_LENGTH.size :]))
            self._buffer = bytearray()

    def _end(self, error: JudgeDied) -> None:
        """Listens no more; whoever waits, or asks later, gets the error."""
        self._ended = error
        self._loop.remove_reader(self._sock)
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)

    def close(self) -> None:
        """Hangs up; the fork ends."""
        if self._ended is None:
            self._end(JudgeDied())
        self._sock.close()


class _Listening:
    """What is known of the children of one request, and not asked for yet; `wanted` is who waits for more."""

    def __init__(self) -> None:
        self.told: deque[Ended | Handover] = deque()
        self.wanted: asyncio.Future[None] | None = None

    def take(self, told: Ended | Handover) -> None:
        """Takes in what is told."""
        self.told.append(told)
        if self.wanted is not None and not self.wanted.done():
            self.wanted.set_result(None)


class ServerLink:
    """A fork server and the children of it that somebody waits for."""

    def __init__(self, server: ForkServer) -> None:
        self._server = server
        self._waiting: dict[int, asyncio.Future[Ended]] = {}
        self._listening: dict[int, _Listening] = {}
        self._next = 0
        self.broken: SandboxError | None = None
        asyncio.get_running_loop().add_reader(server.fileno(), self._read)

    def spawn(self, slot: int, limits: Limits, *, alone: bool = False) -> tuple[int, socket.socket]:
        """Starts a child; returns its number and our end of its session socket. `alone`: no other is at work until it has ended.

        Raises:
            SandboxError: If the server is gone.
        """
        number = self._next_number()
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise SandboxError(f"there is no socket for a sample: {error}") from error
        with theirs:
            try:
                self._server.spawn(number, slot, limits, theirs.fileno(), alone=alone)
            except SandboxError as error:
                ours.close()
                self._break(error)
                raise
        self._waiting[number] = asyncio.get_running_loop().create_future()
        return number, ours

    def _next_number(self) -> int:
        if self.broken is not None:
            raise self.broken
        self._next += 1
        return self._next

    def recite(self, slot: int, limits: Limits, lines: Lines, *, alone: bool = False) -> int:
        """Starts a child that is known to be right if it says these lines, and after it those of `lines.further`; returns the number of all
        of them. What becomes of each is to be asked of `heard`, until the last.

        Raises:
            SandboxError: If the server is gone.
        """
        number = self._next_number()
        try:
            self._server.spawn_to_say(number, slot, limits, lines, alone=alone)
        except SandboxError as error:
            self._break(error)
            raise
        self._listening[number] = _Listening()
        return number

    async def heard(self, number: int, patience_s: float) -> Ended | Handover:
        """What became of the next child of that number: its end, or its session once it says something else. It is the last one unless its
        end says that it is `followed`. One whose end is not in sight is ended after a while, and is the last.

        Raises:
            SandboxError: If the server is gone.
        """
        listening = self._listening[number]
        try:
            if not listening.told:
                await self._hear(number, listening, patience_s)
            told = listening.told.popleft()
        except BaseException:
            del self._listening[number]
            raise
        if isinstance(told, Handover) or not told.followed:
            del self._listening[number]
        return told

    async def _hear(self, number: int, listening: _Listening, patience_s: float) -> None:
        if self.broken is not None:
            raise self.broken
        loop = asyncio.get_running_loop()
        listening.wanted = loop.create_future()
        kill = loop.call_later(patience_s, self._kill, number)
        try:
            await listening.wanted
        finally:
            kill.cancel()

    async def end(self, number: int, patience_s: float = PATIENCE_S) -> Execution:
        """Gives the facts about a child whose session is over. It ends by itself then; one that does not is ended after a while.

        Raises:
            SandboxError: If the server is gone.
        """
        kill = asyncio.get_running_loop().call_later(patience_s, self._kill, number)
        try:
            return (await self._ended(number)).facts
        finally:
            kill.cancel()

    async def _ended(self, number: int) -> Ended:
        try:
            return await self._waiting[number]
        finally:
            self._waiting.pop(number, None)

    def _kill(self, number: int) -> None:
        try:
            self._server.kill(number)
        except SandboxError as error:
            self._break(error)

    def _read(self) -> None:
        try:
            for told in self._server.receive():  # if there is more, the loop comes back
                self._take(told)
        except (SandboxError, OSError) as error:
            self._break(error if isinstance(error, SandboxError) else SandboxError(str(error)))

    def _take(self, told: Ended | Handover) -> None:
        number = told.child_id
        future, listening = self._waiting.get(number), self._listening.get(number)
        if isinstance(told, Ended):
            if future is not None and not future.done():
                future.set_result(told)
            elif future is None and listening is not None:
                listening.take(told)
        elif listening is not None:
            self._waiting[number] = asyncio.get_running_loop().create_future()  # of the end that is still to come
            listening.take(told)
        else:
            told.session.close()  # nobody waits for it any more

    def _break(self, error: SandboxError) -> None:
        """Notes that the server is gone and tells everyone who waits. They get an error, not a cancellation: the task group of the lanes
        would take that for the end of the whole run.
        """
        if self.broken is None:
            self.broken = error
            asyncio.get_running_loop().remove_reader(self._server.fileno())
        wanted = [listening.wanted for listening in self._listening.values()]
        waiting: list[asyncio.Future[Any] | None] = [*self._waiting.values(), *wanted]
        for future in waiting:
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # nobody may be waiting for it any more: then it is no news

    def detach(self) -> None:
        """Listens to the server no more, which its owner ends; whoever waits is told."""
        self._break(self.broken or SandboxError("the sandbox was closed"))
