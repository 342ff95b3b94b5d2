"""Input and output go through at the same time, whoever reads or writes first, and never more than is allowed."""

from __future__ import annotations

import os
import threading

import pytest

from assay.judge.pump import pump

PLENTY = 1 << 30


class Clock:
    """Keeps who had the ball."""

    def __init__(self):
        self.log = []

    def start(self):
        self.log.append("start")

    def stop(self):
        self.log.append("stop")


def play(program, given: bytes = b"", cap: int = PLENTY, *, piped: bool = True):
    """Pumps with a program that runs in a thread, as `program(read, write)` of its own two descriptors, which it closes."""
    stdin, feed = os.pipe()
    drain, stdout = os.pipe()
    if not piped:
        os.close(feed)
    thread = threading.Thread(target=program, args=(stdin, stdout))
    thread.start()
    clock = Clock()
    try:
        return pump(feed if piped else None, drain, given, cap, clock)
    finally:
        thread.join(20)
        assert not thread.is_alive()
        assert clock.log == ["stop", "start"]
        for fd in (*([feed] if piped else []), drain):
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(fd)


def close(*fds: int) -> None:
    for fd in fds:
        os.close(fd)


def read_all(fd: int) -> bytes:
    data = b""
    while chunk := os.read(fd, 1 << 16):
        data += chunk
    return data


def write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


MUCH = b"0123456789abcdef" * 400_000


def test_what_is_given_comes_back():
    def echo(stdin, stdout):
        while chunk := os.read(stdin, 1 << 16):
            write_all(stdout, chunk)
        close(stdin, stdout)

    assert play(echo, MUCH) == (MUCH, False)


def test_a_program_may_print_all_before_it_reads():
    def late(stdin, stdout):
        write_all(stdout, MUCH)
        write_all(stdout, b"%d" % len(read_all(stdin)))
        close(stdin, stdout)

    assert play(late, MUCH).output == MUCH + b"6400000"


@pytest.mark.parametrize("given", [b"", b"x", MUCH])
def test_a_program_need_not_read(given):
    def deaf(stdin, stdout):
        close(stdin)
        write_all(stdout, b"out")
        close(stdout)

    assert play(deaf, given) == (b"out", False)


def test_a_program_may_stop_reading_and_go_on():
    def picky(stdin, stdout):
        got = os.read(stdin, 10)
        close(stdin)
        write_all(stdout, got + MUCH)
        close(stdout)

    assert play(picky, MUCH).output == MUCH[:10] + MUCH


def test_the_end_of_the_output_is_the_end_though_input_is_left():
    def mute(stdin, stdout):
        close(stdout)
        os.read(stdin, 1)
        close(stdin)

    assert play(mute, MUCH) == (b"", False)


def test_input_that_is_no_pipe_is_not_fed():
    def alone(stdin, stdout):
        write_all(stdout, read_all(stdin) + b"!")
        close(stdin, stdout)

    assert play(alone, b"not sent", piped=False) == (b"!", False)


def test_too_much_is_cut_off():
    def flood(stdin, stdout):
        close(stdin)
        try:
            while True:
                os.write(stdout, b"x" * 10_000)
        except BrokenPipeError:
            close(stdout)

    output, over = play(flood, b"", cap=100_000)
    assert over
    assert 100_000 < len(output) < 3_000_000


def test_as_much_as_is_allowed_is_not_too_much():
    def exact(stdin, stdout):
        write_all(stdout, b"x" * 1000)
        close(stdin, stdout)

    assert play(exact, cap=1000) == (b"x" * 1000, False)
    assert play(exact, cap=999) == (b"x" * 1000, True)
