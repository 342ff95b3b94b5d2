from __future__ import annotations

import json
import subprocess
import sys

from assay.cli.terminal import put_json


def test_a_lone_surrogate_does_not_break_json(capsys) -> None:
    put_json({"id": "\ud800", "name": "ä"})
    assert json.loads(capsys.readouterr().out) == {"id": "\ud800", "name": "ä"}


def test_other_letters_stay_as_they_are(capsys) -> None:
    put_json({"name": "ä"})
    assert "ä" in capsys.readouterr().out


def test_a_terminal_without_unicode_gets_escapes_instead_of_an_error() -> None:
    code = "from assay.cli.app import run; run(['list'])"
    env = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert "\\u2500" in done.stdout
    assert done.stderr == ""
