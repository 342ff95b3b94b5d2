from __future__ import annotations

import io
import os
import struct
import sys
import zipfile
import zlib

import pytest

from assay.errors import DataError
from assay.store.foreign import archive as module
from assay.store.foreign.archive import Archive, BadEntry


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, data in entries.items():
            packed.writestr(name, data)
    return out


def zstandard_zipped(packed: bytes, plain: bytes) -> io.BytesIO:
    """An archive with one entry `a` whose method is Zstandard, as inspect writes it."""
    out = zipped({"a": packed}, zipfile.ZIP_STORED)
    data = bytearray(out.getvalue())
    directory = data.index(b"PK\x01\x02")
    for at in (0, directory + 2):
        struct.pack_into("<H", data, at + 8, 93)
        struct.pack_into("<III", data, at + 14, zlib.crc32(plain), len(packed), len(plain))
    return io.BytesIO(bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_are_read_by_name(method):
    archive = Archive(zipped({"a": b"1", "b/c": b"22"}, method), "x.eval")
    assert archive.names() == ["a", "b/c"]
    assert [archive.read(name) for name in archive.names()] == [b"1", b"22"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_entries_with_one_name_the_last_counts():
    out = zipped({"a": b"old"})
    with zipfile.ZipFile(out, "a") as packed:
        packed.writestr("a", b"new")
    archive = Archive(out, "x.eval")
    assert archive.names() == ["a"]
    assert archive.read("a") == b"new"


def test_several_frames_of_zstandard_are_read_as_one():
    zstandard = pytest.importorskip("zstandard")
    packed = b"".join(zstandard.ZstdCompressor().compress(part) for part in (b"one, ", b"two"))
    assert Archive(zstandard_zipped(packed, b"one, two"), "x.eval").read("a") == b"one, two"


def test_damaged_zstandard_is_a_bad_entry():
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(b"text")
    for data, plain in ((packed, b"other"), (b"nonsense", b"text")):
        with pytest.raises(BadEntry, match="the entry is damaged"):
            Archive(zstandard_zipped(data, plain), "x.eval").read("a")


def test_zstandard_without_its_package_says_what_to_do(monkeypatch):
    if sys.version_info >= (3, 14):
        pytest.skip("this Python unpacks it by itself")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(DataError) as caught:
        Archive(zstandard_zipped(b"x", b"x"), "x.eval").read("a")
    assert "hint: pip install -e '.[inspect]' in assay's checkout" in str(caught.value)
    assert "inspect log convert" in str(caught.value)


@pytest.fixture
def small_bounds(monkeypatch):
    monkeypatch.setattr(module, "MAX_ENTRY_BYTES", 10_000)


@pytest.mark.usefixtures("small_bounds")
def test_an_entry_that_unpacks_without_bounds_is_cut_off_whatever_size_it_declares():
    out = zipped({"a": bytes(30_000)})
    data = bytearray(out.getvalue())
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(mark) + place, 10)
    for honest in (out, io.BytesIO(bytes(data))):
        with pytest.raises(BadEntry):
            Archive(honest, "x.eval").read("a")


@pytest.mark.usefixtures("small_bounds")
def test_zstandard_without_bounds_is_cut_off_too():
    zstandard = pytest.importorskip("zstandard")
    plain = bytes(30_000)
    with pytest.raises(BadEntry, match="unpacks to more than"):
        Archive(zstandard_zipped(zstandard.ZstdCompressor().compress(plain), plain), "x.eval").read("a")


@pytest.mark.usefixtures("small_bounds")
def test_an_archive_whose_entries_unpack_to_far_too_much_together_is_refused(monkeypatch):
    monkeypatch.setattr(module, "BELIEVABLE_RATIO", 2)
    archive = Archive(zipped({str(n): bytes(9_000) for n in range(10)}), "x.eval")
    with pytest.raises(DataError, match="unpacks to more than 2 times its size"):
        _ = [archive.read(name) for name in archive.names()]


def test_a_cut_archive_is_one_clear_error():
    whole = zipped({"a": b"1" * 100}).getvalue()
    for data in (whole[:-30], b"PK\x03\x04", b"PK\x05\x06" + bytes(10)):
        with pytest.raises(DataError, match="not a whole zip archive"):
            Archive(io.BytesIO(data), "x.eval")


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_bytes_nothing_else_is_raised(seed):
    data = bytearray(zipped({"samples/a_epoch_1.json": os.urandom(50), "b": b"x" * 500}).getvalue())
    at = (seed * 7919) % len(data)
    data[at] ^= 1 << (seed % 8)
    data[(at * 31) % len(data)] ^= 0xFF
    try:
        archive = Archive(io.BytesIO(bytes(data)), "x.eval")
        for name in archive.names():
            archive.read(name)
    except (DataError, BadEntry):
        pass


def test_encrypted_entries_and_unknown_methods_are_bad_entries():
    data = bytearray(zipped({"a": b"1"}).getvalue())
    directory = data.index(b"PK\x01\x02")
    encrypted, unknown = bytearray(data), bytearray(data)
    encrypted[directory + 8] |= 1
    struct.pack_into("<H", unknown, directory + 10, 99)
    with pytest.raises(BadEntry, match="encrypted"):
        Archive(io.BytesIO(bytes(encrypted)), "x.eval").read("a")
    with pytest.raises(BadEntry, match="method 99"):
        Archive(io.BytesIO(bytes(unknown)), "x.eval").read("a")
