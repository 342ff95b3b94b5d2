"""Where hostile programs are shown: at every level that this machine can give, and with one layer alone. One server start each."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import catalogue
import escape_room
import msgspec
import pytest
from corpus_places import Place, command, python_for_all

import assay

STAGES = {
    "root": Place("L4"),
    "an ordinary user": Place("L3", ordinary=True),
    "an ordinary user without namespaces": Place("L2", ("namespaces",), ordinary=True),
    "root without namespaces": Place("L2", ("namespaces",)),
}

QUICK = ("root", "an ordinary user without namespaces")
"""The most and the least that there is between programs and the host; the fast tier looks at these."""


def show(place, programs, python=None):
    """Shows the programs there, in a process of its own; what came of them. Skips where the place can't be had."""
    spec = {"without": place.without, "minimum_level": "L0" if place.level == "L1" else "L2"}
    asked = {"spec": spec, "programs": [{"name": p.name, "source": p.source, "limits": p.limits} for p in programs]}
    packages = {str(Path(module.__file__).parent.parent) for module in (assay, msgspec)}
    done = subprocess.run(
        [*(python or command(place)), "-B", escape_room.__file__],
        input=json.dumps(asked),
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(packages)},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    if shown["level"] != place.level:
        pytest.skip(f"this machine gives {shown['level']} there; missing: {', '.join(shown['missing'])}")
    return shown


def show_alone(layer, programs):
    """Shows the programs with one wall and no other; with `limits`, or `nothing`, there is none."""
    without = tuple(one for one in catalogue.WALLS if one != layer)
    level = {"namespaces": "L3" if os.geteuid() == 0 else "L2"}.get(layer, "L1")
    return show(Place(level, without), programs, [python_for_all()])
