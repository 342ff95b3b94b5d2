"""What all records have in common: immutable, strict, digested alike."""

from __future__ import annotations

import hashlib
from typing import dataclass_transform

import msgspec

SCHEMA = 1
"""Version of every file format written by this release."""

JUDGE_VERSION = "1"
"""Changes when the judge may give another verdict for the same job; part of every job's digest."""

DEFAULT_GROUPS = ("base", "plus")
"""Groups of cases that decide `passed`; `challenge` joins only when it is asked for."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of all records: immutable, keyword-only, strict about unknown fields when read from a file."""


def digest(*parts: bytes | str) -> str:
    """32 hexadecimal digits of BLAKE2b over the parts, each with its length, so that no two lists of parts collide by joining.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    h = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "big"))
        h.update(data)
    return h.hexdigest()
