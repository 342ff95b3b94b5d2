from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.cli.app import build, run
from assay.cli.commands import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"Usage: assay {name}")
    assert said.err == ""


def test_no_command_loads_another() -> None:
    code = "import sys; from assay.cli.app import run; run(['list']); sys.stderr.write(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    others = {f"assay.cli.{name}" for name in COMMANDS} - {"assay.cli.list"}
    assert others.isdisjoint(loaded)
    assert "numpy" not in loaded


def test_an_unknown_command_is_answered_with_a_proposal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["jugde"]) == 2
    assert 'Did you mean "judge"?' in capsys.readouterr().err


def test_what_we_did_not_expect_is_our_fault_and_says_how_to_report_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.cli.list.catalogue", lambda: 1 / 0)
    monkeypatch.delenv("ASSAY_DEBUG", raising=False)
    assert run(["list"]) == 70
    said = capsys.readouterr()
    assert said.out == ""
    assert "ZeroDivisionError: division by zero" in said.err
    assert "fault of assay" in said.err
    assert "Traceback" not in said.err
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    assert run(["list"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_leaves_ends_the_command_quietly() -> None:
    code = "import sys; from assay.cli.app import run; sys.exit(run(['list', '--json']))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_the_table_of_commands_and_the_functions_agree() -> None:
    app = build()
    assert {name for name in COMMANDS if app[name].default_command.__name__ == COMMANDS[name].function} == set(COMMANDS)
