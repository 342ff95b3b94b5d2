"""A child that has lines: who says them needs nobody, who says anything else is handed over whole, and nobody outlives a limit."""

from __future__ import annotations

import select
import time
from collections import deque
from pathlib import Path

import pytest

from assay.errors import SandboxError
from assay.records import Limits, StoppedBy
from assay.sandbox import ClockPage, Ended, ForkServer, Handover, Lines, ServerSpec

ENTRY = str(Path(__file__).parent / "entries" / "talker.py")
SLOTS, PATIENCE_S = 3, 30
YES = Lines(b"say('yes')\n", b"yes", b"say('sure')\n", b"sure")
PLAIN = YES._replace(questions=b"", answers=b"")


class Stage:
    """A server of talkers."""

    def __init__(self):
        self._clock = ClockPage.create(SLOTS)
        self._server = ForkServer.start(ServerSpec(role="agent", entry=ENTRY, slots=SLOTS), self._clock.fileno())
        self._last = 0
        self._told = deque()

    def begin(self, lines, slot=0, **limits):
        """Starts a child; its id."""
        self._last += 1
        self._server.spawn_to_say(self._last, slot, Limits(**limits), lines)
        return self._last

    def told(self):
        """What the server tells next."""
        while not self._told:
            ready, _, _ = select.select([self._server], [], [], PATIENCE_S)
            assert ready, "nothing came"
            self._told.extend(self._server.receive())
        return self._told.popleft()

    def run(self, lines, **limits):
        """All that the server tells of one child and of those that follow it, up to the last one's end."""
        child_id, told = self.begin(lines, **limits), []
        while not told or not isinstance(told[-1], Ended) or told[-1].followed:
            told.append(self.told())
        assert {each.child_id for each in told} == {child_id}
        return told

    def kill(self, child_id):
        self._server.kill(child_id)

    def close(self):
        self._server.close()
        self._clock.close()


@pytest.fixture(scope="module")
def stage():
    opened = Stage()
    yield opened
    opened.close()


@pytest.mark.parametrize("lines", [YES, PLAIN], ids=["questions", "no questions"])
@pytest.mark.parametrize(
    "opening",
    [b"say('yes')\n", b"say('y'); time.sleep(0.05); say('es')\n", b"os.write(1, b'noise'); say('yes')\n"],
    ids=["at once", "in pieces", "with output"],
)
def test_who_says_its_lines_ends_by_itself(stage, lines, opening):
    (ended,) = stage.run(lines._replace(opening=opening))
    assert (ended.kept, ended.agreed) == (True, True)
    assert (ended.facts.exit_code, ended.facts.killed, ended.facts.stopped_by) == (0, False, None)
    assert (ended.asked_s > 0) is bool(lines.questions)
    assert ("noise" in ended.facts.stdout) is (b"noise" in opening)


@pytest.mark.parametrize(
    ("opening", "heard"),
    [(b"say('no')\n", b"no"), (b"say('yes!')\n", b"yes!"), (b"say('yes' * 20_000)\n", b"yes" * 20_000)],
    ids=["another", "more", "far more"],
)
def test_who_says_something_else_is_handed_over_and_goes_on(stage, opening, heard):
    child_id = stage.begin(YES._replace(opening=opening))
    handover = stage.told()
    assert isinstance(handover, Handover)
    said = handover.heard
    with handover.session as session:
        session.settimeout(PATIENCE_S)
        while len(said) < len(heard):
            said += session.recv(65536)
        assert said == heard
        session.sendall(b"say('still here')\n")
        assert session.recv(100) == b"still here"
    ended = stage.told()
    assert (ended.child_id, ended.agreed, ended.facts.exit_code) == (child_id, False, 0)


@pytest.mark.parametrize(
    ("opening", "heard", "wanted"),
    [
        (b"os._exit(5)\n", b"", {"exit_code": 5}),
        (b"say('ye'); os._exit(5)\n", b"ye", {"exit_code": 5}),
        (b"say('ye')\nfor _ in iter(int, 1): pass\n", b"ye", {"stopped_by": StoppedBy.TIME}),
        (b"say('ye'); time.sleep(60)\n", b"ye", {"stopped_by": StoppedBy.TIME}),
        (b"say('ye'); x = b'1' * (400 << 20); time.sleep(60)\n", b"ye", {"stopped_by": StoppedBy.MEMORY}),
    ],
    ids=["mute", "half-way", "computes", "sleeps", "too much memory"],
)
def test_who_ends_before_it_has_said_all_is_handed_over_with_all_it_said(stage, opening, heard, wanted):
    *before, ended = stage.run(YES._replace(opening=opening), time_s=0.4, memory_mib=128)
    assert not ended.kept
    (handover,) = before or [None]
    with handover.session as session:
        session.settimeout(PATIENCE_S)
        said = handover.heard
        try:
            while more := session.recv(100):
                said += more
        except ConnectionResetError:  # it had not read all that was said to it
            pass
    assert said == heard
    assert {name: getattr(ended.facts, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("questions", "killed"),
    [
        (b"say('sore')\n", True),
        (b"say('sure!')\n", True),
        (b"os._exit(0)\n", None),
        (b"time.sleep(60)\n", True),
        (b"exec('while True: pass')\n", True),
    ],
    ids=["another", "more", "none", "sleeps", "loops"],
)
def test_who_answers_the_questions_otherwise_is_ended_soon(stage, questions, killed):
    (ended,) = stage.run(YES._replace(questions=questions), time_s=20.0)
    assert (ended.kept, ended.agreed, ended.facts.stopped_by) == (True, False, None)
    assert ended.asked_s > 0
    assert killed in (None, ended.facts.killed)  # one that goes by itself may be met on its way
    assert ended.facts.time_s < 5


def test_who_stays_when_all_is_said_is_ended(stage):
    (ended,) = stage.run(PLAIN._replace(opening=b"say('yes'); time.sleep(60)\n"))
    assert (ended.agreed, ended.facts.killed, ended.facts.stopped_by) == (True, True, None)
    assert ended.facts.time_s < 5


def test_a_child_that_lingers_does_not_take_the_next_ones_ear_with_it(stage):
    """The next child's socket gets the number of the first one's, which has hung up but not ended."""
    for wait_ms in range(20):  # somewhere among these it comes in between
        first = stage.begin(PLAIN._replace(opening=b"say('yes'); time.sleep(60)\n"), slot=0)
        time.sleep(wait_ms / 1000)
        second = stage.begin(PLAIN._replace(opening=b"time.sleep(0.05); say('yes')\n"), slot=1, time_s=1.0)
        told = [stage.told(), stage.told()]
        assert {each.child_id: isinstance(each, Ended) and each.agreed for each in told} == {first: True, second: True}


def test_a_child_that_is_no_longer_needed_is_handed_over_on_its_way_out(stage):
    child_id = stage.begin(YES._replace(opening=b"say('y'); time.sleep(60)\n"))
    stage.kill(child_id)
    handover, ended = stage.told(), stage.told()
    handover.session.close()
    assert (handover.heard or b"y", ended.agreed, ended.facts.killed) == (b"y", False, True)


SAY = PLAIN.opening


def row(*openings, lines=PLAIN):
    """Lines of children that come one after the other."""
    return lines._replace(opening=openings[0], further=openings[1:])


@pytest.mark.parametrize("lines", [YES, PLAIN], ids=["questions", "no questions"])
def test_a_row_of_children_is_told_of_one_by_one_in_order(stage, lines):
    ended = stage.run(row(*(b"os.write(1, b'%d'); say('yes')\n" % n for n in range(5)), lines=lines))
    assert [each.facts.stdout for each in ended] == ["0", "1", "2", "3", "4"]
    assert [(each.agreed, each.followed) for each in ended] == [(True, True)] * 4 + [(True, False)]
    assert all(each.facts.exit_code == 0 for each in ended)


def test_those_of_a_row_that_printed_nothing_are_told_together_unless_one_takes_its_time(stage):
    assert len(received_first(stage, row(*[SAY] * 3))) == 3
    assert len(received_first(stage, row(SAY, SAY, b"time.sleep(1); say('yes')\n"))) < 3


def received_first(stage, lines):
    stage.begin(lines)
    select.select([stage._server], [], [], PATIENCE_S)
    first = stage._server.receive()
    last = first[-1]
    while last.followed:
        last = stage.told()
    return first


def test_a_childs_time_begins_with_itself_not_with_its_row(stage):
    slow = b"time.sleep(0.3); say('yes')\n"
    ended = stage.run(row(slow, slow, slow), time_s=0.7)
    assert [(each.agreed, each.facts.stopped_by) for each in ended] == [(True, None)] * 3


@pytest.mark.parametrize(
    ("lines", "second"),
    [
        (PLAIN, b"os._exit(5)\n"),
        (PLAIN, b"say('no')\n"),
        (PLAIN, b"time.sleep(60)\n"),
        (PLAIN, b"say('yes!')\n"),
        (YES, b"os.write(1, b'2'); say('yes'); os._exit(0)\n"),
    ],
    ids=["ends", "another", "sleeps", "more", "no answers"],
)
def test_nobody_comes_after_one_that_has_not_said_all(stage, lines, second):
    child_id = stage.begin(row(SAY, second, b"os.write(1, b'third'); say('yes')\n", lines=lines), time_s=0.4)
    first, told = stage.told(), stage.told()
    assert (first.agreed, first.followed) == (True, True)
    if isinstance(told, Handover):
        told.session.close()
        told = stage.told()
    assert (told.child_id, told.agreed, told.followed) == (child_id, False, False)
    (other,) = stage.run(PLAIN)
    assert other.agreed
    assert not stage._server.receive()


def test_nobody_comes_after_one_that_is_over_a_limit_though_it_has_said_all(stage):
    first, second, *others = stage.run(
        row(SAY, b"say('yes'); os.write(1, b'x' * 5000); os.write(1, b'x' * 5000)\n", SAY), output_kib=5
    )
    assert (first.followed, second.agreed, second.facts.stopped_by, others) == (True, True, StoppedBy.OUTPUT, [])
    assert not second.followed


def test_one_that_stays_when_all_is_said_is_ended_and_the_next_one_comes(stage):
    first, second = stage.run(row(b"say('yes'); time.sleep(60)\n", SAY))
    assert (first.facts.killed, first.followed, second.agreed) == (True, True, True)


def test_a_row_that_is_no_longer_needed_goes_no_further(stage):
    child_id = stage.begin(row(b"say('y'); time.sleep(60)\n", SAY, SAY))
    stage.kill(child_id)
    handover, ended = stage.told(), stage.told()
    handover.session.close()
    assert (ended.facts.killed, ended.followed) == (True, False)


def test_rows_in_several_slots_are_told_apart(stage):
    ids = [stage.begin(row(*[SAY] * 4), slot=slot) for slot in range(SLOTS)]
    ended = [stage.told() for _ in range(4 * SLOTS)]
    for child_id in ids:
        assert [each.followed for each in ended if each.child_id == child_id] == [True, True, True, False]


def test_a_child_of_a_row_sees_nothing_of_the_one_before(stage):
    leaves = b"open('/tmp/left', 'w').write('x'); import os\nif not os.fork(): time.sleep(60)\nsay('yes')\n"
    looks = b"os.write(1, repr(os.listdir('/tmp')).encode()); say('yes')\n"
    first, second = stage.run(row(leaves, looks))
    assert (first.followed, second.facts.stdout) == (True, "[]")


def test_a_session_that_is_handed_over_is_not_inherited(stage):
    """A program that the engine's process starts meanwhile must not hold a sample's session open."""
    stage.begin(YES._replace(opening=b"say('no')\n"))
    with stage.told().session as session:
        assert not session.get_inheritable()
    assert isinstance(stage.told(), Ended)


def test_nobody_waits_where_nothing_is_told(stage):
    assert not stage._server.receive()


def test_a_server_that_is_gone_says_so():
    stage = Stage()
    stage.close()
    with pytest.raises(SandboxError):
        stage.begin(YES)
