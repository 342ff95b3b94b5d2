"""Limits files: what single problems of a data set may use, where the usual limits are too tight for its own references.

    {"schema": 1, "benchmark": "mbpp", "digest": "7eb9...", "limits": {"123": {"time_s": 20.0}}}

Keeps true: a file is bound to the data by its digest, so that limits that were measured on one version never judge another; it holds
declared limits, never times. `assay check B --write-limits FILE` writes one for any set. Those of published sets are shipped in
`limits/`, as `<name>.<digest's first 12 digits>.json`, and hold wherever that very data is read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import DataError, SettingsError, did_you_mean
from assay.jsonrows import as_object, decode_text
from assay.limits import limits_flaw
from assay.order import natural_key
from assay.records import SCHEMA, Limits, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.records import Benchmark, Problem

SHIPPED = Path(__file__).parent / "limits"
"""Where the files of published sets lie."""

_KEPT_OF_DIGEST = 12
_REMEASURE = "measure them for this data: assay check BENCHMARK --write-limits FILE"

Declared = dict[str, Any]
"""Some limits by name, as a row of a problem file writes them."""


class LimitsFile(Record):
    """A limits file: `limits` maps a problem's id to the limits that are other than usual, `digest` is that of `Benchmark`."""

    benchmark: str
    digest: str
    limits: dict[str, Declared]
    schema: int = SCHEMA


def limits_file_for(name: str, digest: str, path: str | None = None) -> LimitsFile | None:
    """The limits that hold for a data set: those of the file at `path`, else those that are shipped for it; None where none are.

    Args:
        name: What the user calls the set, for messages.
        digest: The digest of its rows.
        path: A file that the user named.

    Raises:
        SettingsError: The file can't be opened.
        DataError: It is no limits file, holds an impossible limit, or was made for other data.
    """
    if path is None:
        shipped = sorted(SHIPPED.glob(f"*.{digest[:_KEPT_OF_DIGEST]}.json"))
        return next((found for found in map(read_limits, map(str, shipped)) if found.digest == digest), None)
    found = read_limits(path)
    if found.digest != digest:
        told = f"these limits are for {found.benchmark} with digest {found.digest[:12]}..., and {name} here has {digest[:12]}..."
        raise DataError(told, path=path, hint=_REMEASURE)
    return found


def read_limits(path: str) -> LimitsFile:
    """Reads a limits file.

    Raises:
        SettingsError: It can't be opened.
        DataError: It is no limits file, or holds an impossible limit.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}", hint="check the path of the limits file") from None
    try:
        plain = as_object(decode_text(data))
        if plain.get("schema") != SCHEMA:
            raise ValueError(f"schema {plain.get('schema')!r} is not known, this release reads {SCHEMA}")
        found = msgspec.convert(plain, LimitsFile)
        for id_, declared in found.limits.items():
            _as_limits(id_, declared)
    except ValueError as error:  # msgspec's errors are ValueErrors too
        raise DataError(f"this is no limits file: {error}", path=path, hint=_REMEASURE) from None
    return found


def _as_limits(id_: str, declared: Declared) -> Limits:
    known = Limits.__struct_fields__
    for name in declared.keys() - set(known):
        meant = did_you_mean(name, known)
        raise ValueError(f"problem {id_!r}: unknown limit {name!r}" + (f", did you mean {meant!r}?" if meant else ""))
    try:
        limits = msgspec.convert(declared, Limits)
    except msgspec.ValidationError as error:
        raise ValueError(f"problem {id_!r}: {error}") from None
    if (flaw := limits_flaw(limits)) is not None:
        raise ValueError(f"problem {id_!r}: {flaw}")
    return limits


def with_limits(
    problems: Iterable[Problem], found: LimitsFile, declared: Mapping[str, Declared], path: str | None = None
) -> list[Problem]:
    """The problems under the limits of a file; what a problem's own row declares stays.

    Args:
        problems: All problems of the set that can be judged.
        found: The file.
        declared: What the rows declare themselves, by the ids of all problems; empty where a row declares nothing.
        path: The file's path, for messages.

    Raises:
        DataError: The file names a problem that the set doesn't have.
    """
    for id_ in found.limits.keys() - declared.keys():
        raise DataError(f"{found.benchmark} has no problem {id_!r}", path=path, hint=_REMEASURE)
    return [_limited(problem, found.limits.get(problem.id, {}), declared.get(problem.id, {})) for problem in problems]


def _limited(problem: Problem, given: Declared, own: Declared) -> Problem:
    if not given:
        return problem
    limits = _as_limits(problem.id, given)
    changes = {name: getattr(limits, name) for name in given if name not in own}
    return msgspec.structs.replace(problem, limits=msgspec.structs.replace(problem.limits, **changes))


def declared_limits(problems: Iterable[Problem]) -> dict[str, Declared]:
    """The limits of each problem that are other than usual, by id.

    >>> from assay.records import Problem
    >>> declared_limits([Problem(id="a", prompt="", tests=(), limits=Limits(time_s=20))])
    {'a': {'time_s': 20}}
    """
    usual = msgspec.structs.asdict(Limits())
    named = ((problem.id, msgspec.structs.asdict(problem.limits)) for problem in problems if problem.limits != Limits())
    return {id_: {name: value for name, value in given.items() if value != usual[name]} for id_, given in named}


def limits_text(file: LimitsFile) -> bytes:
    """What stands in a limits file, problems in the natural order of their ids."""
    ordered = {id_: file.limits[id_] for id_ in sorted(file.limits, key=natural_key)}
    content = {"schema": file.schema, "benchmark": file.benchmark, "digest": file.digest, "limits": ordered}
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def limits_place(path: str, benchmark: Benchmark) -> Path:
    """Where the limits file of a data set goes: a file that is not there yet, or is a limits file already.

    Args:
        path: What the user names; in a folder the file is named as the shipped ones are.
        benchmark: The data set.

    Raises:
        SettingsError: Something else is there, or no file can be made there.
    """
    place = Path(path)
    try:
        place = place / _shipped_name(benchmark) if place.is_dir() else place
        mode = place.lstat().st_mode
    except FileNotFoundError:
        _require_folder(place)
        return place
    except OSError as error:
        raise _no_place(place, error.strerror or str(error)) from None
    if not stat.S_ISREG(mode):
        raise _no_place(place, "it is a symbolic link" if stat.S_ISLNK(mode) else "it is not a regular file")
    try:
        read_limits(path=str(place))
    except DataError:
        raise _no_place(place, "it is there already, and is no limits file") from None
    _require_folder(place)
    return place


def _require_folder(place: Path) -> None:
    """To find this out when all references are judged may cost an hour."""
    if not place.parent.is_dir():
        raise _no_place(place, f"there is no folder {place.parent}")
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise _no_place(place, f"the folder {place.parent} can't be written to")


def _no_place(place: Path, why: str) -> SettingsError:
    return SettingsError(f"{place}: the limits can't be written: {why}", hint="name another file")


def _shipped_name(benchmark: Benchmark) -> str:
    return f"{benchmark.name.replace(':', '-')}.{benchmark.digest[:_KEPT_OF_DIGEST]}.json"
