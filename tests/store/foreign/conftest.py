"""A benchmark of a few functions, a folder to write files of other projects into, and what reading them gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from assay.benchmarks import from_rows, select
from assay.errors import DataError
from assay.store.samples import open_samples

if TYPE_CHECKING:
    from pathlib import Path


def benchmark(count: int = 6, *, limit: int | None = None, invalid: tuple[int, ...] = ()):
    """Problems `HumanEval/0` ...; those of `invalid` are read, but can't be judged."""
    rows = []
    for number in range(count):
        row = {
            "id": f"HumanEval/{number}",
            "prompt": f"def f{number}(n):\n",
            "entry_point": f"f{number}",
            "split": "test" if number < 5 else "other",
        }
        rows.append(row | {"tests": ["assert (" if number in invalid else f"assert f{number}(1) == 1"]})
    return select(from_rows(rows), limit=limit)


class Read(NamedTuple):
    """The samples of a file by problem, as `(text, mode)`, with its digest and warnings."""

    samples: dict[str, list[tuple[str, str]]]
    digest: str
    warnings: tuple[str, ...]


class Files:
    """Writes files, and reads them as samples."""

    benchmark = staticmethod(benchmark)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, content, name: str = "file.json") -> str:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def rows(self, rows, name: str = "samples.jsonl") -> str:
        return self.write("".join(json.dumps(row) + "\n" for row in rows).encode(), name)

    def read(self, path, problems=None, *, skip: bool = False) -> Read:
        with open_samples(str(path), problems or benchmark(), skip_bad_rows=skip) as opened:
            found = {
                name: [(sample.text, sample.mode.value) for sample in opened.read(name)]
                for name in opened.problem_ids(natural=True)
            }
            return Read(found, opened.digest, opened.warnings)

    def refused(self, path, problems=None, *, skip: bool = False) -> str:
        with pytest.raises(DataError) as caught:
            self.read(path, problems, skip=skip)
        message = str(caught.value)
        assert "hint: " in message
        return message


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)
