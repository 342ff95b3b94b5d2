from __future__ import annotations

import io

import pytest

from assay.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_line_says_done_rate_passes_and_time_left(clock: Clock) -> None:
    progress = Progress(5_000, stream=io.StringIO(), clock=clock)
    for number in range(1_000):
        progress.count(passed=number % 4 == 0)
    clock.now_s = 2.0
    assert progress.line(2.0) == "1,000 of 5,000 samples, 500/s, 250 passed, 0:08 left"


def test_reused_verdicts_count_as_done_but_not_into_the_rate(clock: Clock) -> None:
    progress = Progress(100, stream=io.StringIO(), clock=clock)
    for _ in range(60):
        progress.reuse(passed=True)
    for _ in range(20):
        progress.count(passed=False)
    assert progress.line(4.0) == "80 of 100 samples, 5.0/s, 60 passed, 0:04 left"


def test_the_first_few_samples_promise_no_time(clock: Clock) -> None:
    progress = Progress(100, stream=io.StringIO(), clock=clock)
    assert progress.line(1.0).endswith("time left unknown")
    for _ in range(19):
        progress.count(passed=True)
    assert progress.line(1.0).endswith("time left unknown")


def test_a_log_gets_a_line_only_now_and_then(clock: Clock) -> None:
    log = io.StringIO()
    progress = Progress(120, stream=log, clock=clock)
    for _ in range(120):
        clock.now_s += 0.25
        progress.count(passed=True)
    progress.finish()
    assert len(log.getvalue().splitlines()) == 4
    assert "\r" not in log.getvalue()


def test_a_terminal_gets_one_line_that_changes(clock: Clock) -> None:
    terminal = Terminal()
    progress = Progress(20, stream=terminal, clock=clock)
    for _ in range(20):
        clock.now_s += 0.2
        progress.count(passed=True)
    progress.finish()
    assert terminal.getvalue().count("\n") == 1
    assert terminal.getvalue().count("\r") == 21


def test_a_note_does_not_stick_to_the_line(clock: Clock) -> None:
    terminal = Terminal()
    progress = Progress(2, stream=terminal, clock=clock)
    clock.now_s += 1
    progress.count(passed=True)
    progress.note("mind the gap")
    assert terminal.getvalue().endswith("\r\x1b[Kmind the gap\n")


@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(28, "No space left on device")])
def test_a_closed_or_full_stderr_does_not_end_the_work(clock: Clock, error: OSError) -> None:
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise error

    progress = Progress(1, stream=Closed(), clock=clock)
    progress.count(passed=True)
    progress.finish()


def test_nothing_is_drawn_before_judging_has_begun(clock: Clock) -> None:
    log = io.StringIO()
    progress = Progress(13, stream=log, clock=clock)
    progress.finish()
    assert log.getvalue() == ""
    progress.begin()
    progress.finish()
    assert log.getvalue() == "0 of 13 samples, 0 passed, time left unknown\n"


def test_the_clock_runs_from_the_beginning_of_judging(clock: Clock) -> None:
    progress = Progress(2, stream=io.StringIO(), clock=clock)
    clock.now_s = 60.0
    progress.begin()
    progress.count(passed=True)
    assert progress.line(61.0).startswith("1 of 2 samples, 1.0/s")


def test_samples_of_invalid_problems_are_not_waited_for(clock: Clock) -> None:
    progress = Progress(3, stream=io.StringIO(), clock=clock)
    progress.leave_out(2)
    progress.count(passed=True)
    assert progress.line(1.0) == "1 of 1 sample, 1.0/s, 1 passed, 0:01 in all"


def test_a_run_with_nothing_left_to_judge_shows_no_rate(clock: Clock) -> None:
    progress = Progress(2, stream=io.StringIO(), clock=clock)
    progress.reuse(passed=True)
    progress.reuse(passed=False)
    assert progress.line(1.0) == "2 of 2 samples, 1 passed, nothing was left to judge"


def test_a_verdict_that_is_replaced_takes_its_pass_with_it(clock: Clock) -> None:
    progress = Progress(1, stream=io.StringIO(), clock=clock)
    progress.reuse(passed=True)
    progress.again(passed=True)
    progress.count(passed=False)
    assert progress.line(1.0).startswith("1 of 1 sample, 1.0/s, 0 passed")


def test_no_time_is_promised_for_a_few_that_may_take_their_whole_limit(clock: Clock) -> None:
    progress = Progress(1_000, stream=io.StringIO(), clock=clock)
    for _ in range(997):
        progress.count(passed=True)
    assert progress.line(1.0).endswith("997 passed, waiting for 3")
    assert progress.line(3_000.0).endswith("997 passed, waiting for 3")


def test_the_time_left_follows_the_rate_of_the_last_seconds_where_that_has_fallen(clock: Clock) -> None:
    progress = Progress(1_030, stream=io.StringIO(), clock=clock)
    for _ in range(1_000):
        progress.count(passed=True)
    for _ in range(4):
        clock.now_s += 5.0
        progress.count(passed=False)
    assert progress.line(clock.now_s).endswith("1,000 passed, 2:10 left")


def test_samples_in_doubt_are_not_waited_for_but_counted(clock: Clock) -> None:
    progress = Progress(1_000, stream=io.StringIO(), clock=clock)
    for _ in range(500):
        progress.count(passed=True)
    progress.in_doubt(5, 0, 0)
    assert progress.line(1.0).endswith("500 passed, 5 over time, waiting for 495")
    assert progress.line(10.0).endswith("500 passed, 5 over time, 0:10 left")
    for _ in range(495):
        progress.count(passed=True)
    assert progress.line(10.0).endswith("995 passed, 5 over time")


def test_what_is_judged_again_is_counted_and_promises_no_time(clock: Clock) -> None:
    terminal = Terminal()
    progress = Progress(100, stream=terminal, clock=clock)
    for _ in range(97):
        progress.count(passed=True)
    for done in range(2):
        progress.in_doubt(3 - done, done, 2)
        told = f"judging time limits again, alone: {done + 1} of 2"
        assert terminal.getvalue().endswith(f"97 passed, {told}") or done
        assert progress.line(50.0).endswith(told)
        progress.count(passed=False)
    progress.count(passed=False)
    progress.in_doubt(0, 0, 0)
    assert progress.line(50.0).endswith("97 passed, 0:50 in all")
