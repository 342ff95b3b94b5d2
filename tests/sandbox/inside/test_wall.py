"""Whose memory it was, and that cgroups of launchers that are gone are removed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.sandbox.inside.protocol import Spawn
from assay.sandbox.inside.wall import MIB, Look, dissolve, is_own, may_use_mib, sweep

BORN = Look(kills=2, refusals=5, room_bytes=100 * MIB)


@pytest.mark.parametrize(
    ("after", "most_mib", "own"),
    [
        (Look(3, 6, 0), 100, True),
        (Look(2, 6, 0), 100, False),  # nobody was killed
        (Look(3, 5, 0), 100, False),  # the machine or a container was full, not this wall
        (Look(3, 6, 0), 101, False),  # there was less room than it may use
    ],
)
def test_a_kill_is_a_samples_own_where_its_wall_was_full_and_had_room_for_all_that_it_may_use(after, most_mib, own):
    assert is_own(BORN, after, most_mib) is own


def test_a_wall_that_was_not_looked_at_closely_proves_nothing():
    assert not is_own(Look(2, 0, -1), Look(3, 6, 0), may_use_mib(Spawn(1, 0, 1.0, 1.0, 1.0, 64, 1, 1, 16, 8)))


@pytest.fixture
def directory(tmp_path):
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


def test_a_cgroup_goes_with_those_in_it(tmp_path, directory):
    (tmp_path / "assay-1" / "slot-0").mkdir(parents=True)
    dissolve("assay-1", directory)
    assert list(tmp_path.iterdir()) == []
    dissolve("assay-1", directory)


def test_what_a_launcher_left_is_swept_up_and_what_one_still_uses_is_not(tmp_path, directory):
    gone = subprocess.Popen([sys.executable, "-S", "-c", ""])
    gone.wait()
    for name in (f"assay-{gone.pid}", f"assay-{os.getpid()}", "assay-outside", "other"):
        (tmp_path / name / "server").mkdir(parents=True)
    sweep(directory)
    assert {path.name for path in tmp_path.iterdir()} == {f"assay-{os.getpid()}", "assay-outside", "other"}
