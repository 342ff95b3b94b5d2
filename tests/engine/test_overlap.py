from __future__ import annotations

import anyio

from assay.engine import Feed, Settings, Work
from assay.engine.overlap import Tasks, in_turn
from assay.records import AssertTests, Mode, Problem, Sample


def problem(name: str) -> Problem:
    return Problem(id=name, prompt="p", entry_point="f", tests=(AssertTests(cases=("assert f() == 1",)),))


def sample(name: str, index: int) -> Sample:
    return Sample(problem_id=name, index=index, text="x", mode=Mode.SOLUTION)


PROBLEMS = {name: problem(name) for name in "ab"}


def seen(work: Work) -> tuple[str, list[int]]:
    return work.problem.id, [each.index for each in work.samples()]


async def collect(feed: Feed) -> list[tuple[str, list[int]]]:
    return [seen(work) async for work in in_turn(feed)]


def test_what_is_there_comes_first_and_then_what_comes_problem_by_problem() -> None:
    async def run() -> list:
        feed = Feed(PROBLEMS, [Work(PROBLEMS["b"], lambda: iter([sample("b", 0)]), 1)])
        for name, index in (("a", 0), ("b", 1), ("a", 1)):
            await feed.take(sample(name, index))
        feed.end()
        found = await collect(feed)
        feed.close()
        return found

    assert anyio.run(run) == [("b", [0]), ("a", [0, 1]), ("b", [1])]


def test_a_sample_is_handed_on_before_the_next_one_comes() -> None:
    async def run() -> list:
        feed, found, got = Feed(PROBLEMS), [], anyio.Event()

        async def read() -> None:
            async for work in in_turn(feed):
                found.append(seen(work))
                got.set()

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            await feed.take(sample("a", 0))
            await got.wait()
            found.append("then")
            await feed.take(sample("a", 1))
            feed.end()
        feed.close()
        return found

    assert anyio.run(run) == [("a", [0]), "then", ("a", [1])]


def test_a_list_of_work_is_read_as_it_is() -> None:
    async def run() -> list:
        return [seen(work) async for work in in_turn([Work(PROBLEMS["a"], lambda: iter([sample("a", 3)]), 1)])]

    assert anyio.run(run) == [("a", [3])]


class Keys:
    def problem_part(self, asked: Problem, _groups) -> str:
        return asked.id


def test_a_problem_that_comes_again_has_the_same_task() -> None:
    async def run() -> None:
        tasks = Tasks(Settings(trials=2), Keys(), None)
        works = [Work(PROBLEMS[name], lambda: iter(()), 0) for name in "aba"]
        first, other, again = [tasks.of(work, again=True) for work in works]
        assert first is again
        assert (first.place, other.place) == (0, 1)
        assert tasks.of(works[1], again=False) is other
        once = Tasks(Settings(), Keys(), None)
        assert once.of(works[0], again=False) is not once.of(works[0], again=False)

    anyio.run(run)
