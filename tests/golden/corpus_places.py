"""Judges cases of the corpus at one of the places that this machine has: as root or as an ordinary user, with layers left out.

Each run is a process of its own (`corpus_room.py`). Where a place can't be had the test skips, with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import corpus_room
import msgspec
import pytest
from corpus_cases import problem_row, refused_row, samples

import assay
from assay.benchmarks import from_rows
from assay.records import Mode, Sample, Verdict


class Place(NamedTuple):
    """Where the cases are judged: the least level that is meant, the sandbox's layers left out, whether by an ordinary user."""

    level: str
    without: tuple[str, ...] = ()
    ordinary: bool = False


PLACES = {
    "as this machine gives it": Place("L2"),
    "one uid": Place("L3", ("two uids",)),
    "without namespaces": Place("L2", ("namespaces",)),
    "an ordinary user": Place("L3", ordinary=True),
    "an ordinary user without namespaces": Place("L2", ("namespaces",), ordinary=True),
}
NOBODY = Sample(problem_id="?", index=0, text="pass", mode=Mode.SOLUTION)
"""Stands for the candidates of a problem that is to be refused."""


class Judged(NamedTuple):
    """What came of one run: its level, the verdicts of each problem, the invalid problems, and what `corpus_room` told besides."""

    level: str
    verdicts: dict[str, list[Verdict]]
    invalids: dict[str, str]
    told: dict


def python_for_all() -> str:
    """An interpreter that an ordinary user can run and that can load our packages."""
    own = Path(sys.executable).resolve()
    if all(parent.stat().st_mode & 0o001 for parent in own.parents):
        return sys.executable
    other = shutil.which("python3", path="/usr/local/bin:/usr/bin") or pytest.skip("no interpreter for ordinary users")
    asked = [other, "-c", "import sys; print(sys.version_info[:2])"]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    if version != str(sys.version_info[:2]):
        pytest.skip(f"{other} can't load this interpreter's packages")
    return other


def command(place: Place) -> list[str]:
    """An interpreter, run by an ordinary user where that is asked for."""
    if os.geteuid() != 0:
        return [sys.executable]
    if not place.ordinary:
        return [python_for_all() if place.without else sys.executable]
    setpriv = shutil.which("setpriv") or pytest.skip("only setpriv can run it as another user")
    return [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", python_for_all()]


def run(place: Place, cases: list[dict], limits: dict[str, int] | None = None, trials: int = 1) -> Judged:
    """Judges cases in one run of the engine, in a process of its own."""
    rows = [row for case in cases for row in (problem_row(case), refused_row(case)) if row is not None]
    benchmark = from_rows(rows)
    candidates = {case["id"]: samples(case, corpus_room.OBSERVER) for case in cases}
    work = [(problem, candidates.get(problem.id, [NOBODY])) for problem in benchmark.problems]
    asked = {
        "work": msgspec.to_builtins(work),
        "without": place.without,
        "limits": limits or {},
        "settings": {"workers": 2, "trials": trials},
    }
    environment = {name: value for case in cases for name, value in case.get("env", {}).items()}
    told = run_room(command(place), asked, environment)
    level = told["isolation"]["level"]
    if level < place.level:
        pytest.skip(f"this machine gives {level} there: {', '.join(told['isolation']['missing'])} are missing")
    verdicts = defaultdict(list)
    for verdict in sorted(msgspec.convert(told["verdicts"], list[Verdict]), key=lambda v: v.sample_index):
        verdicts[verdict.problem_id].append(verdict)
    return Judged(level, verdicts, {i.id: i.reason for i in benchmark.invalid} | told["invalids"], told)


def run_room(python: list[str], asked: dict, environment: dict[str, str]) -> dict:
    """Starts `corpus_room` in an empty folder of its own but for a secret, with the environment that the cases want on the host."""
    packages = {str(Path(module.__file__).parent.parent) for module in (assay, msgspec)}
    with tempfile.TemporaryDirectory(prefix="assay-corpus-") as folder:
        Path(folder).chmod(0o777)
        secret = Path(folder, "secret.txt")
        secret.write_text("not for samples")
        paths = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(packages), "TMPDIR": folder}
        answer = subprocess.run(
            [*python, "-B", corpus_room.__file__],
            input=json.dumps(asked),
            env={**environment, **paths, "SENTINEL_FILE": str(secret)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)
