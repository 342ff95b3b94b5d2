"""Published data sets from the Hugging Face hub: from its cache where they are there, else downloaded once.

Keeps true: a name means the same rows on every machine, since each data set is pinned to a commit and its rows are counted;
what can't be had (no network, no packages, a broken copy) is one sentence that says what to do. `huggingface_hub` and
`pyarrow`, the extra `hub`, are imported only by the functions that use them: who gives files needs neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from assay.benchmarks.rowfiles import NumberedRow
from assay.errors import DataError, SettingsError


@dataclass(frozen=True)
class HubCopy:
    """Where a benchmark lies on the hub.

    Args:
        repository: The data set's name there.
        revision: The commit that is read, in 40 hexadecimal digits. It names the rows for ever; a branch would not.
        folder: The folder of its parquet files.
        splits: `(split, rows)` in the order of the published file, so that the rows have that file's digest.
        verified: Whether somebody has seen this line hold on the network. Until then it rests on what others wrote down.
    """

    repository: str
    revision: str
    folder: str
    splits: tuple[tuple[str, int], ...]
    verified: bool = False

    def __str__(self) -> str:
        return f"{self.repository}@{self.revision[:12]}"


_MBPP = "google-research-datasets/mbpp", "4bb6404fdc6cacfda99d4ac4205087b89d32030c"

HUB = {
    "mbpp": HubCopy(*_MBPP, "full", (("prompt", 10), ("test", 500), ("validation", 90), ("train", 374))),
    "mbpp:sanitized": HubCopy(*_MBPP, "sanitized", (("prompt", 7), ("test", 257), ("validation", 43), ("train", 120))),
    "humaneval": HubCopy(
        "openai/openai_humaneval", "7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544", "openai_humaneval", (("test", 164),)
    ),
    "mbppplus": HubCopy("evalplus/mbppplus", "b2d74c91837c3f2a20c1299ae98133cbe7cfa077", "data", (("test", 378),)),
    "humanevalplus": HubCopy(
        "evalplus/humanevalplus", "d32357cf319e50e9c8d8dab5ea876c72b0fd321b", "data", (("test", 164),)
    ),
}
"""The benchmarks that the hub has, by assay's names. All are unverified: the authors had no network."""


class HubRows(NamedTuple):
    """The rows of a data set, numbered from 1 over all its splits, and what messages call the place they come from."""

    rows: list[NumberedRow]
    where: str


def read_hub(name: str, *, way_out: str) -> HubRows:
    """The rows of a benchmark of `HUB`, from the hub's cache or else from the network.

    `HF_HUB_OFFLINE`, `HF_HOME`, `HF_HUB_CACHE` and `HF_ENDPOINT` mean what they always mean to `huggingface_hub`.

    Args:
        name: The benchmark.
        way_out: The end of a hint: how to give the problems without the hub.

    Raises:
        SettingsError: The extra `hub` is not installed, or the data set is neither in the cache nor within reach.
        DataError: The copy can't be read, or does not hold the rows that it should.
    """
    copy = HUB[name]
    if lacking := [module for module in ("huggingface_hub", "pyarrow") if find_spec(module) is None]:
        message = f"{_not_shipped(name)}, and {' and '.join(lacking)}, which would fetch them, can't be imported"
        raise SettingsError(message, hint=f"pip install huggingface-hub pyarrow (assay's extra 'hub'), or {way_out}")
    files = _find_files(copy, name, way_out)
    rows = [row for split, count in copy.splits for row in _read_split(copy, split, count, files[split])]
    return HubRows([NumberedRow(number, row) for number, row in enumerate(rows, 1)], str(copy))


_Files = dict[str, list[Path]]
"""The parquet files of each split, in order."""


def _find_files(copy: HubCopy, name: str, way_out: str) -> _Files:
    # The cache alone comes first: it answers at once, and a copy that other programs have made may lack the list of files that
    # huggingface_hub needs to do without the network.
    files = _files_in(_cached_snapshot(copy), copy)
    if files is None:
        files = _files_in(_download(copy, name, way_out), copy)
    if files is None:
        wanted = ", ".join(split for split, _ in copy.splits)
        message = f"{copy.folder}/ does not have parquet files of all the splits {wanted}"
        raise DataError(message, path=str(copy), hint=_report(copy, way_out))
    return files


def _cached_snapshot(copy: HubCopy) -> str | None:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 (an extra, see the module docstring)

    try:
        return snapshot_download(
            copy.repository,
            repo_type="dataset",
            revision=copy.revision,
            allow_patterns=f"{copy.folder}/*.parquet",
            local_files_only=True,
        )
    except OSError:
        return None


def _download(copy: HubCopy, name: str, way_out: str) -> str:
    from huggingface_hub import HfApi, constants, snapshot_download  # noqa: PLC0415 (an extra, see the module docstring)

    cache = constants.HF_HUB_CACHE
    elsewhere = (
        f"run it once where the hub can be reached (the copy stays in {cache} and may be carried over), or {way_out}"
    )
    if constants.HF_HUB_OFFLINE:
        reason = f"HF_HUB_OFFLINE is set while {cache} has no whole copy of {copy}"
        raise SettingsError(f"{_not_shipped(name)}, and {reason}", hint=elsewhere)
    try:
        # Asked first since snapshot_download, where there is no network, tries for half a minute before it says so.
        HfApi().repo_info(copy.repository, repo_type="dataset", revision=copy.revision, timeout=10)
        return snapshot_download(
            copy.repository, repo_type="dataset", revision=copy.revision, allow_patterns=f"{copy.folder}/*.parquet"
        )
    except Exception as error:  # not a list of kinds: the client raises those of whichever HTTP library it was built on
        reason = next(iter(str(error).splitlines()), "") or "no reason given"
        message = f"{_not_shipped(name)}, and fetching {copy} failed: {type(error).__name__}: {reason}"
        raise SettingsError(message, hint=elsewhere) from error


def _files_in(snapshot: str | None, copy: HubCopy) -> _Files | None:
    """The files of all splits; None where some are missing, as in a cache that holds only what was asked for so far."""
    if snapshot is None:
        return None
    folder = Path(snapshot, copy.folder)
    found = {split: sorted(folder.glob(f"{split}-*-of-*.parquet")) for split, _ in copy.splits}
    return found if all(map(_is_whole, found.values())) else None


def _is_whole(files: list[Path]) -> bool:
    totals = {found[1] for file in files if (found := re.search(r"-of-(\d+)", file.name))}
    return len(totals) == 1 and len(files) == int(totals.pop())


def _read_split(copy: HubCopy, split: str, count: int, files: list[Path]) -> list[dict[str, object]]:
    import pyarrow as pa  # noqa: PLC0415 (an extra, see the module docstring)
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 (an extra, see the module docstring)

    rows: list[dict[str, object]] = []
    for file in files:
        try:
            rows += ParquetFile(file).read(use_threads=False).to_pylist()
        except (pa.ArrowException, OSError) as error:
            hint = f"delete {Path(*file.parts[:-4])}, then it is fetched again"
            raise DataError(f"no readable parquet file: {error}", path=str(file), hint=hint) from None
    if len(rows) != count:
        message = f"split {split} has {len(rows)} rows, {count} are expected"
        raise DataError(message, path=str(copy), hint=_report(copy, "give the published file"))
    return rows


def _not_shipped(name: str) -> str:
    return f"the problems of {name} are not shipped with assay"


def _report(copy: HubCopy, way_out: str) -> str:
    doubt = "" if copy.verified else "assay's entry for this data set is unverified, please report this; "
    return f"{doubt}{way_out}"
