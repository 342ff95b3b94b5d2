"""The JSON file beside rows that says under which conditions they were made: how any such file is written, read and held against another.

Keeps true: it is whole or not there; one that is damaged or of another schema is refused, never guessed at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from assay.errors import StoreError
from assay.records import SCHEMA, Record
from assay.store.files import read_regular, replace_file
from assay.store.rows import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

R = TypeVar("R", bound=Record)


class Difference(NamedTuple):
    """A condition that is not the same: its name, what is stored and what is wanted."""

    name: str
    stored: Any
    wanted: Any


def write_json(path: Path, content: object) -> None:
    """Writes a record or a table for people and programs to read, whole or not at all.

    Raises:
        StoreError: It can't be written.
    """
    replace_file(path, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")


def read_record(path: Path, kind: type[R], *, instead: str, damaged_hint: str | None = None) -> R | None:
    """Reads a manifest; None where there is none.

    Args:
        path: The file.
        kind: The record that it holds.
        instead: What the user can do where it is not to be used ("name another folder").
        damaged_hint: The same where it is damaged, if there is more to say.

    Raises:
        StoreError: It can't be read, is damaged or was written under another schema.
    """
    data = read_regular(path)
    if data is None:
        return None
    try:
        schema = as_read(data).get("schema")
        if schema != SCHEMA:
            message = f"{path} has schema {schema!r}, and this release of assay reads {SCHEMA}"
            raise StoreError(message, hint=f"use the release that wrote it, or {instead}")
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        raise StoreError(f"{path} is damaged: {error}", hint=damaged_hint or instead) from None


def as_read(record: Record | bytes) -> dict[str, Any]:
    """A manifest as it reads back from a file, which is how two are compared: tuples are lists, enumerations texts."""
    data = record if isinstance(record, bytes) else msgspec.json.encode(record)
    return msgspec.json.decode(data, type=dict[str, Any])


def unequal(stored: dict[str, Any], wanted: dict[str, Any]) -> list[Difference]:
    """The stored conditions that are not the wanted ones.

    >>> unequal({"n": 1, "k": 2}, {"n": 1, "k": 3})
    [Difference(name='k', stored=2, wanted=3)]
    """
    return [Difference(name, value, wanted[name]) for name, value in stored.items() if value != wanted[name]]


def refuse(found: Sequence[Difference], what: str, hint: str) -> None:
    """Does nothing where there are no differences.

    Args:
        found: The differences.
        what: What is there instead of what is wanted, in words.
        hint: What the user can do.

    Raises:
        StoreError: There are; each is named.
    """
    if found:
        listing = "".join(f"\n  {name}: {_told(name, old)} there, {_told(name, new)} now" for name, old, new in found)
        raise StoreError(f"{what}:{listing}", hint=hint)


def _told(name: str, value: object) -> str:
    if value is None:
        return f"no {name}" if name in ("split", "limit") else "none"
    return repr(value)
