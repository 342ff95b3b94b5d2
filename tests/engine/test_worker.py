"""Workers begin and end together, and leave nothing when one can't begin."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from families import children, lives

from assay.engine import Settings, worker
from assay.engine.worker import Worker, close_together, start_together
from assay.errors import SandboxError

SETTINGS = Settings(workers=2)


@pytest.fixture(autouse=True)
def _nothing_is_left():
    """Of descriptors and of processes, whether they live or wait to be buried."""
    before = descriptors(), children(os.getpid())
    yield
    assert (descriptors(), children(os.getpid())) == before


def descriptors():
    return sorted(int(path.name) for path in Path("/proc/self/fd").iterdir())[:-1]  # the last is the folder's own


def test_each_worker_has_a_pair_of_its_own_from_one_start_a_role():
    async def scenario():
        workers = [Worker(SETTINGS) for _ in range(3)]
        await start_together(workers)
        pairs = [await each.pair() for each in workers]
        launchers = [server._process for pair in pairs for server in pair._servers]
        kinds = [type(process).__name__ for process in launchers]
        assert kinds == ["Popen", "Popen", "Sibling", "Sibling", "Sibling", "Sibling"]
        close_together(workers)
        assert not any(lives(process.pid) for process in launchers)

    asyncio.run(scenario())


def test_a_worker_on_another_level_than_before_costs_all_of_them_their_start_and_nothing_more():
    async def scenario():
        workers = [Worker(SETTINGS) for _ in range(2)]
        workers[1]._level = "L9"
        with pytest.raises(SandboxError, match="isolated at L9 when the run began"):
            await start_together(workers)
        close_together(workers)

    asyncio.run(scenario())


def test_a_start_that_somebody_broke_is_made_once_more(monkeypatch):
    launch = worker.ForkServer.launch
    made = []

    def killed_once(servers):
        made.append(launch(servers))
        if len(made) == 1:
            made[0][0]._process.kill()
        return made[-1]

    monkeypatch.setattr(worker.ForkServer, "launch", killed_once)

    async def scenario():
        workers = [Worker(SETTINGS) for _ in range(2)]
        await start_together(workers)
        assert [len(some) for some in made] == [4, 4]
        close_together(workers)

    asyncio.run(scenario())


@pytest.mark.parametrize("looks", [1, 2, 3, 4])
def test_a_start_that_is_cancelled_leaves_nothing(monkeypatch, looks):
    is_ready = worker.ForkServer.is_ready
    left = [looks]

    def cancelled(server):
        left[0] -= 1
        if left[0]:
            return is_ready(server)
        asyncio.current_task().cancel()
        return False

    monkeypatch.setattr(worker.ForkServer, "is_ready", cancelled)

    async def scenario():
        workers = [Worker(SETTINGS) for _ in range(2)]
        with pytest.raises(asyncio.CancelledError):
            await start_together(workers)
        close_together(workers)

    asyncio.run(scenario())
