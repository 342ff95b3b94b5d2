"""What `assay judge` does with other projects' files, from the command line's side."""

from __future__ import annotations

import json
import os
from pathlib import Path

from assay.store import read_run


def judge(folder, name: str, *words: str) -> tuple[int, str, str]:
    return folder.assay("judge", "problems.jsonl", name, "-o", "run", *words)


def test_the_same_command_again_goes_on_and_judges_nothing_twice(folder) -> None:
    for name, write in (("generations.json", generations), ("programs", programs), ("log.json", log)):
        write(name)
        assert judge(folder, name, "--fresh")[0] == 0
        assert sorted(folder.engine.judged) == [("a", 0), ("a", 1), ("b", 0)]
        folder.engine.judged.clear()
        assert judge(folder, name)[0] == 0
        assert folder.engine.judged == []


def generations(name: str) -> None:
    Path(name).write_text(json.dumps([["right", "wrong"], ["weak"]]))


def programs(name: str) -> None:
    for path, text in (("a/0.py", "right"), ("a/1.py", "wrong"), ("b/0.py", "weak")):
        (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(name) / path).write_text(text)


def log(name: str) -> None:
    answers = (("a", 1, "right"), ("b", 1, "weak"), ("a", 2, "wrong"))
    samples = [{"id": id_, "epoch": epoch, "output": {"completion": text}} for id_, epoch, text in answers]
    Path(name).write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples}))


def test_a_sample_more_is_judged_alone(folder) -> None:
    programs("programs")
    judge(folder, "programs")
    folder.engine.judged.clear()
    Path("programs/b/1.py").write_text("right")
    assert judge(folder, "programs")[0] == 0
    assert folder.engine.judged == [("b", 1)]


def test_the_run_knows_its_folder_of_programs_by_path_and_digest(folder) -> None:
    programs("programs")
    judge(folder, "programs")
    first = read_run("run").manifest
    assert first.samples == "programs"
    assert len(first.samples_digest) == 64
    Path("programs/b/0.py").write_text("wrong")
    judge(folder, "programs")
    assert read_run("run").manifest.samples_digest != first.samples_digest


def test_what_is_wrong_ends_with_exit_status_2_and_no_traceback(folder) -> None:
    Path("generations.json").write_text(json.dumps([["right"]]))
    Path("archive.zip").write_bytes(b"PK\x03\x04 and nothing more")
    Path("results.json").write_text(json.dumps({"results": {}}))
    Path("empty").mkdir()
    Path("programs/a").mkdir(parents=True)
    os.mkfifo("programs/a/0.py")
    for name in ("generations.json", "archive.zip", "results.json", "empty", "programs"):
        status, out, err = judge(folder, name)
        assert (status, out) == (2, "")
        assert err.startswith(f"error: {name}: ")
        assert "hint: " in err
        assert "Traceback" not in err
    assert not Path("run").exists()
