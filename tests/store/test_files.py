import os
import socket
import stat

import pytest

from assay.errors import StoreError
from assay.store.files import open_regular, read_regular, replace_file, replace_file_by


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "run.json"
    for text in (b"old", b"new and longer"):
        replace_file(path, text)
        assert read_regular(path) == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_replacement_leaves_the_old_file_and_no_rubbish(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    replace_file(path, b"old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match="No space left"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_made_piece_by_piece_and_is_replaced_only_by_all_of_them(tmp_path):
    path = tmp_path / "out.json"
    replace_file_by(path, (str(number).encode() for number in range(12)))
    assert path.read_bytes() == b"01234567891011"

    def broken():
        yield b"new"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        replace_file_by(path, broken())
    assert path.read_bytes() == b"01234567891011"
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_is_reached_through_a_symbolic_link(tmp_path):
    target = tmp_path / "elsewhere"
    target.write_bytes(b"precious")
    link = tmp_path / "link"
    link.symlink_to(target)
    for use in (lambda: replace_file(link, b"x"), lambda: read_regular(link), lambda: open_regular(link, os.O_RDWR)):
        with pytest.raises(StoreError, match=r"is a symbolic link.*could make assay overwrite a file elsewhere"):
            use()
    assert target.read_bytes() == b"precious"


def test_a_pipe_or_folder_in_the_place_of_a_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(StoreError, match="is not a regular file"):
            read_regular(tmp_path / name)


def test_a_file_that_is_not_there_reads_as_none(tmp_path):
    assert read_regular(tmp_path / "none") is None


def test_what_is_no_file_is_never_replaced_by_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    server.close()
    before = {path.name: path.lstat().st_mode for path in tmp_path.iterdir()}
    for name in before:
        with pytest.raises(StoreError, match=rf"{name} is not a regular file, so it is not replaced"):
            replace_file(tmp_path / name, b"x")
    assert {path.name: path.lstat().st_mode for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_never_replaced_by_a_file(tmp_path):
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this machine lets nobody make a device")
    with pytest.raises(StoreError, match="null is not a regular file"):
        replace_file(device, b"x")
    assert stat.S_ISCHR(device.lstat().st_mode)
