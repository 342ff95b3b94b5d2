"""Servers that are started together share an interpreter's start, and nothing else."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path

import pytest
from families import children, gone, lives, processes_below

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandbox import ClockPage, ForkServer, ServerSpec
from assay.sandbox.inside import protocol
from assay.sandbox.launch import Launched

PLAIN = str(Path(__file__).parent / "entries" / "plain.py")


class Row:
    """Some agents' servers, and judges' where asked, launched at once; each with a clock of its own."""

    def __init__(self, agents, judges=0):
        specs = [ServerSpec(role="agent", entry=PLAIN, slots=1) for _ in range(agents)]
        specs += [ServerSpec(role="judge", entry=PLAIN, slots=1) for _ in range(judges)]
        self.clocks = [ClockPage.create(1) for _ in specs]
        self.servers = ForkServer.launch(
            [(spec, clock.fileno()) for spec, clock in zip(specs, self.clocks, strict=True)]
        )

    def wait(self):
        for server in self.servers:
            server.wait_ready()
        return self

    @property
    def pids(self):
        return [server._process.pid for server in self.servers if server._process is not None]

    def close(self):
        for each in (*self.servers, *self.clocks):
            each.close()


@pytest.fixture
def rows():
    made = []

    def make(agents, judges=0):
        made.append(Row(agents, judges))
        return made[-1]

    yield make
    for row in made:
        row.close()


def said_by(server):
    """What a child of the server says of itself."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        server.spawn(1, 0, Limits(), theirs.fileno())
        theirs.close()
        ours.settimeout(30)
        ours.sendall(b"say(6 * 7)")
        ours.shutdown(socket.SHUT_WR)
        said = b"".join(iter(lambda: ours.recv(4096), b""))
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for told in server.receive():
            return told.facts.exit_code, said
        time.sleep(0.01)
    raise AssertionError("nothing was told of the child's end")


@pytest.fixture
def zombies():
    """Lists the children of this process that ended since the test began and that nobody has waited for."""

    def ended():
        return {pid for pid in children(os.getpid()) if not lives(pid)}

    before = ended()
    return lambda: sorted(ended() - before)


def held_by(pid):
    """The sockets, pipes and memory files that a process has open."""
    opened = [path.stat() for path in Path(f"/proc/{pid}/fd").iterdir()]
    return {
        (each.st_dev, each.st_ino)
        for each in opened
        if stat.S_IFMT(each.st_mode) in (stat.S_IFSOCK, stat.S_IFIFO, stat.S_IFREG)
    }


def test_each_serves_and_ends_by_itself(rows, zombies):
    first, second, judge = rows(2, 1).wait().servers
    assert len({first._process.pid, second._process.pid, judge._process.pid}) == 3
    assert first.isolation == second.isolation
    assert said_by(second) == said_by(first)
    first.close()
    assert said_by(second)[0] == 0
    pids = processes_below(second._process.pid)
    second.close()
    assert gone(pids)
    assert lives(judge._process.pid)
    assert zombies() == []


def test_those_of_a_role_share_a_start_and_a_judge_lies_at_other_addresses(rows):
    if Path("/proc/sys/kernel/randomize_va_space").read_text().strip() == "0":
        pytest.skip("this machine gives every process the same addresses")

    def stack(pid):
        return re.search(r"^\S+(?= .*\[stack\])", Path(f"/proc/{pid}/maps").read_text(), re.MULTILINE).group()

    first, second, judge, other_judge = map(stack, rows(2, 2).wait().pids)
    assert first == second
    assert judge == other_judge
    assert first != judge


def test_none_holds_what_belongs_to_another(rows):
    row = rows(3).wait()
    held = [set().union(*map(held_by, processes_below(pid))) for pid in row.pids]
    for clock, mine in zip(row.clocks, held, strict=True):
        found = Path(f"/proc/self/fd/{clock.fileno()}").stat()
        assert (found.st_dev, found.st_ino) in mine
    assert [len(one & other) for one, other in combinations(held, 2)] == [0, 0, 0]


@pytest.mark.parametrize("which", [0, 1], ids=["the first", "a clone"])
def test_one_that_is_killed_takes_no_other_with_it(rows, which, zombies):
    row = rows(2).wait()
    victim, other = row.servers[which], row.servers[1 - which]
    victim._process.kill()
    assert victim._speaks_within(30)
    with pytest.raises(SandboxError, match=r"died \(status -9\)"):
        victim.receive()
    victim.close()
    assert said_by(other)[0] == 0
    assert zombies() == []


def test_one_that_is_killed_while_it_starts_is_the_end_of_all_that_would_have_come_from_it(rows, zombies):
    row = rows(2)
    row.servers[0]._process.kill()
    for server, status in zip(row.servers, ("-9", "None"), strict=True):
        with pytest.raises(SandboxError, match=rf"died \(status {status}\)"):
            server.wait_ready()
    assert zombies() == []


def test_servers_that_are_given_up_before_they_are_ready_leave_nothing(rows, zombies):
    row = rows(2, 2)
    for server in row.servers:
        server.hang_up()
    for server in row.servers:
        server.close()
    assert gone(row.pids)
    assert zombies() == []


def test_one_that_does_not_speak_in_time_is_ended(rows):
    row = rows(2)
    os.kill(row.servers[0]._process.pid, signal.SIGSTOP)
    try:
        with pytest.raises(SandboxError, match="didn't get ready within 0 s"):
            row.servers[1].wait_ready(0.0)
    finally:
        os.kill(row.servers[0]._process.pid, signal.SIGCONT)


def test_an_interpreter_that_is_not_there_costs_no_descriptor(zombies):
    clock = ClockPage.create(1)
    there = {path.name for path in Path("/proc/self/fd").iterdir()}
    right = ServerSpec(role="agent", entry=PLAIN, slots=1)
    wrong = ServerSpec(role="judge", entry=PLAIN, slots=1, python="/no/such/python")
    with pytest.raises(OSError, match="/no/such/python"):
        ForkServer.launch([(right, clock.fileno()), (wrong, clock.fileno())])
    assert {path.name for path in Path("/proc/self/fd").iterdir()} == there
    clock.close()
    assert zombies() == []


@pytest.fixture
def told():
    """A server whose messages the test writes itself, before it looks; gives it and the process that was cloned for it, which has ended."""
    made = []

    def make(*messages):
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words, other_words = os.pipe()
        os.close(other_words)
        clone = os.posix_spawn("/bin/true", ["true"], {})
        with theirs:
            for message in messages:
                theirs.send(protocol.pack_born(clone) if message == BORN else message)
        made.append(ForkServer("agent", Launched(control, io.FileIO(words), None)))
        return made[-1], clone

    yield make
    for server in made:
        server.close()


BORN, BROKEN = b"born", protocol.BROKEN + b'{"error": "no more"}'
READY = protocol.READY + b'{"level": "L4", "layers": []}'


@pytest.mark.parametrize("messages", [(BORN, BROKEN), (BROKEN, BORN), (BROKEN, BROKEN, BORN), (BORN, BORN)])
def test_a_clone_is_buried_in_whatever_order_it_and_its_end_are_told(told, messages):
    server, clone = told(*messages)
    with pytest.raises(SandboxError, match="no more" if BROKEN in messages else "status 0"):
        server.wait_ready(30)
    assert clone not in children(os.getpid())


def test_a_birth_that_is_told_twice_is_told_once(told):
    server, clone = told(BORN, READY, BORN)
    server.wait_ready(30)
    assert server._process.pid == clone
    assert server.receive() == ()


def test_an_end_that_is_interrupted_can_be_made_again(rows, monkeypatch, zombies):
    row = rows(2)
    meet = ForkServer._meet_launcher

    def interrupted(*_):
        monkeypatch.setattr(ForkServer, "_meet_launcher", meet)
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "_meet_launcher", interrupted)
    with pytest.raises(KeyboardInterrupt):
        row.servers[1].close()
    for server in row.servers:
        server.close()
    assert gone(row.pids)
    assert zombies() == []


ODD = """
import os, signal, sys
for number in map(int, sys.argv[2].split()):
    os.close(number)
signal.signal(signal.SIGCHLD, signal.SIG_IGN if sys.argv[3] == "ignored" else signal.SIG_DFL)
import assay
problem = {"id": "p", "prompt": "", "reference": "def f(x): return x", "tests": ["assert f(1) == 1"]}
rows = [{"problem_id": "p", "solution": f"# {n}\\ndef f(x): return {n}"} for n in range(4)]
found = assay.judge_samples([problem], rows, settings=assay.Settings(workers=2, cache=False))
with open(sys.argv[1], "w") as told:
    told.write(" ".join(verdict.outcome.value for verdict in found.verdicts))
"""


@pytest.mark.parametrize("closed", ["", "0 1 2", "1 2"])
@pytest.mark.parametrize("children_end", ["told", "ignored"])
def test_an_engine_with_odd_descriptors_and_signals_gets_its_verdicts(tmp_path, closed, children_end):
    """As daemons have them."""
    told = tmp_path / "told"
    subprocess.run([sys.executable, "-c", ODD, told, closed, children_end], check=True, stderr=subprocess.DEVNULL)
    assert told.read_text() == "wrong_answer passed wrong_answer wrong_answer"
