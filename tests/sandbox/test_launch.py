"""Servers that are started together share an interpreter's start, and nothing else."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import time
from itertools import combinations
from pathlib import Path

import pytest
from families import children, gone, lives, processes_below

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandbox import ClockPage, ForkServer, ServerSpec

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
        return [server._process.pid for server in self.servers]

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


def zombies():
    """Children of this process that ended and that nobody has waited for."""
    return [pid for pid in children(os.getpid()) if not lives(pid)]


def held_by(pid):
    """The sockets, pipes and memory files that a process has open."""
    opened = [path.stat() for path in Path(f"/proc/{pid}/fd").iterdir()]
    return {
        (each.st_dev, each.st_ino)
        for each in opened
        if stat.S_IFMT(each.st_mode) in (stat.S_IFSOCK, stat.S_IFIFO, stat.S_IFREG)
    }


def test_each_serves_and_ends_by_itself(rows):
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

    def heap(pid):
        return re.search(r"^\S+(?= .*\[stack\])", Path(f"/proc/{pid}/maps").read_text(), re.MULTILINE).group()

    first, second, judge, other_judge = map(heap, rows(2, 2).wait().pids)
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
def test_one_that_is_killed_takes_no_other_with_it(rows, which):
    row = rows(2).wait()
    victim, other = row.servers[which], row.servers[1 - which]
    victim._process.kill()
    assert victim._speaks_within(30)
    with pytest.raises(SandboxError, match=r"died \(status -9\)"):
        victim.receive()
    victim.close()
    assert said_by(other)[0] == 0
    assert zombies() == []


def test_one_that_is_killed_while_it_starts_is_the_end_of_all_that_would_have_come_from_it(rows):
    row = rows(2)
    row.servers[0]._process.kill()
    for server, status in zip(row.servers, ("-9", "None"), strict=True):
        with pytest.raises(SandboxError, match=rf"died \(status {status}\)"):
            server.wait_ready()
    assert zombies() == []


def test_servers_that_are_given_up_before_they_are_ready_leave_nothing(rows):
    row = rows(2, 2)
    for server in row.servers:
        server.hang_up()
    for server in row.servers:
        server.close()
    assert all(server._process is not None for server in row.servers)
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


def test_an_interpreter_that_is_not_there_costs_no_descriptor():
    clock = ClockPage.create(1)
    there = {path.name for path in Path("/proc/self/fd").iterdir()}
    right = ServerSpec(role="agent", entry=PLAIN, slots=1)
    wrong = ServerSpec(role="judge", entry=PLAIN, slots=1, python="/no/such/python")
    with pytest.raises(OSError, match="/no/such/python"):
        ForkServer.launch([(right, clock.fileno()), (wrong, clock.fileno())])
    assert {path.name for path in Path("/proc/self/fd").iterdir()} == there
    clock.close()
    assert zombies() == []
