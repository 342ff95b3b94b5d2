from __future__ import annotations

import json

from assay.benchmarks import catalogue
from assay.cli.app import run


def test_every_benchmark_is_listed_with_its_splits(capfd) -> None:
    assert run(["list"]) == 0
    out = capfd.readouterr().out
    assert all(f"{info.name} " in out for info in catalogue())
    assert "prompt, test, validation, train" in out


def test_programs_get_json(capfd) -> None:
    assert run(["list", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found.keys() == {"benchmarks", "sandboxes", "metrics"}
    assert {"basics", "mbpp", "mbpp:sanitized", "humaneval"} <= {info["name"] for info in found["benchmarks"]}
