import base64
import zlib

import pytest

from assay.report import packing
from assay.report.packing import pack


def pages(count, size=100):
    return [(f"p{i}", f"{i}:" + "x" * size) for i in range(count)]


def contents(packed):
    return {
        key: html
        for block in packed.blocks
        for key, html in zip(
            block.keys, zlib.decompress(base64.b64decode(block.data)).decode().split("\0"), strict=True
        )
    }


def test_few_pages_stay_as_they_are():
    packed = pack(pages(5), 10**6)
    assert packed.plain == tuple(pages(5))
    assert packed.blocks == ()


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(packing, "PLAIN_CHARACTERS", 1000)
    monkeypatch.setattr(packing, "BLOCK_CHARACTERS", 500)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("count", [11, 12, 40])
def test_many_pages_come_back_whole_out_of_blocks(count):
    packed = pack(pages(count), 10**6)
    assert packed.plain == ()
    assert contents(packed) == dict(pages(count))
    assert packed.keys == {f"p{i}" for i in range(count)}


@pytest.mark.usefixtures("small")
def test_no_more_pages_are_made_than_fit():
    made = []

    def making():
        for key, html in pages(1000):
            made.append(key)
            yield key, html

    packed = pack(making(), 2000)
    assert sum(len(block.data) for block in packed.blocks) <= 2100
    assert len(made) == len(packed.keys) < 1000


def test_lines_of_code_are_joined_in_blocks(monkeypatch):
    monkeypatch.setattr(packing, "PLAIN_CHARACTERS", 1)
    packed = pack([("p0", "<code><i>a\n</i><i>b\n</i><b>c\n</b><i>d\n</i></code>")], 10**6)
    assert contents(packed) == {"p0": "<code><i>a\nb\n</i><b>c\n</b><i>d\n</i></code>"}
