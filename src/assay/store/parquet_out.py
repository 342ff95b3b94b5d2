"""Verdicts out as one Parquet file, a row a sample, for data frames and SQL. Needs pyarrow.

Keeps true: the file says by itself which run it is (`run.json` stands in its metadata, `assay.run`); memory does not grow with samples.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Manifest
    from assay.store.export import Judged

BATCH = 2_000
"""Rows of a row group."""

_COLUMNS = {
    "problem_id": "string",
    "sample_index": "int32",
    "mode": "string",
    "text": "string",
    "program": "string",
    "model": "string",
    "seed": "int64",
    "tokens_in": "int32",
    "tokens_out": "int32",
    "finish_reason": "string",
    "extra": "string",
    "outcome": "string",
    "passed": "bool",
    "score": "float64",
    "passed_cases": "int32",
    "total_cases": "int32",
    "cases": "string",
    "base_passed": "int32",
    "base_total": "int32",
    "plus_passed": "int32",
    "plus_total": "int32",
    "groups": "string",
    "failure_group": "string",
    "failure_case": "int32",
    "failure_call": "string",
    "failure_expected": "string",
    "failure_got": "string",
    "failure_message": "string",
    "failure_frames": "string",
    "message": "string",
    "trust": "string",
    "isolation": "string",
    "how_extracted": "string",
    "time_s": "float64",
    "cpu_s": "float64",
    "wall_s": "float64",
    "peak_mib": "float64",
    "trials": "int32",
    "passed_trials": "int32",
    "flaky": "bool",
    "confirmed": "bool",
    "special_cased": "bool",
    "hidden_agreed": "int32",
    "hidden_asked": "int32",
    "job_digest": "string",
    "judge_version": "string",
}
"""Columns and their types; a missing value is null. `groups`, `extra` and `failure_frames` are JSON."""


class _Sink:
    """Bytes as they are written, to be taken away."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def parquet_pieces(manifest: Manifest, judged: Iterable[Judged]) -> Iterator[bytes]:
    """The bytes of the file, in pieces.

    Raises:
        SettingsError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 (160 ms and 170 MB that only this form needs)
        from pyarrow import parquet  # noqa: PLC0415 (see above)
    except ImportError:
        raise SettingsError("parquet needs pyarrow, which is not installed", hint="pip install pyarrow") from None
    kinds = {"bool": pa.bool_()} | {name: getattr(pa, name)() for name in ("string", "int32", "int64", "float64")}
    fields = [(name, kinds[kind]) for name, kind in _COLUMNS.items()]
    schema = pa.schema(fields, metadata={"assay.run": msgspec.json.encode(manifest)})
    sink, rows = _Sink(), iter(judged)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while batch := [_row(each) for each in islice(rows, BATCH)]:
            writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=schema))
            yield sink.take()
    yield sink.take()


def _row(judged: Judged) -> dict[str, Any]:
    sample, verdict, failure = judged.sample, judged.verdict, judged.verdict.first_failure
    base, plus = (verdict.groups.get(group, (None, None)) for group in ("base", "plus"))
    agreed, asked = verdict.hidden or (None, None)
    own = {name: getattr(sample, name) for name in ("model", "seed", "tokens_in", "tokens_out", "finish_reason")}
    names = (
        "problem_id", "sample_index", "score", "passed", "passed_cases", "total_cases", "cases", "message", "isolation",
        "how_extracted", "time_s", "cpu_s", "wall_s", "peak_mib", "trials", "passed_trials", "flaky", "confirmed", "special_cased",
        "job_digest", "judge_version",
    )  # fmt: skip
    row = own | {name: getattr(verdict, name) for name in names}
    row |= {"mode": sample.mode.value, "text": sample.text, "program": judged.program}
    row |= {"outcome": verdict.outcome.value, "trust": verdict.trust.value}
    row |= {"base_passed": base[0], "base_total": base[1], "plus_passed": plus[0], "plus_total": plus[1]}
    row |= {"groups": json.dumps(verdict.groups), "extra": json.dumps(sample.extra) if sample.extra else None}
    row |= {"hidden_agreed": agreed, "hidden_asked": asked}
    if failure is not None:
        row |= {
            f"failure_{name}": getattr(failure, name)
            for name in ("group", "case", "call", "expected", "got", "message")
        }
        row["failure_frames"] = json.dumps(failure.frames) if failure.frames else None
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: object) -> object:
    """Texts that UTF-8 holds: lone surrogates, which a model's text may have, become escapes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
