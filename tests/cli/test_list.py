from __future__ import annotations

import json

from assay.benchmarks import catalogue
from assay.cli.app import run
from assay.models import STYLES


def test_every_benchmark_is_listed_with_its_splits(capfd) -> None:
    assert run(["list"]) == 0
    out = capfd.readouterr().out
    assert all(f"{info.name} " in out for info in catalogue())
    assert "prompt, test, validation, train" in out


def test_programs_get_json(capfd) -> None:
    assert run(["list", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found.keys() >= {"benchmarks", "sandboxes", "metrics", "prompts"}
    assert {"basics", "mbpp", "mbpp:sanitized", "humaneval"} <= {info["name"] for info in found["benchmarks"]}
    (style,) = [each for each in found["prompts"] if each["name"] == "mbpp-3-shot"]
    assert (style["version"], style["endpoint"], style["digest"]) == ("1", "completion", STYLES["mbpp-3-shot"].digest)


def test_every_kind_of_model_is_listed_as_it_is_written(capfd) -> None:
    assert run(["list"]) == 0
    out = capfd.readouterr().out
    assert all(f"{form} " in out for form in ("openai:NAME", "replay:FILE", "reference", "mutants:RATE"))
    run(["list", "--json"])
    assert "local:NAME" in json.loads(capfd.readouterr().out)["models"]


def test_every_prompt_style_is_listed(capfd) -> None:
    assert run(["list"]) == 0
    out = capfd.readouterr().out
    assert all(f"{style.name} " in out and style.description in out for style in STYLES.values())
