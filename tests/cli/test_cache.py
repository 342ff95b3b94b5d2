from __future__ import annotations

import json

import pytest

from assay.cli.app import run
from assay.records import digest
from assay.store import Cache


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "kept"))
    Cache(tmp_path / "kept").put(digest("one"), b"told")
    return tmp_path / "kept"


def test_what_is_kept_is_shown(folder, capfd) -> None:
    assert run(["cache"]) == 0
    assert capfd.readouterr().out == f"{folder}: 1 calibration kept, 0.0 MiB\n"


def test_clearing_says_what_was_taken_away(folder, capfd) -> None:
    assert run(["cache", "clear", "--json"]) == 0
    gone = json.loads(capfd.readouterr().out)
    assert gone["folder"] == str(folder)
    assert gone["taken_away"]["calibrations"] == 1
    assert run(["cache", "list", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["kept"] == {"calibrations": 0, "bytes": 0}


def test_a_cache_that_is_off_is_said_to_be(monkeypatch, capfd) -> None:
    monkeypatch.setenv("ASSAY_CACHE", "off")
    assert run(["cache", "clear"]) == 0
    assert "ASSAY_CACHE turns it off" in capfd.readouterr().out


def test_a_folder_of_others_is_an_error(folder, capfd) -> None:
    folder.chmod(0o777)
    assert run(["cache"]) == 2
    assert "hint: make it your own" in capfd.readouterr().err
