from __future__ import annotations

import json

from assay.cli.app import run
from assay.sandbox.doctor import Doctor, Layer

WEAK = Doctor(
    level="L1",
    layers=(
        Layer(name="seccomp", works=False, why="the kernel says no", remedy="run it on another kernel"),
        Layer(name="memory cgroup", works=False, why="[Errno 13] Permission denied: 'x'", remedy="run as root"),
        Layer(name="resource limits", works=True, why=""),
    ),
)


def test_this_machine_is_described_layer_by_layer(capfd) -> None:
    status = run(["doctor", "--json"])
    found = json.loads(capfd.readouterr().out)
    assert found["level"] in ("L0", "L1", "L2", "L3", "L4", "L5")
    assert (status == 0) == (found["level"] >= "L2")
    assert all(layer.keys() == {"name", "works", "why", "remedy"} for layer in found["layers"])
    assert {layer["name"] for layer in found["layers"]} >= {"seccomp", "landlock"}


def test_a_missing_layer_comes_with_its_reason_and_its_remedy(monkeypatch, capfd) -> None:
    monkeypatch.setattr("assay.cli.doctor.probe", lambda: WEAK)
    assert run(["doctor"]) == 2
    out = capfd.readouterr().out
    assert "level L1: resource limits only" in out
    assert "the kernel says no" in out
    assert "no      Permission denied: 'x'" in out
    assert "Errno" not in out
    assert "- To get seccomp: run it on another kernel" in out
