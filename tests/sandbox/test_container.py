"""In a container with Docker's default settings: the ladder lands on L2, and verdicts are what they are elsewhere."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tomllib
from pathlib import Path

import catalogue
import container
import msgspec
import pytest
import stages
from corpus_places import Place, python_for_all, run_room

import assay
from assay.benchmarks import from_rows
from assay.records import Mode, Sample

CASES = Path(__file__).parent.parent / "cases"
JUDGED = (
    "passes_asserts",
    "whole_program_passes",
    "wrong_answer_partly",
    "runtime_error_by_death",
    "time_limit_while_asleep",
    "memory_limit_by_growth",
    "output_limit",
    "delegated_equality",
)
PROBE = """
import json
from assay.sandbox import probe
found = probe()
print(json.dumps([found.level, [layer.name for layer in found.layers if layer.works]]))
"""

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or platform.machine() != "x86_64", reason="emulating a container needs root and x86-64"
)


def in_container(*options):
    """The command that runs an interpreter in one."""
    return [sys.executable, container.__file__, *options, python_for_all(), "-B"]


def level(*options):
    """What the doctor finds in one: `(level, layers that work)`."""
    packages = {str(Path(module.__file__).parent.parent) for module in (assay, msgspec)}
    done = subprocess.run(
        [*in_container(*options), "-c", PROBE],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(packages)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, layers = json.loads(done.stdout)
    return found, set(layers)


@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_dockers_default_settings_leave_landlock_and_seccomp(user):
    found, layers = level("--user", user)
    assert found == "L2"
    assert {"landlock", "seccomp", "no new privileges", "resource limits"} <= layers
    assert "namespaces" not in layers


def test_namespaces_need_a_whole_proc_besides_the_calls_that_make_them():
    assert level("--allow-namespaces")[0] == "L2"
    assert level("--allow-namespaces", "--uncovered-proc")[0] == "L3"


def read_case(name):
    """`(row, sample, outcome)` of a case."""
    folder = CASES / name
    expected = tomllib.loads((folder / "expect.toml").read_text("utf-8"))
    text = (folder / "program.py").read_text("utf-8")
    sample = Sample(problem_id=name, index=0, text=text, mode=Mode(expected.get("mode", "solution")))
    return {"id": name, **json.loads((folder / "problem.json").read_text("utf-8"))}, sample, expected["outcome"]


def test_programs_of_every_kind_get_the_outcome_that_they_get_elsewhere():
    cases = [read_case(name) for name in JUDGED]
    samples = {sample.problem_id: sample for _, sample, _ in cases}
    work = [(problem, [samples[problem.id]]) for problem in from_rows([row for row, _, _ in cases]).problems]
    asked = {"work": msgspec.to_builtins(work), "without": (), "limits": {}, "settings": {"workers": 1}}
    told = run_room(in_container(), asked, {})
    assert told["isolation"]["level"] == "L2"
    assert told["invalids"] == {}
    got = {verdict["problem_id"]: verdict["outcome"] for verdict in told["verdicts"]}
    assert got == {name: outcome for name, (_, _, outcome) in zip(JUDGED, cases, strict=True)}
    assert told["processes"] == []


@pytest.mark.slow
def test_hostile_programs_get_there_what_they_get_wherever_there_are_no_namespaces():
    programs = [one for one in catalogue.read_programs() if not one.name.startswith("judged/")]
    shown = stages.show(Place("L2"), programs, in_container())
    answers = {one.name: catalogue.wrong(one.answer(level="L2"), shown["told"][one.name]) for one in programs}
    assert {name: answer for name, answer in answers.items() if answer} == {}
    assert all(told["machine"] == told["host"] == {} for told in shown["told"].values())
