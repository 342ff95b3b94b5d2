"""The engine's ends of the sockets: to a judge fork, and to the two fork servers of a worker.

All in one asyncio loop and its thread. Nothing here waits for a process without a way out: where one dies, whoever waits gets the error.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import TYPE_CHECKING, Any

from assay.errors import SandboxError
from assay.judge.wire import codec

if TYPE_CHECKING:
    from assay.records import Execution, Limits
    from assay.sandbox import ForkServer

PATIENCE_S = 0.01
"""How long a child has to end by itself once its session is over: killing it at once would cost a message for each sample."""

_LENGTH = struct.Struct("<I")
_REPLY_CAP = 1 << 30


class JudgeDied(Exception):
    """The judge fork is gone in the middle of a sample."""


class JudgeLink:
    """A conversation with one judge fork: one message, one answer."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._buffer = bytearray()

    async def ask(self, message: tuple[Any, ...], agent: socket.socket | None = None) -> tuple[Any, ...]:
        """Sends a message, with an agent's socket where it needs one (closed here), and waits for the answer.

        Raises:
            JudgeDied: If the fork ends before it has answered.
        """
        data = codec.encode(message)
        try:
            await self._send(data, agent)
            length = _LENGTH.unpack(await self._take(4))[0]
            if length > _REPLY_CAP:
                raise JudgeDied
            answer = codec.decode(await self._take(length))
        except (OSError, codec.CodecError):
            raise JudgeDied from None
        if type(answer) is not tuple or not answer or type(answer[0]) is not str:
            raise JudgeDied("the judge's answer can't be read")
        return answer

    async def _send(self, data: bytes, agent: socket.socket | None) -> None:
        loop = asyncio.get_running_loop()
        head = _LENGTH.pack(len(data))
        if agent is None:
            await loop.sock_sendall(self._sock, head + data)
            return
        with agent:
            sent = socket.send_fds(self._sock, [head, data], [agent.fileno()])
        if sent < len(head) + len(data):
            await loop.sock_sendall(self._sock, (head + data)[sent:])

    async def _take(self, n: int) -> bytes:
        loop = asyncio.get_running_loop()
        while len(self._buffer) < n:
            chunk = await loop.sock_recv(self._sock, max(65536, min(n - len(self._buffer), 1 << 20)))
            if not chunk:
                raise JudgeDied
            self._buffer += chunk
        taken = bytes(self._buffer[:n])
        del self._buffer[:n]
        return taken

    def close(self) -> None:
        """Hangs up; the fork ends."""
        self._sock.close()


class ServerLink:
    """A fork server and the children of it that somebody waits for."""

    def __init__(self, server: ForkServer) -> None:
        self._server = server
        self._waiting: dict[int, asyncio.Future[Execution]] = {}
        self._next = 0
        self.broken: SandboxError | None = None
        asyncio.get_running_loop().add_reader(server.fileno(), self._read)

    def spawn(self, slot: int, limits: Limits) -> tuple[int, socket.socket]:
        """Starts a child; returns its number and our end of its session socket.

        Raises:
            SandboxError: If the server is gone.
        """
        if self.broken is not None:
            raise self.broken
        self._next += 1
        number = self._next
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._server.spawn(number, slot, limits, theirs.fileno())
            except SandboxError as error:
                ours.close()
                self._break(error)
                raise
        self._waiting[number] = asyncio.get_running_loop().create_future()
        return number, ours

    async def end(self, number: int, patience_s: float = PATIENCE_S) -> Execution:
        """Gives the facts about a child whose session is over. It ends by itself then; one that does not is ended after a while.

        Raises:
            SandboxError: If the server is gone.
        """
        kill = asyncio.get_running_loop().call_later(patience_s, self._kill, number)
        try:
            return await self._waiting[number]
        finally:
            kill.cancel()
            self._waiting.pop(number, None)

    def _kill(self, number: int) -> None:
        try:
            self._server.kill(number)
        except SandboxError as error:
            self._break(error)

    def _read(self) -> None:
        try:
            while (got := self._server.receive()) is not None:
                number, execution = got
                future = self._waiting.get(number)
                if future is not None and not future.done():
                    future.set_result(execution)
        except (SandboxError, OSError) as error:
            self._break(error if isinstance(error, SandboxError) else SandboxError(str(error)))

    def _break(self, error: SandboxError) -> None:
        """Notes that the server is gone and tells everyone who waits. They get an error, not a cancellation: the task group of the lanes
        would take that for the end of the whole run.
        """
        if self.broken is None:
            self.broken = error
            asyncio.get_running_loop().remove_reader(self._server.fileno())
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(error)
                future.exception()  # nobody may be waiting for it any more: then it is no news

    def close(self) -> None:
        """Ends the server and all that it started."""
        self._break(self.broken or SandboxError("the sandbox was closed"))
        self._server.close()
