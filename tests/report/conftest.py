"""`room`, in which runs are made, and `report`, which makes the HTML of some."""

from __future__ import annotations

import contextlib

import pytest
from report_room import Room

from assay.report import Options, render_report


@pytest.fixture
def room(tmp_path):
    return Room(tmp_path)


@pytest.fixture
def report(room):
    """A function that makes the HTML of runs of these samples, `**manifest` going into their `run.json`."""

    def made(*runs, options=None, **manifest):
        with contextlib.ExitStack() as stack:
            folders = [room.run(f"run{i}", samples, **manifest) for i, samples in enumerate(runs)]
            sources = [room.source(folder, stack) for folder in folders]
            return render_report(sources, "2026-11-30", options or Options()).text

    return made
