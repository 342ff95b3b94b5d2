"""Pages of problems, made small: as they are while they are few, otherwise deflated in blocks that the page's script opens.

Keeps true: the file stays below its size, and a report that leaves pages out knows how many.
"""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PLAIN_CHARACTERS = 700_000
"""Up to so many characters pages stand in the file as they are, so that they can be read without a script."""
BLOCK_CHARACTERS = 300_000
"""Characters of a block before it is deflated: few enough to be opened in no time, enough to deflate well."""


class Block(NamedTuple):
    """Deflated pages: the names of those within, and the bytes as base64."""

    keys: tuple[str, ...]
    data: str


class Packed(NamedTuple):
    """The pages of a report: either `plain` or in `blocks`; `keys` are all that are there."""

    plain: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    keys: frozenset[str]


def pack(pages: Iterable[tuple[str, str]], most_bytes: int) -> Packed:
    """Takes pages until the file would grow too large.

    Args:
        pages: Names and HTML, in the order in which they matter; no more is made than is taken.
        most_bytes: What the pages may take up.
    """
    pending: list[tuple[str, str]] = []
    blocks: list[Block] = []
    size = used = 0
    for key, html in pages:
        pending.append((key, html))
        size += len(html)
        if size > (BLOCK_CHARACTERS if blocks else min(PLAIN_CHARACTERS, most_bytes)):
            for start in range(0, len(pending), _a_block(pending)):
                blocks.append(_deflated(pending[start : start + _a_block(pending)]))
                used += len(blocks[-1].data)
            pending, size = [], 0
            if used + len(blocks[-1].data) > most_bytes:
                break
    if blocks and pending:
        blocks.append(_deflated(pending))
        pending = []
    keys = frozenset({key for key, _ in pending} | {key for block in blocks for key in block.keys})
    return Packed(tuple(pending), tuple(blocks), keys)


def packed_bytes(pages: Sequence[str]) -> int:
    """About what a page like these takes up when it is packed."""
    return len(_deflated([("", html) for html in pages]).data) // max(len(pages), 1)


def _a_block(pages: Sequence[tuple[str, str]]) -> int:
    """How many pages, about as large as these, make a block."""
    mean = sum(len(html) for _, html in pages) / len(pages)
    return max(1, int(BLOCK_CHARACTERS / mean))


def _deflated(pages: Sequence[tuple[str, str]]) -> Block:
    # Lines of code stand apart for who reads without a script; it can tell them apart by itself.
    text = "\0".join(html for _, html in pages).replace("\n</i><i>", "\n").encode("utf-8")
    return Block(tuple(key for key, _ in pages), base64.b64encode(zlib.compress(text, 9)).decode("ascii"))
