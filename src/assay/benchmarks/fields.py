"""Typed looks into a row: each returns a field's value or says, naming field and value, why the row is unusable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.jsonrows import json_kind

if TYPE_CHECKING:
    from collections.abc import Mapping


class UnusableRow(ValueError):
    """A row can't become a problem; the message names field and value. Turned into a `BadRow` of one `DataError`."""


def required_text(row: Mapping[str, Any], key: str) -> str:
    """The text under `key`.

    Raises:
        UnusableRow: It is missing or no text.
    """
    if row.get(key) is None:
        raise UnusableRow(f"{key!r} is missing")
    return optional_text(row, key) or ""


def optional_text(row: Mapping[str, Any], key: str) -> str | None:
    """The text under `key`, None where there is none.

    Raises:
        UnusableRow: It is no text.
    """
    value = row.get(key)
    if value is None or isinstance(value, str):
        return value
    raise UnusableRow(f"{key!r} must be a text, not {describe(value)}")


def list_of_texts(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts under `key`; empty where the field is missing.

    Raises:
        UnusableRow: It is no list, or holds something else than texts.
    """
    values = row.get(key)
    if values is None:
        return ()
    if not isinstance(values, list | tuple):
        raise UnusableRow(f"{key!r} must be a list of texts, not {describe(values)}")
    for value in values:
        if not isinstance(value, str):
            raise UnusableRow(f"{key!r} must hold texts, not {describe(value)}")
    return tuple(values)


def identifier(row: Mapping[str, Any], key: str) -> str:
    """The problem's id as text: a text without blanks round it, or a whole number, which becomes its decimal text.

    Raises:
        UnusableRow: It is missing, empty, of another type, or has blanks or control characters round or in it.
    """
    value = row.get(key)
    if value is None:
        raise UnusableRow(f"{key!r} is missing")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise UnusableRow(f"{key!r} must be a text or a whole number, not {describe(value)}")
    if not value or value != value.strip() or not value.isprintable():
        raise UnusableRow(f"{key!r} must be a printable text without blanks round it, not {value!r}")
    return value


def describe(value: object) -> str:
    """The value and its kind, short enough for a message."""
    shown = repr(value)
    return f"{json_kind(value)} ({shown if len(shown) <= 60 else shown[:57] + '...'})"
