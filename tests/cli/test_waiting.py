from __future__ import annotations

import threading

from assay.cli import waiting
from assay.cli.waiting import Waiting


def test_what_lasts_is_told_once(monkeypatch) -> None:
    monkeypatch.setattr(waiting, "AFTER_S", 0.01)
    told, heard = [], threading.Event()
    with Waiting(lambda text: (told.append(text), heard.set())).on("reading ..."):
        assert heard.wait(60)
    assert told == ["reading ..."]


def test_what_is_over_before_is_not_told(monkeypatch) -> None:
    monkeypatch.setattr(waiting, "AFTER_S", 3600)
    before, told = threading.active_count(), []
    with Waiting(told.append) as waits:
        waits.on("reading ...").on("starting ...")
    while threading.active_count() > before:  # a timer that is called off ends by itself
        pass
    assert told == []


def test_judge_tells_what_it_does_before_the_first_verdict(folder, monkeypatch) -> None:
    monkeypatch.setattr(waiting, "AFTER_S", 0)
    folder.samples(("a", "right"), ("b", "right"))
    status, _, err = folder.judge()
    assert status == 0
    assert err.splitlines()[:4] == [
        "reading the problems of problems.jsonl ...",
        "reading samples.jsonl ...",
        "starting the sandbox ...",
        "running references, then the first samples ...",
    ]
