"""The manifest beside a sample file: what decides its answers, and whether a stored file and a wanted one are the same.

Keeps true: answers that were drawn in one way are never continued in another. What decides no single answer may differ: when it began,
where the server is, how many answers are wanted, which problems are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.records import Generation
from assay.store.manifest_files import as_read, read_record, refuse, unequal, write_json

if TYPE_CHECKING:
    from pathlib import Path

DECIDING = ("benchmark", "benchmark_digest", "model", "style", "style_digest", "shots")
"""Fields that must be equal as they stand; those of the sampling too."""


def write_generation(path: Path, generation: Generation) -> None:
    """Writes a manifest, whole or not at all.

    Raises:
        StoreError: It can't be written.
    """
    write_json(path, generation)


def read_generation(path: Path) -> Generation | None:
    """Reads a manifest; None where there is none.

    Raises:
        StoreError: It can't be read, is damaged or was written under another schema.
    """
    hint = "name another file for the samples"
    return read_record(path, Generation, instead="name another file", damaged_hint=hint)


def refuse_other_generation(path: Path, stored: Generation, wanted: Generation) -> None:
    """Does nothing where both draw their answers in the same way.

    Raises:
        StoreError: They don't; each difference is named.
    """
    found = unequal(_deciding(stored), _deciding(wanted))
    hint = "name another file, or give --fresh to begin again (the old answers are kept beside it)"
    if [each.name for each in found] == ["sampling.temperature"] and found[0].stored == 0 and wanted.per_problem > 1:
        alike = (
            f"--temperature 0 goes on with them, but the {wanted.per_problem} answers to a problem would be much alike"
        )
        hint = f"{alike}, so that pass@k says no more than pass@1; or {hint}"
    refuse(found, f"{path} holds answers that were drawn in another way", hint)


def _deciding(generation: Generation) -> dict[str, Any]:
    row = as_read(generation)
    sampling = {f"sampling.{name}": value for name, value in row["sampling"].items()}
    return {name: row[name] for name in DECIDING} | sampling
