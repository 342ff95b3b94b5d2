"""The manifest beside a sample file: what decides its answers, and whether a stored file and a wanted one are the same.

Keeps true: answers that were drawn in one way are never continued in another. What decides no single answer may differ: when it began,
where the server is, how many answers are wanted, which problems are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import StoreError
from assay.records import SCHEMA, Generation
from assay.store.files import read_regular, replace_file
from assay.store.rows import UNREADABLE

if TYPE_CHECKING:
    from pathlib import Path

DECIDING = ("benchmark", "benchmark_digest", "model", "style", "style_digest", "shots")
"""Fields that must be equal as they stand; those of the sampling too."""


def write_generation(path: Path, generation: Generation) -> None:
    """Writes a manifest, whole or not at all.

    Raises:
        StoreError: It can't be written.
    """
    replace_file(path, msgspec.json.format(msgspec.json.encode(generation), indent=1) + b"\n")


def read_generation(path: Path) -> Generation | None:
    """Reads a manifest; None where there is none.

    Raises:
        StoreError: It can't be read, is damaged or was written under another schema.
    """
    data = read_regular(path)
    if data is None:
        return None
    try:
        schema = msgspec.json.decode(data, type=dict[str, Any]).get("schema")
        if schema != SCHEMA:
            message = f"{path} has schema {schema!r}, and this release of assay reads {SCHEMA}"
            raise StoreError(message, hint="use the release that wrote it, or name another file")
        return msgspec.json.decode(data, type=Generation)
    except UNREADABLE as error:
        raise StoreError(f"{path} is damaged: {error}", hint="name another file for the samples") from None


def refuse_other_generation(path: Path, stored: Generation, wanted: Generation) -> None:
    """Does nothing where both draw their answers in the same way.

    Raises:
        StoreError: They don't; each difference is named.
    """
    old, new = _deciding(stored), _deciding(wanted)
    found = [(name, old[name], new[name]) for name in old if old[name] != new[name]]
    if found:
        listing = "".join(f"\n  {name}: {was!r} there, {now!r} now" for name, was, now in found)
        hint = "name another file, or give --fresh to begin again (the old answers are kept beside it)"
        raise StoreError(f"{path} holds answers that were drawn in another way:{listing}", hint=hint)


def _deciding(generation: Generation) -> dict[str, Any]:
    """As it reads back from a file: tuples are lists."""
    row = msgspec.json.decode(msgspec.json.encode(generation), type=dict[str, Any])
    sampling = {f"sampling.{name}": value for name, value in row["sampling"].items()}
    return {name: row[name] for name in DECIDING} | sampling
