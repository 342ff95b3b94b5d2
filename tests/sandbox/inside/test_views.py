"""Wiping a directory, whatever lies in it."""

from __future__ import annotations

import os

import pytest

from assay.sandbox.inside.views import empty_directory


@pytest.fixture
def top(tmp_path):
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


def test_a_link_is_removed_and_not_followed(tmp_path, top, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "kept").write_text("x")
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(outside)
    empty_directory(top)
    assert list(tmp_path.iterdir()) == []
    assert (outside / "kept").exists()


def test_a_directory_that_may_not_be_read_is_removed(tmp_path, top):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("x")
    (tmp_path / "a" / "b").chmod(0)
    (tmp_path / "a").chmod(0)
    empty_directory(top)
    assert list(tmp_path.iterdir()) == []


def test_names_of_any_bytes_are_removed(tmp_path, top):
    for name in (b"\xff\xfe", b"-rf", b" ", b"\n", "é".encode()):
        os.close(os.open(os.fsencode(tmp_path) + b"/" + name, os.O_CREAT))
    os.mkfifo(tmp_path / "fifo")
    empty_directory(top)
    assert list(tmp_path.iterdir()) == []
