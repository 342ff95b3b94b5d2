"""The rehearsal runs the whole of the judge and leaves nothing open."""

from __future__ import annotations

from pathlib import Path

from assay.judge.rehearsal import rehearse


def test_a_rehearsal_leaves_no_descriptor():
    before = len(list(Path("/proc/self/fd").iterdir()))
    rehearse()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
