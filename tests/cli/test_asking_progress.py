from __future__ import annotations

import io

import pytest

from assay.cli.asking_progress import AskProgress
from assay.models import Answer, Price, Reply


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def made(clock: Clock, total: int = 100, there: int = 0, price: Price | None = None, **more) -> AskProgress:
    return AskProgress(total, there, price, stream=io.StringIO(), clock=clock, **more)


def reply(tokens_in: int | None = 100, tokens_out: int | None = 50, *, exact: bool = True) -> Reply:
    return Reply(answers=(Answer(text="x"),), tokens_in=tokens_in, tokens_out=tokens_out, exact=exact)


def test_a_line_tells_answers_rate_tokens_cost_and_time_left(clock: Clock) -> None:
    progress = made(clock, there=50, price=Price(input_per_million=10.0, output_per_million=20.0))
    for _ in range(10):
        progress.reply(reply())
        progress.answer()
    line = progress.line(5.0)
    assert line == "60 of 100 answers, 2.0/s, 1,000 tokens in, 500 out (100/s), 0.020 USD, 0:20 left"


def test_the_time_left_is_not_guessed_from_a_few_answers(clock: Clock) -> None:
    progress = made(clock)
    progress.answer()
    assert progress.line(1.0).endswith("time left unknown")


def test_answers_that_did_not_come_are_told_and_not_waited_for(clock: Clock) -> None:
    progress = made(clock, total=3)
    progress.answer()
    progress.fail(2)
    assert progress.line(61.0) == "1 of 3 answers, 1.0/min, 2 failed, 1:01 in all"


@pytest.mark.parametrize("odd", [reply(exact=False), reply(None), reply(tokens_out=None)])
def test_tokens_are_at_least_so_many_where_a_server_did_not_count_all(clock: Clock, odd: Reply) -> None:
    progress = made(clock)
    progress.reply(reply())
    progress.reply(odd)
    assert "at least " in progress.line(1.0)


def test_where_all_is_there_nothing_is_left_to_ask(clock: Clock) -> None:
    assert made(clock, total=5, there=5).line(0.0) == "5 of 5 answers, nothing was left to ask"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_at_once_that_asking_has_begun_and_nothing_before(clock: Clock) -> None:
    screen = Terminal()
    progress = AskProgress(9, 0, stream=screen, clock=clock)
    progress.finish()
    assert screen.getvalue() == ""
    progress.begin()
    assert "0 of 9 answers, time left unknown" in screen.getvalue()
    progress.finish()
    assert screen.getvalue().endswith("\n")


def test_what_goes_on_beside_is_told_in_the_same_line(clock: Clock) -> None:
    progress = made(clock, more=lambda: ("3 judged, 1 passed",))
    assert "3 judged, 1 passed, time left unknown" in progress.line(1.0)
