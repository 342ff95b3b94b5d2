"""Children are born where they are to be."""

from __future__ import annotations

import os
import signal

import pytest

from assay.sandbox.inside import linux
from assay.sandbox.inside.clone import Cloner


@pytest.fixture
def leaf(unified):
    made = unified / f"assay-test-{os.getpid()}"
    try:
        made.mkdir()
    except OSError as error:
        pytest.skip(f"no cgroup can be made here: {error}")
    yield made
    made.rmdir()


@pytest.mark.parametrize("flags", [0, linux.NEWPID])
def test_a_child_is_born_into_the_cgroup_that_is_named_and_ends_with_it(leaf, flags):
    if flags and os.geteuid() != 0:
        pytest.skip("needs root")
    directory = os.open(leaf, os.O_RDONLY | os.O_DIRECTORY)
    cloner = Cloner(flags, leaf=directory)
    pid = cloner.clone()
    if pid == 0:
        while True:
            signal.pause()
    assert pid > 0, os.strerror(-pid)
    assert (leaf / "cgroup.procs").read_text().split() == [str(pid)]
    (leaf / "cgroup.kill").write_text("1")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -9
    assert (leaf / "cgroup.procs").read_text() == ""
    os.close(cloner.pidfd)
    os.close(directory)
