"""The process that the engine starts: it warms up, finds the highest rung of the ladder, clones the server into it, and watches.

Order matters. Everything that needs the host's files (imports, the entry, preloaded packages) comes first; then each rung is tried in a
throw-away child; then this process makes the jail, clones the server as its pid 1, and stays behind only to end it when the engine is
gone. (The parent-death signal would not do there: it fires when the engine's *thread* ends.)

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any, NamedTuple

from assay.sandbox.inside import (
    cgroup,
    ladder,
    landlock,
    limits,
    linux,
    moving,
    namespaces,
    pages,
    pins,
    protocol,
    roles,
    seccomp,
    warm,
)
from assay.sandbox.inside.child import AgentRules, JudgeRules
from assay.sandbox.inside.clockpage import SlotClock
from assay.sandbox.inside.clone import CLONE_PARENT, clone
from assay.sandbox.inside.confine import SCHEDSTAT, SESSION, Cell, can_go_first, go_early, server_steps
from assay.sandbox.inside.layout import DEVICES, Layout, layout, readable
from assay.sandbox.inside.root import SAMPLE_UID
from assay.sandbox.inside.supervisor import Broken, Equipment, Supervisor
from assay.sandbox.inside.views import View
from assay.sandbox.inside.wall import Wall
from assay.sandbox.inside.zygote import Breeder, Role, Zygote, ZygoteGone, hatch

_DISK_MIB = 64


class Place(NamedTuple):
    """What the engine gives to one server: the descriptors of its socket, its clock page and its standard error, and a processor."""

    control_fd: int
    clock_fd: int
    words_fd: int
    processor: int | None

    @property
    def descriptors(self) -> set[int]:
        """All of them."""
        return {self.control_fd, self.clock_fd, self.words_fd}


class Settings(NamedTuple):
    """What the engine asks for, its JSON argument: a server in each place, alike for the rest. `source` is assay's own directory."""

    role: str
    entry: str | None
    slots: int
    preload: list[str]
    sites: list[str]
    minimum_level: str
    without: list[str]
    source: str
    places: list[Place]


class _Found(NamedTuple):
    """What this machine gives: the ladder, what is shown, the last wall, the processors."""

    ladder: ladder.Ladder
    paths: Layout
    wall: Wall | None
    processors: bytes

    @property
    def has_leaves(self) -> bool:
        """Whether each slot has a cgroup of its own, which its children are born into."""
        return self.wall is not None and bool(self.wall.leaves)


def main(argument: str, gathering: pages.Gathering) -> Zygote:
    """Runs the launcher of each server, and in its clone the server. Returns only in zygotes, which the servers clone.

    Args:
        argument: The settings, as JSON.
        gathering: Holds on until everything is loaded.
    """
    engine = os.getppid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # an engine may ignore it, and what is ignored stays so
    os.umask(0o022)  # an odd one would make the jail's own directories unusable
    _reserve_numbers()
    go_early()
    settings = _read(argument)
    places = settings.places  # those that this process has to see to
    processors = _processors()
    linux.set_name(f"launch-{settings.role}")
    try:
        role, paths = _prepare(settings)
        gathering.end()
        found = ladder.find(paths, settings.role, settings.without, engine)
        if found.level < settings.minimum_level:
            _refuse(places, found, settings.minimum_level)
        place = _divide(places)
        if place.processor is not None:
            os.sched_setaffinity(0, {place.processor})
        wall = cgroup.build(settings.slots, engine) if found.works(ladder.MEMORY_CGROUP) else None
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # a dead server's children become ours, see _end_orphans
        ready, go = os.pipe()
        pid, pidfd = ladder.enter(found.rung, paths, settings.role, settings.slots)
        if pid == 0:
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
            os.close(go)
            if os.read(ready, 1) != b"p":
                os._exit(70)  # the launcher has gone
            return _serve(place, settings, _Found(found, paths, wall, processors), role)
        if wall is not None:
            two = found.rung == namespaces.TWO_UIDS
            wall.take(pid, namespaces.first_host_uid(settings.role) if two else os.geteuid())
        os.write(go, b"p")
    except Exception as error:  # noqa: BLE001 (told to the engine, which raises it)
        _say(places, protocol.BROKEN, {"error": f"{type(error).__name__}: {error}"})
        os._exit(70)
    os.close(place.control_fd)
    os.close(place.clock_fd)
    status = _watch(engine, pid, pidfd)
    if wall is not None:
        wall.remove()
    os._exit(status)


def _read(argument: str) -> Settings:
    told = json.loads(argument)
    return Settings(**{**told, "places": [Place(**place) for place in told["places"]]})


def _divide(places: list[Place]) -> Place:
    """Clones a launcher for each place but the first, which is this one's; returns the place of whoever returns, the only one that is left
    in the list. What is loaded by now is shared by all.
    """
    descriptors: set[int] = set().union(*(place.descriptors for place in places))
    for place in places[1:]:
        pid, pidfd = clone(CLONE_PARENT) if not _is_given_up(place) else (-1, -1)
        if pid == 0:  # the engine is the parent of every launcher, and waits for each
            places[:] = [place]
            os.dup2(place.words_fd, sys.stderr.fileno())
            _tell_birth(place, os.getpid())
            break
        places.remove(place)
        if pid > 0:
            os.close(pidfd)
            _tell_birth(place, pid)
    mine = places[0]
    for fd in descriptors - {mine.control_fd, mine.clock_fd}:
        os.close(fd)
    return mine


def _is_given_up(place: Place) -> bool:
    """Whether the engine has hung up, or is gone: nobody would wait for a launcher."""
    poll = select.poll()
    poll.register(place.control_fd, select.POLLRDHUP)
    return bool(poll.poll(0))


def _tell_birth(place: Place, pid: int) -> None:
    with contextlib.suppress(OSError):  # given up just now: it will see so by itself
        os.write(place.control_fd, protocol.pack_born(pid))


def _processors() -> bytes:
    """The processors that this process may use, as the mask that `sched_setaffinity` takes."""
    mask = sum(1 << number for number in os.sched_getaffinity(0))
    return mask.to_bytes(-(-mask.bit_length() // 64) * 8, sys.byteorder)


def _reserve_numbers() -> None:
    """Takes the descriptors that a child makes its own: nothing that a child still needs then may have their numbers."""
    fds = [os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)]
    while fds[-1] <= SCHEDSTAT:
        fds.append(os.dup(fds[-1]))
    for fd in fds:
        if fd not in (SESSION, SCHEDSTAT):
            os.close(fd)


def probe() -> None:
    """Prints what this machine gives, as JSON, for the doctor."""
    os.umask(0o022)
    found = ladder.find(layout([]), "agent", [], os.getppid())
    print(json.dumps({"level": found.level, "layers": [layer._asdict() for layer in found.layers]}))  # noqa: T201 (the answer)


def _prepare(settings: Settings) -> tuple[Role, Layout]:
    """Loads what children of these servers run."""
    entry = settings.entry
    roles.preload(settings.preload, settings.sites)
    warm.warm()
    if settings.role == "judge":
        role = roles.judge_role(entry)
        paths = layout(settings.sites)
    else:
        pages.fill_holes()
        role = roles.agent_role(entry or "")
        paths = layout(settings.sites)
        own = [settings.source, os.path.dirname(entry)] if entry else [settings.source]
        roles.forget_modules([os.path.realpath(path) for path in own])
    roles.require_one_thread()
    # all of ours is loaded; samples find the byte code of the standard library beside it, and can write none
    sys.dont_write_bytecode, sys.pycache_prefix = True, None
    pages.hand_down()
    moving.works()  # known to all of this process's clones
    return role, paths


def _serve(place: Place, settings: Settings, machine: _Found, role: Role) -> Zygote:
    """The server's whole life. Returns only in the zygote, which thus leaves the server's frames behind."""
    try:
        linux.set_name(f"assay-{settings.role}")
        server_steps()
        if machine.wall is not None:
            machine.wall.open()
        cells = _cells(settings, place, machine)
        if machine.ladder.rung != namespaces.NONE:
            namespaces.deny_more_users()
        if settings.role == "judge":
            role = roles.with_clock(role, place.clock_fd)
        ring = pins.open_ring() if role.said else None
        _confine_server(machine)
        alarm, alarm_of_children = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        zygote = hatch(Breeder(ladder.child_flags(machine.ladder.rung), cells, role, alarm_of_children, ring))
        if isinstance(zygote, Zygote):
            return zygote
        # only now: the zygote shares the descriptor, and must not close it with its frames
        control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, place.control_fd)
        supervisor = Supervisor(control, _equipment(settings.role, place.clock_fd, machine, cells), zygote, alarm)
        supervisor.rehearse(role.said)
        _say([place], protocol.READY, _isolation(machine.ladder))
        supervisor.serve()
        supervisor.end_all()
    except (Broken, ZygoteGone) as error:
        _say([place], protocol.BROKEN, {"error": str(error)})
    except Exception as error:  # noqa: BLE001 (told to the engine, which raises it)
        _say([place], protocol.BROKEN, {"error": f"{type(error).__name__}: {error}"})
    os._exit(0)


def _cells(settings: Settings, place: Place, machine: _Found) -> list[Cell]:
    """What confines the children of each slot, all that can be made before the first child."""
    found, paths, is_agent = machine.ladder, machine.paths, settings.role == "agent"
    inside = found.rung != namespaces.NONE
    views = [
        View(slot, _DISK_MIB, same_uid=found.rung == namespaces.ONE_UID, covered=[*paths.shown, *paths.packages])
        if inside
        else None
        for slot in range(settings.slots)
    ]
    rulesets = [_ruleset(paths, view) if found.works(ladder.LANDLOCK) else None for view in views]
    program = seccomp.sample_program(inside, into_cgroups=machine.has_leaves)
    sample_filter = seccomp.Filter(program) if found.works(ladder.SECCOMP) else None
    ceiling = limits.ceiling(inside, watched=is_agent)
    two = found.rung == namespaces.TWO_UIDS
    users = [namespaces.make_users() if inside and not two else None for _ in range(settings.slots)]
    goes_first = inside and can_go_first()
    leaves = machine.wall.leaves if machine.wall and machine.has_leaves else [None] * settings.slots
    last_fd = SESSION if is_agent else SCHEDSTAT
    processors = machine.processors if is_agent and place.processor is not None else None
    return [
        Cell(
            view,
            ruleset,
            SAMPLE_UID + slot if two else None,
            sample_filter,
            ceiling,
            processors,
            last_fd,
            own_users,
            goes_first,
            leaf,
        )
        for slot, (view, ruleset, own_users, leaf) in enumerate(zip(views, rulesets, users, leaves))
    ]


def _equipment(role: str, clock_fd: int, machine: _Found, cells: list[Cell]) -> Equipment:
    """What the supervisor works with, made when the zygote has its copy of memory, so that no child sees any of it."""
    contained = machine.ladder.rung != namespaces.NONE or machine.ladder.works(ladder.SECCOMP)
    forks = machine.ladder.rung != namespaces.NONE or not contained
    clocks = [SlotClock(clock_fd, slot, inherited=False) for slot in range(len(cells))]
    rules = JudgeRules(forks) if role == "judge" else AgentRules(forks)
    return Equipment(cells, clocks, rules, machine.wall, not contained)


def _confine_server(machine: _Found) -> None:
    """The server's own confinement; what it takes away here, no child can get back."""
    found, paths = machine.ladder, machine.paths
    inside = found.rung != namespaces.NONE
    if not inside and found.works(ladder.LANDLOCK):
        whole, listed = readable(paths)
        landlock.restrict(landlock.ruleset([*whole, *_devices(), "/proc"], ["/dev/null"], listed))
    if found.works(ladder.SECCOMP):
        seccomp.Filter(seccomp.server_program(inside, into_cgroups=machine.has_leaves)).load()


def _ruleset(paths: Layout, view: View | None) -> linux.Call:
    """A child's own ruleset: few rules, for each costs. What lies hidden in the trees is hidden by the root, or by the server's ruleset."""
    trees = [*paths.shown, *paths.packages, *_devices()]
    inside = [] if view is None else ["/etc/passwd"]
    writable = ["/dev/null"] if view is None else ["/dev/null", *view.writable]
    started = () if view is None else paths.started  # without namespaces nothing may be started
    return landlock.call_restrict(landlock.ruleset([*trees, *inside], writable, [], started))


def _devices() -> list[str]:
    return [path for path in DEVICES if os.path.exists(path)]


def _isolation(found: ladder.Ladder) -> dict[str, Any]:
    return {
        "level": found.level,
        "layers": [layer.name for layer in found.layers if layer.works],
        "missing": [layer.name for layer in found.layers if not layer.works],
    }


def _refuse(places: list[Place], found: ladder.Ladder, minimum_level: str) -> None:
    missing = [layer for layer in found.layers if not layer.works]
    reasons = "; ".join(f"{layer.name}: {layer.why}" for layer in missing)
    _say(
        places,
        protocol.REFUSED,
        {
            "level": found.level,
            "wanted": minimum_level,
            "layer": missing[0].name if missing else "virtual machine",
            "reason": reasons,
        },
    )
    os._exit(2)


def _say(places: list[Place], kind: bytes, facts: dict[str, Any]) -> None:
    for place in places:
        with contextlib.suppress(OSError):  # the engine has given this one up
            os.write(place.control_fd, kind + json.dumps(facts).encode())


def _watch(engine: int, pid: int, pidfd: int) -> int:
    """Ends the server when the engine's process has gone, and ends with it."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    with contextlib.suppress(OSError):  # the engine has gone already, and the server will see its socket closed
        poll.register(os.pidfd_open(engine), select.POLLIN)
    poll.poll()
    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    _end_orphans()
    return abs(os.waitstatus_to_exitcode(status))


def _end_orphans() -> None:
    """Ends and reaps what the server left: nothing where it had a pid namespace, children in flight where it hadn't."""
    with contextlib.suppress(ChildProcessError):
        while True:
            with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as children:
                for orphan in children.read().split():
                    os.kill(int(orphan), signal.SIGKILL)
            os.waitpid(-1, 0)
