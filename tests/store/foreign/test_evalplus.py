from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from assay.benchmarks import from_rows, load
from assay.errors import SettingsError
from assay.store.samples import open_samples


@pytest.fixture
def folder(files):
    """Programs of two problems, and what else lies about."""
    for name in ("HumanEval_0/0.py", "HumanEval_0/2.py", "HumanEval_0/10.py", "HumanEval_1/0.py"):
        files.write(f"# {name}\r\n".encode(), f"model_temp_0.8/{name}")
    files.write(b"{}", "model_temp_0.8/args.txt")
    files.write(b"not a program", "model_temp_0.8/HumanEval_0/0.raw")
    return files.folder / "model_temp_0.8"


def test_programs_are_solutions_in_the_natural_order_of_their_numbers(files, folder):
    read = files.read(folder)
    assert read.samples == {
        "HumanEval/0": [(f"# HumanEval_0/{n}.py\r\n", "solution") for n in (0, 2, 10)],
        "HumanEval/1": [("# HumanEval_1/0.py\r\n", "solution")],
    }
    assert read.warnings == ()


def test_a_folders_name_is_an_id_or_a_prefixed_id_with_its_slashes_written_as_underscores(files):
    row = {"task_id": 11, "text": "t", "code": "def f(): pass", "test_list": ["assert f()"]}
    problems = load("mbpp", data=files.rows([row], "mbpp.jsonl"))
    for name in ("Mbpp_11", "MBPP_11", "11"):
        files.write(b"pass", f"{name}-all/{name}/0.py")
        assert list(files.read(files.folder / f"{name}-all", problems).samples) == ["11"]


def test_the_digest_knows_names_and_contents(files, folder):
    before = files.read(folder).digest
    assert files.read(folder).digest == before
    (folder / "HumanEval_1/0.py").write_text("# other")
    changed = files.read(folder).digest
    (folder / "HumanEval_1/0.py").rename(folder / "HumanEval_1/1.py")
    assert len({before, changed, files.read(folder).digest}) == 3


def test_what_cannot_be_read_is_told_with_its_path_and_nothing_outside_the_folder_is(files, folder):
    secret = files.write(b"secret = 1", "secret.py")
    (folder / "HumanEval_2").mkdir()
    (folder / "HumanEval_2/0.py").symlink_to(secret)
    (folder / "HumanEval_2/1.py").mkdir()
    os.mkfifo(folder / "HumanEval_2/2.py")
    (folder / "HumanEval_2/3.py").write_bytes(b"a = '\xe9'")
    (folder / "HumanEval_3").symlink_to(folder / "HumanEval_1")
    files.write(b"pass", "model_temp_0.8/HumanEval_99/0.py")
    message = files.refused(folder)
    assert "HumanEval_2/0.py: a symbolic link, and links are not followed" in message
    assert "HumanEval_2/1.py: it can't be read: Is a directory" in message or "1.py: not a regular file" in message
    assert "HumanEval_2/2.py: not a regular file" in message
    assert "HumanEval_2/3.py: not UTF-8: byte 0xe9" in message
    assert "HumanEval_3: a symbolic link" in message
    assert "HumanEval_99/0.py: unknown task_id 'HumanEval/99'" in message
    read = files.read(folder, skip=True)
    assert list(read.samples) == ["HumanEval/0", "HumanEval/1"]
    assert "secret" not in str(read.samples)


def test_what_may_not_be_read_is_told_too(files, folder, monkeypatch):
    real = os.open

    def refuse(path, *rest, **others):
        if str(path).endswith("HumanEval_0/0.py"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **others)

    monkeypatch.setattr("os.open", refuse)
    message = files.refused(folder)
    assert "HumanEval_0/0.py: it can't be read: Permission denied" in message
    assert "1 row can't be used" in message


def test_a_folder_of_a_problem_that_may_not_be_listed_is_told_too(files, folder, monkeypatch):
    real = Path.iterdir

    def refuse(path):
        if path.name == "HumanEval_1":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert "HumanEval_1: it can't be read: Permission denied" in files.refused(folder)


def test_a_folder_that_cannot_be_listed_is_the_users_to_correct(files, monkeypatch):
    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(SettingsError, match="Permission denied"):
        files.read(files.folder)


def test_a_file_without_bounds_is_refused(files, folder, monkeypatch):
    monkeypatch.setattr("assay.store.foreign.evalplus.MAX_LINE_BYTES", 30)
    (folder / "HumanEval_1/0.py").write_bytes(b"x" * 31)
    assert "HumanEval_1/0.py: larger than" in files.refused(folder)


def test_a_name_that_two_problems_share_is_not_guessed_at(files):
    rows = [{"id": name, "prompt": "p", "tests": ["assert f()"]} for name in ("a/b", "a_b")]
    files.write(b"pass", "folder/a_b/0.py")
    message = files.refused(files.folder / "folder", from_rows(rows))
    assert "the folder's name stands for several problems: a/b, a_b" in message


@pytest.mark.parametrize("name", ["samples.jsonl", "log.eval"])
def test_a_folder_round_what_was_meant_names_it(files, folder, name):
    assert f"did you mean {folder}?" in files.refused(folder.parent)
    files.write(b"", f"logs/{name}")
    assert f"did you mean {files.folder / 'logs' / name}?" in files.refused(files.folder / "logs")


def test_an_empty_folder_shows_how_one_looks(files):
    assert "Mbpp_2/0.py" in files.refused(files.folder)


def test_memory_grows_neither_with_the_number_of_programs_nor_with_what_a_file_might_hold(files):
    for number in range(6):
        for index in range(100):
            files.write(b"x" * 2000, f"programs/HumanEval_{number}/{index}.py")
    tracemalloc.start()
    try:
        with open_samples(str(files.folder / "programs"), files.benchmark()) as samples:
            held, peak = tracemalloc.get_traced_memory()
            assert samples.count == 600
    finally:
        tracemalloc.stop()
    assert held < 200_000
    assert peak < 1_000_000
