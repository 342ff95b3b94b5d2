"""What every reader of a foreign form gives: samples as rows of ours, each with the place where it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Found(NamedTuple):
    """A sample: `place` is where it stands in its file, `row` a row of ours, or the reason why it is none."""

    place: str
    row: Mapping[str, Any] | ValueError


class Foreign(NamedTuple):
    """A file of a foreign form, read while `rows` is iterated.

    `digest` gives the SHA-256 of what was read, hexadecimal, once there are no more rows.
    """

    rows: Iterator[Found]
    digest: Callable[[], str]
