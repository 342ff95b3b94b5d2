"""The output buffer keeps the beginning of each stream and counts the rest."""

from __future__ import annotations

import os

import pytest

from assay.sandbox.inside.output import OutputBuffer
from assay.sandbox.inside.protocol import KEPT_BYTES


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


def test_the_beginning_is_kept_and_all_is_counted(pipe):
    reader, writer = pipe
    buffer = OutputBuffer()
    counted = 0
    for piece in (b"a" * 8000, b"b" * 8000):
        os.write(writer, piece)
        counted += buffer.read(reader, 0)
    assert counted == 16000
    assert bytes(buffer.kept(0)) == b"a" * 8000 + b"b" * (KEPT_BYTES - 8000)


def test_the_streams_are_apart_and_cleared_together(pipe):
    reader, writer = pipe
    buffer = OutputBuffer()
    for stream, piece in ((0, b"out"), (1, b"err")):
        os.write(writer, piece)
        buffer.read(reader, stream)
    assert [bytes(buffer.kept(stream)) for stream in (0, 1)] == [b"out", b"err"]
    buffer.clear()
    assert [bytes(buffer.kept(stream)) for stream in (0, 1)] == [b"", b""]
