"""Runs hostile programs in one server, in a process of its own, and tells as JSON what came of each and what it left.

While a program runs in slot 0, a bystander runs in slot 1: it has files, memory and signal handlers that must stay as they are. Then an
observer looks round in either slot, and what it sees must be what it saw before the first program. The host is looked at too:
processes, mounts, descriptors, cgroups, IPC objects, files, and whether anything of its own was touched. A process of its own, so that
it can be an ordinary user's, and so that whatever is disowned becomes a child of this one.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import socket
import sys
import tempfile
from pathlib import Path

from hosts import Host, differences, names
from onlookers import BYSTANDER, BYSTANDER_SECRET, OBSERVER

from assay.records import Limits
from assay.sandbox import ClockPage, ForkServer, ServerSpec

HERE = Path(__file__).parent
SET_CHILD_SUBREAPER = 36
PATIENCE_S = 60
CALM = {"time_s": 30.0, "memory_mib": 128, "processes": 8}


class Room:
    """A server with two slots, and what came back."""

    def __init__(self, spec):
        self.clock = ClockPage.create(2)
        self.server = ForkServer.start(
            ServerSpec(role="agent", entry=str(HERE / "entry.py"), slots=2, **spec), self.clock.fileno()
        )
        self.launcher = self.server._process.pid
        self._id, self._sessions, self._done = 0, {}, {}

    def begin(self, program, slot, there):
        self._id += 1
        ours, theirs = socket.socketpair()
        with theirs:
            self.server.spawn(self._id, slot, Limits(**program["limits"]), theirs.fileno())
        asked = json.dumps({"source": program["source"], "name": program["name"], "there": there}).encode()
        ours.sendall(len(asked).to_bytes(4, "little") + asked)
        ours.settimeout(PATIENCE_S)
        self._sessions[self._id] = ours
        return self._id

    def session(self, number):
        return self._sessions[number]

    def end(self, number):
        """Waits for a child; how it ended and what it said."""
        while number not in self._done:
            ready, _, _ = select.select([self.server], [], [], PATIENCE_S)
            if not ready:
                raise TimeoutError("no facts came")
            for found in self.server.receive():
                self._done[found[0]] = found[1]
        facts, session, said = self._done.pop(number), self._sessions.pop(number), b""
        with session, contextlib.suppress(ConnectionResetError):  # it died before it had read all of its source
            while (more := session.recv(65536)) and len(said) < 1 << 20:
                said += more
        return {"ends": ending(facts), "said": lines(said), "stderr": facts.stderr, "peak_mib": facts.peak_mib}

    def run(self, program, slot, there):
        return self.end(self.begin(program, slot, there))

    def close(self):
        self.server.close()
        self.clock.close()


def ending(facts):
    """One word or two for how a child ended."""
    if facts.stopped_by is not None:
        return str(facts.stopped_by.value)
    return f"signal {facts.signal}" if facts.signal is not None else f"exit {facts.exit_code}"


def lines(said):
    """What a child said; what is no line of ours stays text."""
    found = []
    for line in said.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(f"garbage of {len(line)} bytes")
    return found


def children_of(pid):
    try:
        return [
            int(word)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for word in (task / "children").read_text().split()
        ]
    except OSError:
        return []


def below(pid):
    """All living descendants, zombies too."""
    found, pending = [], children_of(pid)
    while pending:
        found.append(pending.pop())
        pending += children_of(found[-1])
    return sorted(found)


def count(folder):
    try:
        return len(names(folder))
    except PermissionError:
        return None


def text(path):
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError as error:
        return type(error).__name__


def cgroups():
    """The directories of memory cgroups of ours."""
    found = []
    for line in text("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        path = path.removesuffix("/assay-outside")  # in version 2 this process is moved there meanwhile
        for mount in (f"/sys/fs/cgroup/{controllers}", "/sys/fs/cgroup"):
            folder = Path(mount + path)
            if folder.is_dir():
                found += [entry.name for entry in folder.iterdir() if entry.name.startswith("assay-")]
    return sorted(found)


def strays():
    """What lies in the folders that everybody may write to, of users that only samples have."""
    found = []
    for folder in ("/tmp", "/dev/shm", "/var/tmp", "/dev/mqueue"):
        for entry in os.scandir(folder) if Path(folder).is_dir() else ():
            try:
                if entry.stat(follow_symlinks=False).st_uid > 60_000 and not entry.name.startswith("assay-escapes-"):
                    found.append(entry.path)
            except FileNotFoundError:
                continue
    return sorted(found)


def machine(room):
    """What the machine holds of this server: none of it may have grown when a program has ended."""
    server = (children_of(room.launcher) or [0])[0]
    mounts = text(f"/proc/{server}/mountinfo")
    slots = f"/proc/{server}/root/slots"
    return {
        "processes": below(room.launcher),
        "orphans": [pid for pid in children_of(os.getpid()) if pid != room.launcher],
        "descriptors": [count("/proc/self/fd"), count(f"/proc/{room.launcher}/fd"), count(f"/proc/{server}/fd")],
        "mounts": [len(mounts.splitlines()), len(text("/proc/self/mountinfo").splitlines())],
        "threads": [len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in below(room.launcher)],
        "cgroups": [name for name in cgroups() if name == f"assay-{room.launcher}"],
        "IPC objects": [text(f"/proc/sysvipc/{kind}") for kind in ("msg", "sem", "shm")],
        "files": strays(),
        "slots": sorted(str(path) for path in Path(slots).rglob("*")) if os.access(slots, os.R_OK) else None,
    }


class Theatre:
    """One room on one host, and what both looked like when nothing had happened yet."""

    def __init__(self, spec, host):
        self.room, self.host = Room(spec), host
        self.level = self.room.server.isolation.level
        self.jailed = "namespaces" in self.room.server.isolation.layers
        self.there = {**host.there(), "bystander": BYSTANDER_SECRET, "jailed": self.jailed, "level": self.level}
        self._see_worlds()
        self.worlds = self._see_worlds()
        self.machine = machine(self.room)

    def _see_worlds(self):
        program = {"name": "observer", "source": OBSERVER, "limits": CALM}
        return [self.room.run(program, slot, self.there) for slot in (0, 1)]

    def show(self, program):
        """Runs one program; what it said, how it ended, what became of the bystander, the next samples and the host."""
        bystander = self.room.begin({"name": "bystander", "source": BYSTANDER, "limits": CALM}, 1, self.there)
        self.room.session(bystander).recv(100)
        pids = below(self.room.launcher)
        there = {**self.there, "pids": [self.room.launcher, *pids], "tried": sorted({*range(2, 30), *pids})}
        told = self.room.run(program, 0, there)
        with contextlib.suppress(BrokenPipeError):
            self.room.session(bystander).send(b"!")
        stood = self.room.end(bystander)
        worlds = self._see_worlds()
        told["bystander"] = bystander_is_hurt(stood, self.jailed)
        told["worlds"] = [world_differs(*pair) for pair in zip(self.worlds, worlds, strict=True)]
        was, self.machine = self.machine, machine(self.room)
        told["machine"] = differences(was, self.machine)
        told["host"] = self.host.touched()
        if any(told["worlds"]):  # so that what one program did is held against it alone
            self.worlds = self._see_worlds()
        return told


def bystander_is_hurt(stood, jailed):
    whole = [[], [], [True, True], [["of the bystander"]] * 2, 25] if jailed else [[], [], [], [], 25]
    return [] if stood["ends"] == "exit 0" and stood["said"][-1:] == [whole] else [stood]


def world_differs(before, after):
    if after["ends"] != "exit 0" or not after["said"]:
        return {"observer": after}
    return differences(before["said"][0], after["said"][0]) if before["said"] else {}


def main():
    asked = json.load(sys.stdin)
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    descriptors = names("/proc/self/fd")
    with tempfile.TemporaryDirectory(prefix="assay-escapes-") as folder:
        host = Host(folder)
        theatre = Theatre(asked["spec"], host)
        try:
            told = {program["name"]: theatre.show(program) for program in asked["programs"]}
        finally:
            theatre.room.close()
            host.close()
    answer = {
        "level": theatre.level,
        "missing": theatre.room.server.isolation.missing,
        "told": told,
        "left": {
            "processes": [*below(os.getpid()), *children_of(os.getpid())],
            "cgroups": [name for name in cgroups() if name == f"assay-{theatre.room.launcher}"],
            "descriptors": names("/proc/self/fd") != descriptors,
        },
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
