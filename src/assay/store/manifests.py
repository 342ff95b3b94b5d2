"""`run.json`: what decides a run's numbers, and whether a stored run and a wanted one are the same.

Keeps true: verdicts made under one set of conditions are never continued under another. What can't change a verdict may
differ: when the run began, where the sample file lies and what it holds (each verdict is bound to its sample by the job
digest), versions of packages, how many workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from assay.errors import StoreError
from assay.order import natural_key
from assay.records import SCHEMA, Manifest
from assay.store.files import read_regular, replace_file
from assay.store.rows import UNREADABLE

if TYPE_CHECKING:
    from pathlib import Path

DECIDING = (
    "benchmark",
    "benchmark_version",
    "benchmark_digest",
    "split",
    "limit",
    "problems",
    "interpreter",
    "seed",
    "judge_version",
)
"""Fields that must be equal as they stand; settings and isolation are looked into."""

HARMLESS_SETTINGS = frozenset({"workers", "minimum_level", "confirm", "cache"})
"""Settings that can't change a verdict: the level that was really reached is compared in the place of the minimum, and a row says by
itself whether its time limit is confirmed."""


class Difference(NamedTuple):
    """A condition that is not the same: its name, what is stored and what is wanted."""

    name: str
    stored: Any
    wanted: Any


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Writes `run.json`, whole or not at all.

    Raises:
        StoreError: It can't be written.
    """
    replace_file(path, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")


def read_manifest(path: Path) -> Manifest | None:
    """Reads `run.json`; None where there is none.

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
            raise StoreError(message, hint="use the release that wrote it, or name another folder")
        return msgspec.json.decode(data, type=Manifest)
    except UNREADABLE as error:
        raise StoreError(f"{path} is damaged: {error}", hint="name another folder") from None


def differences(stored: Manifest, wanted: Manifest) -> tuple[Difference, ...]:
    """The conditions that decide numbers and are not the same in both."""
    old, new = _plain(stored), _plain(wanted)
    found = [Difference(name, old[name], new[name]) for name in DECIDING if old[name] != new[name]]
    names = sorted((old["settings"].keys() | new["settings"].keys()) - HARMLESS_SETTINGS)
    pairs = [(f"settings.{name}", old["settings"].get(name), new["settings"].get(name)) for name in names]
    pairs += [(f"isolation.{name}", old["isolation"][name], new["isolation"][name]) for name in ("level", "missing")]
    return (
        *found,
        *(Difference(*pair) for pair in pairs if pair[1] != pair[2]),
        *_other_limits(old["limits"], new["limits"]),
    )


def _other_limits(old: dict[str, Any], new: dict[str, Any]) -> tuple[Difference, ...]:
    """The first problem whose limits are not the same, and how many more there are: a whole limits file fits in no message."""
    ids = sorted((id_ for id_ in old.keys() | new.keys() if old.get(id_) != new.get(id_)), key=natural_key)
    if not ids:
        return ()
    more = f" (and of {len(ids) - 1} more problems)" if len(ids) > 1 else ""
    return (Difference(f"limits of problem {ids[0]}{more}", old.get(ids[0], {}), new.get(ids[0], {})),)


def _plain(manifest: Manifest) -> dict[str, Any]:
    """As it reads back from a file: tuples are lists, enumerations texts."""
    return msgspec.json.decode(msgspec.json.encode(manifest), type=dict[str, Any])


def refuse_differences(folder: Path, stored: Manifest, wanted: Manifest) -> None:
    """Does nothing where both runs have the same conditions.

    Raises:
        StoreError: They differ; each difference is named.
    """
    found = differences(stored, wanted)
    if found:
        listing = "".join(f"\n  {name}: {old!r} there, {new!r} now" for name, old, new in found)
        hint = "name another folder, or give --fresh to begin this one again (the old verdicts are kept beside it)"
        raise StoreError(f"{folder} holds a run under other conditions:{listing}", hint=hint)
