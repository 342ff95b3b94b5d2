"""`run.json`: what decides a run's numbers, and whether a stored run and a wanted one are the same.

Keeps true: verdicts made under one set of conditions are never continued under another. What can't change a verdict may
differ: when the run began, where files lie, what the sample file holds (each verdict is bound to its sample by the job digest),
versions of packages, how many workers. But a result is not lost by a wrong folder: the samples of a run may grow, shrink and be
written anew where they lie, and may move as they are; other ones from elsewhere do not take the place of those that were judged.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.counts import count_of
from assay.errors import StoreError
from assay.order import natural_key
from assay.records import Manifest
from assay.store.manifest_files import Difference, as_read, read_record, refuse, unequal, write_json

if TYPE_CHECKING:
    from assay.store.index import IndexedFile

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


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Writes `run.json`, whole or not at all.

    Raises:
        StoreError: It can't be written.
    """
    write_json(path, manifest)


def read_manifest(path: Path) -> Manifest | None:
    """Reads `run.json`; None where there is none.

    Raises:
        StoreError: It can't be read, is damaged or was written under another schema.
    """
    return read_record(path, Manifest, instead="name another folder")


def differences(stored: Manifest, wanted: Manifest) -> tuple[Difference, ...]:
    """The conditions that decide numbers and are not the same in both."""
    old, new = as_read(stored), as_read(wanted)
    found = unequal({name: old[name] for name in DECIDING}, new)
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


_STREAMS = ("/dev/", "/proc/")
"""Where pipes have names, which are others each time (`<(...)` of a shell)."""

_OTHER_FOLDER = "name another folder, or give --fresh to begin this one again (the old verdicts are kept beside it)"


def refuse_other_samples(folder: Path, stored: Manifest, wanted: Manifest, rows: IndexedFile) -> None:
    """Does nothing where a run may go on with the samples that are wanted, or has no verdicts that could be lost.

    Args:
        folder: The run's folder; a sample file in it is the run's own, wherever the folder was moved.
        stored: The run as it is.
        wanted: The run as it would be.
        rows: The stored verdicts, those left out that belong to no sample of the wanted run.

    Raises:
        StoreError: The samples come from elsewhere and are others, or no stored verdict is of any of them.
    """
    if not rows.rows or stored.samples_digest == wanted.samples_digest:
        return
    old, new = _place(stored), _place(wanted)
    if old != new and not _is_within(new, folder):
        told = (
            f"{folder} holds a run of other samples: of {stored.samples_path or stored.samples}, and {new} holds others"
        )
    elif rows.orphans == rows.rows:
        told = f"{folder} holds a run of other samples: {count_of(rows.rows, 'verdict')}, none of a sample of {wanted.samples}"
    else:
        return
    raise StoreError(told, hint=_OTHER_FOLDER)


def _place(manifest: Manifest) -> str:
    """The absolute path of a run's samples, `-` for anything that came through a pipe."""
    if manifest.samples_path is not None:
        return manifest.samples_path
    path = manifest.samples
    return "-" if path == "-" or path.startswith(_STREAMS) else os.path.abspath(path)  # noqa: PTH100 (links stay links)


def _is_within(path: str, folder: Path) -> bool:
    return path != "-" and Path(path).resolve().is_relative_to(folder.resolve())


def refuse_differences(folder: Path, stored: Manifest, wanted: Manifest) -> None:
    """Does nothing where both runs have the same conditions.

    Raises:
        StoreError: They differ; each difference is named.
    """
    refuse(differences(stored, wanted), f"{folder} holds a run under other conditions", _OTHER_FOLDER)
