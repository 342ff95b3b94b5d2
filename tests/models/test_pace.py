from __future__ import annotations

import anyio

from assay.models.pace import Pace


class Time:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def starts(per_minute: float | None, count: int, busy_s: float = 0.0) -> list[float]:
    time = Time()
    pace = Pace(per_minute, clock=time, sleep=time.sleep)
    found = []

    async def run() -> None:
        for _ in range(count):
            await pace.turn()
            found.append(time.now_s)
            time.now_s += busy_s

    anyio.run(run)
    return found


def test_requests_start_evenly_apart() -> None:
    assert starts(30, 4) == [0, 2, 4, 6]


def test_time_that_was_not_used_is_not_saved_up() -> None:
    assert starts(30, 3, busy_s=5) == [0, 5, 10]


def test_without_a_budget_nobody_waits() -> None:
    assert starts(None, 3) == [0, 0, 0]


def test_those_who_wait_together_get_turns_of_their_own() -> None:
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def run() -> None:
        pace = Pace(60, clock=lambda: 0.0, sleep=sleep)
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(pace.turn)

    anyio.run(run)
    assert sorted(waits) == [1, 2, 3]
