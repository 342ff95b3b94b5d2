"""The rules of conftest.py about missing corpora and slow tests, tried on a small test file of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
TESTS = """
import pytest

@pytest.mark.shared
def test_marked(): pass

def test_with_the_fixture(shared): assert shared.is_dir()

@pytest.mark.slow
def test_slow(): pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  shared: x\n  slow: x\n")
    return tmp_path


def closing_line(folder: Path, *flags: str, **variables: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *flags]
    run = subprocess.run(command, cwd=folder, env=clean | variables, capture_output=True, text=True, check=False)
    return run.stdout.splitlines()[-1].split(" in ")[0]


def test_without_the_corpora_their_tests_skip(folder: Path) -> None:
    assert closing_line(folder) == "3 skipped"
    assert closing_line(folder, ASSAY_SHARED=str(folder / "nowhere")) == "3 skipped"


def test_where_the_corpora_are_required_a_skip_is_a_failure(folder: Path) -> None:
    assert closing_line(folder, ASSAY_REQUIRE_SHARED="1") == "1 skipped, 2 errors"


def test_with_the_corpora_their_tests_run(folder: Path) -> None:
    assert closing_line(folder, ASSAY_SHARED=str(folder), ASSAY_REQUIRE_SHARED="1") == "2 passed, 1 skipped"


def test_slow_tests_run_when_they_are_asked_for(folder: Path) -> None:
    assert closing_line(folder, "--run-slow", ASSAY_SHARED=str(folder)) == "3 passed"
