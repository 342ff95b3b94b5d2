"""An ear compares what comes with what is wanted, byte for byte, and says when that is settled."""

from __future__ import annotations

import os
import socket
import time

import pytest

from assay.sandbox.inside.ear import LEAVING_NS, Ear
from assay.sandbox.inside.protocol import Lines

LINES = Lines(b"what?", b"yes, and yes", b"sure?", b"sure")
NO_QUESTIONS = LINES._replace(questions=b"", answers=b"")
SECOND_NS = 1_000_000_000


@pytest.fixture
def begin():
    """Begins to listen; gives the ear and the child's end of its socket."""
    begun = []

    def make(lines):
        ear = Ear(lines)
        child = socket.socket(fileno=ear.session)
        begun.append((ear, child))
        return ear, child

    yield make
    for ear, child in begun:
        ear.close()
        child.close()


def state(ear):
    return [name for name in ("agreed", "strange", "given_up") if getattr(ear, name)]


@pytest.mark.parametrize("piece", [1, 5, 100])
@pytest.mark.parametrize("lines", [LINES, NO_QUESTIONS], ids=["questions", "no questions"])
def test_who_says_all_that_is_wanted_agrees(begin, lines, piece):
    ear, child = begin(lines)
    assert child.recv(100) == lines.opening
    for line in (lines.replies, lines.answers) if lines.questions else (lines.replies,):
        for at in range(0, len(line), piece):
            assert not ear.agreed
            child.sendall(line[at : at + piece])
            settled = ear.listen()
        if line == lines.replies and lines.questions:
            assert not settled
            assert child.recv(100) == lines.questions
    assert settled
    assert state(ear) == ["agreed"]
    assert (ear.asked_s > 0) is bool(lines.questions)
    assert child.recv(100, socket.MSG_DONTWAIT) == b"" if ear.close() else True


@pytest.mark.parametrize("lines", [LINES, NO_QUESTIONS], ids=["questions", "no questions"])
@pytest.mark.parametrize("place", range(len(LINES.replies)))
def test_another_byte_is_strange_wherever_it_stands(begin, lines, place):
    ear, child = begin(lines)
    said = lines.replies[:place] + b"!" + lines.replies[place + 1 :]
    child.sendall(said)
    assert ear.listen()
    assert (state(ear), ear.heard) == (["strange"], said)


def test_more_than_is_wanted_is_strange(begin):
    ear, child = begin(LINES)
    child.sendall(LINES.replies + b"!")
    assert ear.listen()
    assert (state(ear), ear.heard) == (["strange"], LINES.replies + b"!")


@pytest.mark.parametrize("said", [b"", b"yes"])
def test_a_child_that_hangs_up_before_is_strange(begin, said):
    ear, child = begin(LINES)
    child.recv(100)
    child.sendall(said)
    assert not said or not ear.listen()
    child.close()
    assert ear.listen()
    assert (state(ear), ear.heard) == (["strange"], said)


def test_a_child_that_dies_with_the_opening_unread_is_strange(begin):
    ear, child = begin(LINES)
    child.close()
    assert ear.listen()
    assert state(ear) == ["strange"]


@pytest.mark.parametrize("said", [b"sore", b"sure!", None])
def test_who_answers_the_questions_otherwise_is_given_up(begin, said):
    ear, child = begin(LINES)
    child.sendall(LINES.replies)
    assert not ear.listen()
    child.close() if said is None else child.sendall(said)
    assert ear.listen()
    assert state(ear) == ["given_up"]


def test_nothing_has_come_yet(begin):
    ear, _ = begin(LINES)
    assert not ear.listen()
    assert not state(ear)
    assert not ear.is_late(time.monotonic_ns() + 3600 * SECOND_NS), "its own limits see to that"


def test_questions_and_leaving_have_their_time(begin):
    ear, child = begin(LINES)
    child.sendall(LINES.replies)
    ear.listen()
    now = time.monotonic_ns()
    assert not ear.is_late(now)
    assert ear.is_late(now + SECOND_NS // 4)
    child.sendall(LINES.answers)
    ear.listen()
    now = time.monotonic_ns()
    assert not ear.is_late(now)
    assert ear.is_late(now + LEAVING_NS)


def test_what_is_said_and_not_read_stays_in_the_session(begin):
    ear, child = begin(LINES)
    child.sendall(b"no" * 10_000)
    assert ear.listen()
    left = socket.socket(fileno=os.dup(ear.fd))
    ear.close()
    with left:
        child.shutdown(socket.SHUT_WR)
        said = ear.heard
        while more := left.recv(65536):
            said += more
    assert said == b"no" * 10_000


def test_an_opening_that_does_not_fit_is_no_fault_of_the_childs(begin):
    """A machine's sockets may have smaller buffers than usual. The child, which waits for the rest, is run again, and judged."""
    ear, _ = begin(LINES._replace(opening=b"x" * 10_000_000))
    assert ear.is_late(time.monotonic_ns())
    assert ear.give_up()
    assert state(ear) == ["given_up"]
