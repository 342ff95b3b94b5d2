"""Where words go: data to stdout (`put`), everything else to stderr (`say`)."""

from __future__ import annotations

import io
import json
import sys

import msgspec

from assay.cli.streams import say
from assay.visible import escaped_json, visible

__all__ = ["accept_any_text", "notes_of", "put", "put_json", "say"]


def put(text: str) -> None:
    """Write lines of data to stdout; what can't be seen in them is written as a sign for it: no id or message acts on a terminal."""
    shown = visible(text)
    sys.stdout.write(shown if shown.endswith("\n") else f"{shown}\n")


def notes_of(error: BaseException) -> tuple[str, ...]:
    """What was added to an error on its way up: of an interruption, what is kept."""
    return tuple(getattr(error, "__notes__", ()))


def put_json(value: object) -> None:
    """Write one JSON document to stdout, indented for people.

    JSON has no place for lone surrogates, which ids and messages of foreign data may hold: then all of it is written as escapes.
    """
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
        put(escaped_json(text))
    except UnicodeEncodeError:
        put(json.dumps(msgspec.to_builtins(value), indent=2))


def accept_any_text() -> None:
    """Let stdout show what its encoding lacks, or no encoding has, as escapes, rather than fail half-way."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
