"""A child is ended with all that it has started, and nobody else is."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

import pytest
from families import gone, lives

from assay.sandbox.inside import accounting, ending

FAMILY = """
import os, time
if os.fork() == 0:
    os.setsid()
    os.fork()
    print("up", flush=True); time.sleep(60)
print("up", flush=True); time.sleep(60)
"""


@pytest.fixture
def family():
    """A process by pid, a descriptor of it, and the tree that it has with its child and that one's child."""
    process = subprocess.Popen([sys.executable, "-S", "-c", FAMILY], stdout=subprocess.PIPE, start_new_session=True)
    pidfd = os.pidfd_open(process.pid)
    for _ in range(3):
        process.stdout.readline()
    tree = accounting.tree_of(process.pid)
    yield process.pid, pidfd, tree
    for pid in tree:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    os.close(pidfd)


def test_all_of_a_tree_are_killed_and_the_others_counted(family):
    first, pidfd, tree = family
    assert len(tree) == 3
    assert ending.kill(first, pidfd, accounting.tree_of, outlive=True) == 2
    assert gone(tree)


def test_a_number_that_has_passed_to_a_stranger_is_left_alone(family):
    first, pidfd, tree = family
    (last,) = tree.keys() - {first} - {process.parent for process in tree.values()}
    stale = {**tree, last: tree[last]._replace(born_ticks=tree[last].born_ticks - 1)}
    assert ending.kill(first, pidfd, lambda _: stale, outlive=False) == 1
    assert gone([tree[last].parent])
    assert lives(last)


@pytest.mark.parametrize(
    "error", [ProcessLookupError, FileNotFoundError, OSError(22, "gone, of an older kernel"), OSError(24, "no room")]
)
def test_one_that_can_not_be_held_is_left_to_the_next_look(family, monkeypatch, error):
    first, pidfd, tree = family

    def refuse(_):
        raise error

    monkeypatch.setattr(os, "pidfd_open", refuse)
    assert ending.kill(first, pidfd, lambda _: tree, outlive=False) == 0
    assert gone([first])
    assert all(lives(pid) for pid in tree if pid != first)


def test_a_child_that_is_alone_is_killed_by_itself(family):
    first, pidfd, tree = family
    assert ending.kill(first, pidfd, accounting.alone, outlive=False) == 0
    assert gone([first])
    assert all(lives(pid) for pid in tree if pid != first)
