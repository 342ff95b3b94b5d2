"""One run as the judge sees it: what goes out, what comes back, and that nothing but the program's own output can pass."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import msgspec
import pytest

from assay.judge.prepared import Unusable
from assay.judge.runs import SPARE_BYTES, Run, are_runs, judge_run, prepare_runs
from assay.judge.wire import codec
from assay.records import AssertTests, Checker, Limits, Problem, StdioCase, StdioTests

GROUPS = ("base", "plus")
SECRET = "what-should-be-printed"


def plain(*tests, **fields):
    given = {"id": "p", "prompt": "?", "tests": tests, "limits": Limits(output_kib=1)}
    return msgspec.to_builtins(Problem(**(given | fields)))


def stdio(*cases: tuple[str, str], **fields) -> StdioTests:
    return StdioTests(cases=tuple(StdioCase(stdin=i, stdout=o) for i, o in cases), **fields)


class Clock:
    def __init__(self):
        self.log = []

    def start(self):
        self.log.append("start")

    def stop(self):
        self.log.append("stop")


class Peer:
    """The process's side, in a thread: takes the header and the input, then does as it is told."""

    def __init__(self, act, hang_up_early: bool = False):
        self.judge, self.mine = socket.socketpair()
        self.seen = b""
        self.header = None
        self._act = act
        self._early = hang_up_early
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def _live(self):
        with self.mine:
            if self._early:
                return
            length = int.from_bytes(self._exactly(4), "little")
            self.header = codec.decode(self._exactly(length))
            self._exactly(self.header[3])
            self._act(self)

    def _exactly(self, n):
        data = self.mine.recv(n, socket.MSG_WAITALL) if n else b""
        self.seen += data
        return data

    def answer(self, message, fds=(), tail=b""):
        data = codec.encode(message) if not isinstance(message, bytes) else message
        socket.send_fds(self.mine, [len(data).to_bytes(4, "little") + data + tail], list(fds))

    def print(self, output: bytes, message=("ready",)):
        drain, out = os.pipe()
        self.answer(message, [drain])
        os.close(drain)
        self.mine.close()
        try:
            rest = memoryview(output)
            while rest:
                rest = rest[os.write(out, rest) :]
        except BrokenPipeError:
            pass
        os.close(out)

    def end(self):
        self._thread.join(20)
        assert not self._thread.is_alive()


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def judged(act, *, problem=None, run=Run("source", 7, 0, 0), **peer):  # noqa: B008 (an immutable tuple, made once)
    problem = problem or plain(stdio(("in\n", SECRET)))
    runs = prepare_runs(problem, GROUPS)
    one, clock = Peer(act, **peer), Clock()
    before = descriptors()
    with one.judge:
        clock.start()
        report = judge_run(runs, run, one.judge, clock)
    one.end()
    assert clock.log[-1] == "start"
    assert descriptors() <= before
    return report, one


def test_right_output_passes_and_the_expected_output_stays_here():
    report, peer = judged(lambda peer: peer.print(SECRET.encode() + b"\n"))
    assert report == {"letter": "P"}
    assert peer.header == ("stdio", "source", 7, 3)
    assert peer.seen.endswith(b"in\n")
    assert SECRET.encode() not in peer.seen


def test_wrong_output_is_told_with_its_input():
    report, _ = judged(lambda peer: peer.print(b"else\n"))
    assert report == {
        "letter": "W",
        "failure": {
            "letter": "W",
            "call": "input 'in\\n'",
            "expected": repr(SECRET),
            "got": "'else'",
            "message": "line 1 of the output",
        },
    }


def test_a_program_that_can_not_be_compiled_is_told_with_its_text():
    report, _ = judged(lambda peer: peer.answer(("syntax", "SyntaxError: no\x1b", 3)))
    assert report == {"letter": "X", "load": ("syntax", "SyntaxError: no\\x1b")}


@pytest.mark.parametrize(
    "act",
    [
        lambda peer: peer.mine.close(),
        lambda peer: peer.answer(("ready",)),
        lambda peer: peer.print(SECRET.encode(), ("passed",)),
        lambda peer: peer.print(SECRET.encode(), ("ran", {"letter": "P"})),
        lambda peer: peer.print(SECRET.encode(), ["ready"]),
        lambda peer: peer.print(SECRET.encode(), b"\xff\xff"),
        lambda peer: peer.mine.send(b"\x05"),
        lambda peer: peer.mine.sendall((1 << 30).to_bytes(4, "little") + b"x" * 3_000_000),
    ],
    ids=[
        "hangs up",
        "no descriptor",
        "another word",
        "a report",
        "no tuple",
        "no frame",
        "half a frame",
        "endless frame",
    ],
)
def test_an_answer_that_is_none_is_a_process_that_was_lost(act):
    def tried(peer):
        try:
            act(peer)
        except OSError:
            return  # the judge has had enough

    assert judged(tried)[0] == {"letter": "X", "ended": "lost"}


def test_a_process_that_dies_before_it_has_read_is_lost():
    report, _ = judged(lambda _: None, problem=plain(stdio(("z" * 3_000_000, ""))), hang_up_early=True)
    assert report == {"letter": "X", "ended": "lost"}


def test_too_much_is_a_flood_and_the_expected_output_makes_room():
    report, _ = judged(lambda peer: peer.print(b"x" * (SPARE_BYTES + 2000)))
    assert report == {"letter": "X", "ended": "flood"}
    long = "y" * 200_000
    report, _ = judged(lambda peer: peer.print(long.encode() + b"\n" * 190_000), problem=plain(stdio(("", long))))
    assert report == {"letter": "P"}


def test_a_run_is_that_of_its_unit_and_case():
    problem = plain(stdio(("a", "1"), ("b", "2")), stdio(("c", "3"), group="plus", checker=Checker(name="exact")))
    for run, answer in ((Run("s", 0, 0, 1), b"2 "), (Run("s", 0, 1, 0), b"3")):
        assert judged(lambda peer, answer=answer: peer.print(answer), problem=problem, run=run)[0] == {"letter": "P"}
    assert prepare_runs(problem, GROUPS).totals == (2, 1)
    assert prepare_runs(problem, ("base",)).totals == (2,)


def test_input_and_output_may_hold_lone_surrogates():
    report, peer = judged(lambda peer: peer.print(b"\xed\xa0\xbd"), problem=plain(stdio(("\ud83d", "\ud83d"))))
    assert report == {"letter": "P"}
    assert peer.seen.endswith(b"\xed\xa0\xbd")


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ((stdio(),), "no cases"),
        ((stdio(("", ""), checker=Checker(name="tokenz")),), "checker 'tokenz' is unknown"),
        ((stdio(("", ""), checker=Checker(name="custom", source="1 +")),), "checker is not valid Python"),
    ],
)
def test_a_problem_that_can_not_be_judged_says_why(tests, reason):
    with pytest.raises(Unusable, match=reason):
        prepare_runs(plain(*tests), GROUPS)


def test_runs_are_told_from_other_tests_and_never_mixed_with_them():
    asserts = AssertTests(cases=("assert f(1)",))
    assert are_runs(plain(stdio(("", ""))), GROUPS)
    assert not are_runs(plain(asserts), GROUPS)
    assert are_runs(plain(stdio(("", "")), AssertTests(cases=("assert f(1)",), group="challenge")), GROUPS)
    with pytest.raises(Unusable, match="mixes"):
        are_runs(plain(stdio(("", "")), asserts), GROUPS)
