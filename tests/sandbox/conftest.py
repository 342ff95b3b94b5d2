"""Servers at every level that this machine gives, and a room that runs one source text a child in them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from assay.records import Limits
from assay.sandbox import ClockPage, ForkServer, ServerSpec, probe

PLAIN = str(Path(__file__).parent / "entries" / "plain.py")
SLOTS = 2
PATIENCE_S = 30


class Room:
    """A server, its clock page and what came back."""

    def __init__(self, **spec):
        self.clock = ClockPage.create(SLOTS)
        self.server = ForkServer.start(
            ServerSpec(**{"role": "agent", "entry": PLAIN, "slots": SLOTS, **spec}), self.clock.fileno()
        )
        self.level = self.server.isolation.level
        self._id = 0
        self._sessions = {}
        self._done = {}

    def begin(self, source, slot=0, *, alone=False, **limits):
        """Starts a child; its id."""
        self._id += 1
        ours, theirs = socket.socketpair()
        self._sessions[self._id] = ours
        with theirs:
            self.server.spawn(self._id, slot, Limits(**limits), theirs.fileno(), alone=alone)
        with contextlib.suppress(BrokenPipeError):  # a server that is gone has closed the other end; `end` tells
            ours.sendall(source.encode())
            ours.shutdown(socket.SHUT_WR)
        return self._id

    def end(self, child_id):
        """Waits for a child; `(facts, what it said)`."""
        while child_id not in self._done:
            ready, _, _ = select.select([self.server], [], [], PATIENCE_S)
            assert ready, "no facts came"
            for found in self.server.receive():
                self._done[found[0]] = found[1]
        session = self._sessions.pop(child_id)
        session.settimeout(PATIENCE_S)
        said = b""
        with session, contextlib.suppress(ConnectionResetError):  # it died before it had read all of its source
            while more := session.recv(65536):
                said += more
        return self._done.pop(child_id), [json.loads(line) for line in said.splitlines()]

    def run(self, source, slot=0, *, alone=False, **limits):
        """Runs a child to its end; `(facts, what it said)`."""
        return self.end(self.begin(source, slot, alone=alone, **limits))

    def say(self, source, **limits):
        """What a child said, which must have ended well."""
        facts, said = self.run(source, **limits)
        assert facts.exit_code == 0, facts
        return said

    def session(self, child_id):
        """Our end of a child's session."""
        return self._sessions[child_id]

    def close(self):
        for session in self._sessions.values():
            session.close()
        self.server.close()
        self.clock.close()


def readable_python():
    """An interpreter that an unprivileged user can run, None where there is none."""
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        real = os.path.realpath(path)
        parents = Path(real).parents
        if Path(real).exists() and all(parent.stat().st_mode & 0o001 for parent in parents):
            return real
    return None


@pytest.fixture(scope="session")
def doctor():
    return probe()


def open_room(level):
    """A room at the level, skipping where this machine can't give it."""
    best = probe().level
    if level > best:
        pytest.skip(f"this machine gives {best}")
    if level == "L3" and os.geteuid() == 0:
        python = readable_python() or pytest.skip("no interpreter that an unprivileged user could read")
        return Room(without=("two uids",), python=python)
    return Room(without=() if level == best else ("namespaces",))


@pytest.fixture(scope="module", params=["L4", "L3", "L2"])
def room(request):
    """A room at each level."""
    opened = open_room(request.param)
    assert opened.level == request.param
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=["L4", "L3"])
def jail(request):
    """A room at each level that has namespaces."""
    opened = open_room(request.param)
    assert opened.level == request.param
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def best_room():
    """A room at the best level of this machine."""
    opened = Room()
    yield opened
    opened.close()


@pytest.fixture
def open_rooms():
    """Opens rooms that are closed after the test."""
    opened = []

    def open_one(**spec):
        opened.append(Room(**spec))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def setpriv():
    """The command that runs another as an ordinary user."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv")
    return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


@pytest.fixture(scope="session")
def unprivileged_python():
    """An interpreter that an ordinary user can run and that can load this one's packages."""
    python = readable_python() or pytest.skip("no interpreter that an ordinary user could run")
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    if version.stdout.strip() != str(sys.version_info[:2]):
        pytest.skip(f"{python} can't load this interpreter's packages")
    return python


@pytest.fixture
def unified():
    """Where version 2 of cgroups is mounted, with or without controllers."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, tail = line.partition(" - ")
        if tail.startswith("cgroup2 "):
            return Path(fields.split()[4])
    pytest.skip("version 2 of cgroups is not mounted here")
