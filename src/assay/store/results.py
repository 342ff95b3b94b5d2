"""A file of bare results: whose problem, passed or not. So a run of another project can be held against one of ours.

Keeps true: only JSON's own `true` and `false` are results; a row that says anything else is refused by its line, never read
as failed.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from assay.errors import BadRow, DataError
from assay.jsonrows import decode_row, json_kind
from assay.records import Outcome, Trust, Verdict
from assay.store.files import open_regular, store_error
from assay.store.sample_rows import ID_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = 20
_HINT = 'each line is an object such as {"task_id": "HumanEval/0", "passed": true}'


def read_results(path: str | Path) -> tuple[Verdict, ...]:
    """The results of a JSONL file as verdicts without cases, in the order of its rows; gzipped or not.

    Samples of a problem are numbered as they come. Fields other than the problem's id (`problem_id` or `task_id`) and `passed`
    are not looked at; human-eval's `*_results.jsonl` is such a file. Nothing is known of how such results were made, so their
    trust is `exit_status`.

    Raises:
        DataError: A row is no result, or there is none.
        StoreError: The file can't be read.
    """
    count: Counter[str] = Counter()
    verdicts, bad = [], []
    for number, line in _lines(Path(path)):
        try:
            id_, passed = _result(decode_row(line))
        except ValueError as error:
            bad.append(BadRow(number, str(error)))
            continue
        verdicts.append(_verdict(id_, count[id_], passed=passed))
        count[id_] += 1
    if bad:
        more = f" (the first {_SHOWN} are shown)" if len(bad) > _SHOWN else ""
        raise DataError(f"{len(bad)} bad rows{more}", path=str(path), rows=tuple(bad[:_SHOWN]), hint=_HINT)
    if not verdicts:
        raise DataError("no results in it", path=str(path), hint=_HINT)
    return tuple(verdicts)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            source = cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
            yield from ((number, line) for number, line in enumerate(source, 1) if line.strip())
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"its gzip data are damaged: {error}", path=str(path)) from None
    except OSError as error:
        raise store_error(path, "read it", error) from error


def _result(row: dict[str, object]) -> tuple[str, bool]:
    found = [row[name] for name in ID_FIELDS if name in row]
    if not found:
        raise ValueError("it has neither problem_id nor task_id")
    id_, passed = found[0], row.get("passed")
    if type(id_) not in (str, int):
        raise ValueError(f"its id must be a text or a whole number, not {json_kind(id_)}")
    if type(passed) is not bool:
        told = f"{passed!r} ({json_kind(passed)})" if "passed" in row else "missing"
        raise ValueError(f"passed must be true or false, and is {told}")
    return str(id_), passed


def _verdict(problem_id: str, index: int, *, passed: bool) -> Verdict:
    return Verdict(
        problem_id=problem_id,
        sample_index=index,
        outcome=Outcome.PASSED if passed else Outcome.WRONG_ANSWER,
        passed_cases=0,
        total_cases=0,
        groups={},
        cases="",
        trust=Trust.EXIT_STATUS,
        time_s=0.0,
        peak_mib=0.0,
        message="",
        job_digest="",
    )
