"""A delegated cgroup gives each sample one of its own, and is as it was afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.sandbox.inside.cgroup2 import OUTSIDE, Leaves


def own_place(unified):
    """The directory of this process's own cgroup."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next(line for line in lines if line.startswith("0::"))[3:]
    return unified / path.lstrip("/")


def test_where_no_memory_controller_is_given_nothing_is_made_and_the_reason_is_told(unified):
    place = own_place(unified)
    if "memory" in (place / "cgroup.controllers").read_text().split():
        pytest.skip("the memory controller is given here")
    before = sorted(path.name for path in place.iterdir())
    with pytest.raises(PermissionError, match="was given no memory controller"):
        Leaves(str(place), 1, os.getpid())
    assert sorted(path.name for path in place.iterdir()) == before


def test_a_sample_lives_in_a_cgroup_of_its_own_and_the_delegated_one_is_as_it_was_when_the_server_has_gone(
    unified, open_rooms
):
    place = own_place(unified)
    if "memory" not in (place / "cgroup.controllers").read_text().split():
        pytest.skip("no memory controller of version 2 is given here")
    before = sorted(path.name for path in place.iterdir() if path.is_dir())
    room = open_rooms()
    if "memory cgroup" in room.server.isolation.missing:
        pytest.skip("no cgroup is delegated here")
    child = room.begin("say(1)\nimport time\ntime.sleep(60)", slot=1, memory_mib=100, disk_mib=20, time_s=90.0)
    room.session(child).recv(100)
    (server,) = place.glob("assay-[0-9]*")
    assert len((server / "slot-1" / "cgroup.procs").read_text().split()) == 1
    assert int((server / "slot-1" / "memory.max").read_text()) >= 120 << 20
    assert (server / "slot-0" / "cgroup.procs").read_text() == ""
    assert own_place(unified) in (place, place / OUTSIDE)
    room.server.kill(child)
    room.end(child)
    room.server.close()
    assert own_place(unified) == place
    assert sorted(path.name for path in place.iterdir() if path.is_dir()) == before
