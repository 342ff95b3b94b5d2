"""The user's cache: what comes out is what was put in, and whatever is wrong with it costs time at the most."""

from __future__ import annotations

import os

import pytest

from assay.errors import StoreError
from assay.records import digest
from assay.store import Cache, CacheSize, cache_folder
from assay.store.cache import LARGEST_BYTES

KEY, OTHER = digest("one"), digest("other")


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "kept")


def only_file(cache):
    (path,) = cache.folder.glob("??/*")
    return path


def test_what_was_put_in_comes_out_in_another_process_too(cache):
    cache.put(KEY, b"told")
    assert Cache(cache.folder).get(KEY) == b"told"
    assert cache.get(OTHER) is None


def test_nothing_is_made_before_something_is_put_in(cache):
    assert cache.get(KEY) is None
    assert cache.size() == CacheSize(0, 0)
    assert not cache.folder.exists()


def test_only_the_user_may_look_into_it(cache):
    cache.put(KEY, b"told")
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert only_file(cache).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:10],
        lambda _: b"",
        lambda data: data + b"x",
        lambda data: data[:-1] + bytes((data[-1] ^ 1,)),
        lambda data: data.replace(b"cache 1", b"cache 2"),
    ],
)
def test_a_damaged_file_is_taken_away(cache, damage):
    cache.put(KEY, b"told")
    path = only_file(cache)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.get(KEY) is None
    assert not path.exists()


def test_a_file_under_another_name_is_not_taken_for_what_it_holds(cache):
    cache.put(KEY, b"told")
    cache.put(OTHER, b"other")
    first, second = (cache.folder / key[:2] / f"{key[2:]}.kept" for key in (KEY, OTHER))
    second.write_bytes(first.read_bytes())
    assert cache.get(OTHER) is None
    assert cache.get(KEY) == b"told"


def test_what_is_too_large_is_not_kept(cache):
    cache.put(KEY, bytes(LARGEST_BYTES + 1))
    assert cache.get(KEY) is None


def test_what_was_not_used_for_longest_goes_first(cache):
    keys = [digest(str(number)) for number in range(4)]
    for age, key in enumerate(keys):
        cache.put(key, bytes(1000))
        os.utime(cache.folder / key[:2] / f"{key[2:]}.kept", (1000 + age, 1000 + age))
    assert cache.get(keys[0]) is not None  # and with that it was used
    cache.trim(2500)
    assert [cache.get(key) is not None for key in keys] == [True, False, False, True]


def test_nothing_goes_where_nothing_was_put_in(cache):
    cache.put(KEY, b"told")
    later = Cache(cache.folder)
    later.trim(0)
    assert later.get(KEY) == b"told"


def test_clearing_takes_all_away_and_nothing_else(cache):
    cache.put(KEY, b"told")
    (cache.folder / "notes.txt").write_text("mine")
    assert cache.clear().entries == 1
    assert cache.get(KEY) is None
    assert (cache.folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_may_write_in_is_refused(tmp_path, mode):
    tmp_path.chmod(mode)
    with pytest.raises(StoreError, match="by others than you"):
        Cache(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "kept").write_text("")
    with pytest.raises(StoreError, match="no folder"):
        Cache(tmp_path / "kept")


def test_what_can_not_be_written_is_said(cache):
    cache.put(KEY, b"told")
    (cache.folder / OTHER[:2]).write_text("in the way")
    with pytest.raises(StoreError, match="is a file, and a folder is wanted there"):
        cache.put(OTHER, b"other")


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"ASSAY_CACHE": "off", "HOME": "/home/me"}, None),
        ({"ASSAY_CACHE": "", "HOME": "/home/me"}, None),
        ({"ASSAY_CACHE": "kept", "HOME": "/home/me"}, "kept"),
        ({"XDG_CACHE_HOME": "/var/cache", "HOME": "/home/me"}, "/var/cache/assay"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/me"}, "/home/me/.cache/assay"),
        ({"HOME": "/home/me"}, "/home/me/.cache/assay"),
        ({}, None),
    ],
)
def test_the_folder_is_where_the_environment_says(environment, place):
    found = cache_folder(environment)
    assert (None if found is None else str(found)) == place
