"""One worker: a fork server for agents, a fork server for judges, and the clock page between them; in flavours, with and without numpy.

A worker that broke is started again; what was in flight is told so and tried again by its lane.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Literal

import msgspec
from anyio.lowlevel import checkpoint

from assay.engine.ahead import Ahead
from assay.engine.calm import Calm
from assay.engine.links import JudgeLink, ServerLink
from assay.engine.settings import LANES, Settings
from assay.errors import SandboxError, SandboxUnavailable
from assay.records import Isolation, Limits
from assay.sandbox import START_S, ClockPage, ForkServer, ServerSpec

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from assay.records import Execution

JUDGE_LIMITS = Limits(time_s=10.0, cpu_s=3600.0, wall_s=86_400.0, memory_mib=4096, output_kib=65536)
"""A judge fork may compute for `time_s` at a stretch. Longer means that a value of the candidate's holds it up. Its totals, over all the
problems and samples that it serves, are for what tests leave running in it: one that has used them up is replaced.
"""

SLOTS = 2 * LANES
"""Each lane has one for samples and one for the agent that runs references."""

FORK_SERVES = 500
"""Problems with plain tests that one judge fork serves before a fresh one takes its place."""

SAME_FAILURES = 8
"""So often a worker's sandbox may fail in the same way, with no sample judged in between, before the run is given up."""

Role = Literal["agent", "judge"]
_ROLES: tuple[Role, ...] = ("agent", "judge")

Flavour = tuple[str, ...]
"""Packages that are loaded before samples come."""


class Pair:
    """The two servers of one flavour."""

    def __init__(self, settings: Settings, flavour: Flavour, processor: int | None) -> None:
        self.clock = ClockPage.create(SLOTS)
        self.calm = Calm()
        self.agents: ServerLink | None = None
        self.judges: ServerLink | None = None
        self._servers: list[ForkServer] = []
        self._settings = settings
        self._flavour = flavour
        self._processor = processor
        self.isolation: Isolation | None = None

    def servers(self) -> list[tuple[ServerSpec, int]]:
        """What its two servers are to be, as `ForkServer.launch` wants it."""
        return [(self._spec(role), self.clock.fileno()) for role in _ROLES]

    def take(self, servers: list[ForkServer]) -> None:
        """Takes over its two servers, which were launched and may not be ready yet."""
        self._servers = servers

    async def start(self) -> None:
        """Waits until its servers are ready and joins them to the running loop. No thread waits for them: one that was left over would keep
        the interpreter from ending.

        Raises:
            SandboxUnavailable: If the machine does not give the isolation that was asked for.
            SandboxError: If one does not start.
        """
        for server in self._servers:
            while not server.is_ready():
                if not await _is_readable(server.fileno()):
                    server.wait_ready(0.0)
        self.isolation = self._servers[0].isolation
        self.agents, self.judges = map(ServerLink, self._servers)

    def _spec(self, role: Role) -> ServerSpec:
        settings = self._settings
        spec = ServerSpec(
            role=role,
            preload=self._flavour,
            minimum_level=settings.minimum_level,
            hash_seed=settings.hash_seed,
            slots=SLOTS,
            processor=self._processor,
        )
        if settings.python is not None and role == "agent":
            return msgspec.structs.replace(spec, python=settings.python)
        return spec

    @property
    def broken(self) -> bool:
        """Whether one of the servers is gone."""
        return any(link is not None and link.broken is not None for link in (self.agents, self.judges))

    def hang_up(self) -> None:
        """Has both servers begin to end."""
        for link in (self.agents, self.judges):
            if link is not None:
                link.detach()
        for server in self._servers:
            server.hang_up()

    def close(self) -> None:
        """Ends both servers."""
        self.hang_up()
        for server in self._servers:
            server.close()
        self.clock.close()


def _without_numbers(error: SandboxError) -> str:
    return re.sub(r"\d+", "", str(error))


async def _is_readable(fd: int) -> bool:
    """Whether there is something to read before a server's time to start is over."""
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    loop.add_reader(fd, arrived.set)
    try:
        await asyncio.wait_for(arrived.wait(), START_S)
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(fd)
    return True


class Worker:
    """Hands out server pairs by flavour; each is started when it is first asked for, and again when it broke.

    Args:
        settings: How to judge.
        processor: The processor that its servers keep to, None for any.
    """

    def __init__(self, settings: Settings, processor: int | None = None) -> None:
        self._settings = settings
        self._processor = processor
        self._pairs: dict[Flavour, Pair] = {}
        self._lock = asyncio.Lock()
        self._level: str | None = None
        self._failure: SandboxError | None = None
        self._failures = 0

    def note_failure(self, error: SandboxError) -> None:
        """Notes that the sandbox failed a sample; with other numbers in its words it is the same failure."""
        same = self._failure is not None and _without_numbers(self._failure) == _without_numbers(error)
        self._failures = self._failures + 1 if same else 1
        self._failure = error

    def note_success(self) -> None:
        """Notes that a sample was judged."""
        self._failures = 0

    def require_sound(self) -> None:
        """Lets a run go on.

        Raises:
            SandboxError: If the sandbox failed `SAME_FAILURES` times in the same way and judged nothing in between.
        """
        if self._failure is None or self._failures < SAME_FAILURES:
            return
        if isinstance(self._failure, SandboxUnavailable):
            raise self._failure
        raise SandboxError(f"the sandbox failed {self._failures} times in a row, the last time so: {self._failure}")

    async def pair(self, flavour: Flavour = ()) -> Pair:
        """The running pair of that flavour.

        Raises:
            SandboxError: If it does not start.
        """
        pair = self._pairs.get(flavour)
        if pair is not None and not pair.broken:
            return pair
        async with self._lock:
            pair = self._pairs.get(flavour)
            if pair is not None and not pair.broken:
                return pair
            if pair is not None:
                del self._pairs[flavour]
                pair.close()
            await start_together([self], flavour)
            return self._pairs[flavour]

    def new_pair(self, flavour: Flavour) -> Pair:
        """A pair as this worker's are, with nothing started.

        Raises:
            OSError: There is no descriptor for it.
        """
        return Pair(self._settings, flavour, self._processor)

    def take(self, flavour: Flavour, pair: Pair) -> None:
        """Takes over a pair that has started. One run is judged at one level: it stands in the run's manifest and in the key of every
        verdict.

        Raises:
            SandboxError: The level is not the one that the worker's first pair had.
        """
        assert pair.isolation is not None
        self._level = self._level or pair.isolation.level
        if pair.isolation.level != self._level:
            missing = ", ".join(pair.isolation.missing)
            raise SandboxError(
                f"this machine isolated at {self._level} when the run began and does at {pair.isolation.level} now; missing: {missing}"
            )
        self._pairs[flavour] = pair

    def hang_up(self) -> None:
        """Has everything that was started begin to end."""
        for pair in self._pairs.values():
            pair.hang_up()

    def close(self) -> None:
        """Ends everything that was started."""
        self.hang_up()
        for pair in self._pairs.values():
            pair.close()
        self._pairs.clear()


async def start_together(workers: Sequence[Worker], flavour: Flavour = ()) -> None:
    """Starts a pair of that flavour for each worker, none of which has one. What they all load is loaded once.

    Raises:
        SandboxUnavailable: If the machine does not give the isolation that was asked for.
        SandboxError: If one does not start.
    """
    try:
        await _start_once(workers, flavour)
    except SandboxUnavailable:
        raise
    except SandboxError:  # somebody may have killed it meanwhile
        await _start_once(workers, flavour)


async def _start_once(workers: Sequence[Worker], flavour: Flavour) -> None:
    pairs: list[Pair] = []
    with contextlib.ExitStack() as undo:
        undo.callback(_close_all, pairs)
        try:
            for worker in workers:
                pairs.append(worker.new_pair(flavour))  # noqa: PERF401 (one by one: those that were made are closed where the next can't be)
            servers = iter(ForkServer.launch([each for pair in pairs for each in pair.servers()]))
        except OSError as error:
            raise SandboxError(f"the sandbox can't be started: {error}") from error
        for pair in pairs:
            pair.take([next(servers) for _ in _ROLES])
        # the first one loads half of anyio: while servers load what samples need, that costs no time
        await checkpoint()
        for pair in pairs:
            await pair.start()
        for worker, pair in zip(workers, pairs, strict=True):
            worker.take(flavour, pair)
        undo.pop_all()


def close_together(workers: Sequence[Worker]) -> None:
    """Ends all that workers have started, at once."""
    _close_all(workers)


def _close_all(started: Sequence[Worker | Pair]) -> None:
    for each in started:
        each.hang_up()
    for each in started:
        each.close()


class Fork:
    """A judge fork and the pair that it belongs to. `serves` is the problem that it has open; `worn` says that it may take no other;
    `ahead` are the programs that were begun in its slot before their turn.
    """

    def __init__(self, pair: Pair, slot: int) -> None:
        assert pair.judges is not None
        assert pair.agents is not None
        self.pair = pair
        self._slot = slot
        self._judges = pair.judges
        self._agents = pair.agents
        self._number, sock = pair.judges.spawn(slot, JUDGE_LIMITS)
        self.link = JudgeLink(sock)
        self.ahead = Ahead(pair.agents, pair.calm, slot)
        self.serves: object = None
        self.worn = False
        self._left = FORK_SERVES

    def take(self, problem: object, *, plain: bool) -> None:
        """Notes that the fork serves that problem from now on. One whose tests could leave a trace is its last."""
        self.serves = problem
        self._left -= 1
        self.worn = not plain or self._left <= 0

    def agent(self, limits: Limits, *, alone: bool = False) -> tuple[int, socket.socket]:
        """Starts an agent in this fork's slot; `alone`: no other is at work until it has ended (`Pair.calm`).

        Raises:
            SandboxError: If the agents' server is gone.
        """
        assert not self.ahead.is_under_way
        return self._agents.spawn(self._slot, limits, alone=alone)

    @property
    def agents(self) -> ServerLink:
        """The server of the agents."""
        return self._agents

    async def close(self) -> Execution | None:
        """Hangs up and waits for the fork's end, and for that of programs that were begun; tells how it ended, if its server can."""
        self.link.close()
        try:
            await self.ahead.close()
        finally:
            facts = None if self._judges.broken is not None else await self._judges.end(self._number)
        return facts
