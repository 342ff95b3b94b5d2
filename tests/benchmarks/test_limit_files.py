from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec
import pytest

from assay.benchmarks import LimitsFile, declared_limits, from_rows, limits_place, limits_text, load
from assay.benchmarks.limit_files import SHIPPED, limits_file_for, read_limits
from assay.errors import DataError, SettingsError
from assay.records import Benchmark, Limits

ROWS = [
    {"id": name, "prompt": "?", "reference": "def f(x):\n    return x", "tests": ["assert f(1) == 1"]}
    for name in ("t/2", "t/10", "t/9")
]
OWN = {"t/9": {"memory_mib": 64, "time_s": 5}}


@pytest.fixture
def problems(tmp_path) -> str:
    """A file of three problems; one declares limits of its own, one of them the usual."""
    path = tmp_path / "problems.jsonl"
    rows = [row | ({"limits": OWN[row["id"]]} if row["id"] in OWN else {}) for row in ROWS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def write(tmp_path, problems):
    """Writes a limits file for the problems; `fields` replace its own."""

    def written(limits: dict, **fields) -> str:
        path = tmp_path / "limits.json"
        file = LimitsFile(benchmark="problems.jsonl", digest=load(problems).digest, limits=limits)
        path.write_text(json.dumps(msgspec.to_builtins(file) | fields))
        return str(path)

    return written


def limits_of(benchmark) -> dict[str, Limits]:
    return {problem.id: problem.limits for problem in benchmark.problems}


def test_the_limits_of_a_file_hold_for_its_problems_and_no_others(problems, write) -> None:
    path = write({"t/2": {"time_s": 20, "processes": 4}})
    found = load(problems, limits=path)
    assert limits_of(found) == {
        "t/2": Limits(time_s=20.0, processes=4),
        "t/10": Limits(),
        "t/9": Limits(memory_mib=64),
    }
    assert found.digest == load(problems).digest


def test_what_a_row_declares_itself_wins_even_where_it_is_the_usual(problems, write) -> None:
    path = write({"t/9": {"time_s": 20, "memory_mib": 2048, "output_kib": 7}})
    assert limits_of(load(problems, limits=path))["t/9"] == Limits(memory_mib=64, output_kib=7)


def test_a_written_file_reads_back_with_the_same_limits_and_in_natural_order(tmp_path, problems) -> None:
    digest = load(problems).digest
    file = LimitsFile(benchmark="b", digest=digest, limits={"t/10": {"time_s": 20.0}, "t/2": {"time_s": 40.0}})
    (tmp_path / "first.json").write_bytes(limits_text(file))
    read = read_limits(str(tmp_path / "first.json"))
    assert read == file
    assert list(read.limits) == ["t/2", "t/10"]
    found = load(problems, limits=str(tmp_path / "first.json"))
    assert declared_limits(found.problems) == {**read.limits, "t/9": {"memory_mib": 64}}
    (tmp_path / "again.json").write_bytes(limits_text(read))
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "first.json").read_bytes()


def test_limits_for_other_data_are_refused_with_a_way_out(problems, write) -> None:
    with pytest.raises(
        DataError, match=r"(?s)limits\.json: these limits are for problems\.jsonl .*--write-limits FILE"
    ) as caught:
        load(problems, limits=write({}, digest="0" * 64))
    assert load(problems).digest[:12] in str(caught.value)


@pytest.mark.parametrize(
    ("limits", "fields", "told"),
    [
        ({"t/7": {"time_s": 9}}, {}, "problems.jsonl has no problem 't/7'"),
        ({"t/2": {"time": 9}}, {}, "problem 't/2': unknown limit 'time', did you mean 'time_s'?"),
        ({"t/2": {"time_s": "9"}}, {}, "problem 't/2': Expected `float`, got `str`"),
        ({"t/2": {"time_s": 0}}, {}, "problem 't/2': 'time_s' must be a number from 0.01 to 86400, not 0"),
        ({"t/2": 9}, {}, "Expected `object`, got `int`"),
        ({}, {"schema": 2}, "schema 2 is not known, this release reads 1"),
        ({}, {"note": "x"}, "unknown field `note`"),
    ],
)
def test_a_file_that_can_not_be_used_is_one_clear_error(problems, write, limits, fields, told) -> None:
    with pytest.raises(DataError) as caught:
        load(problems, limits=write(limits, **fields))
    assert told in str(caught.value)
    assert str(caught.value).startswith(write(limits, **fields))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": 1, "schema": 1}'])
def test_what_is_no_limits_file_is_told(tmp_path, content) -> None:
    path = tmp_path / "limits.json"
    path.write_text(content)
    with pytest.raises(DataError, match="this is no limits file"):
        read_limits(str(path))


def test_in_a_folder_a_file_is_named_as_the_shipped_ones_are(tmp_path) -> None:
    benchmark = Benchmark(name="mbpp:sanitized", version=None, digest="0123456789abcdef", problems=())
    assert limits_place(str(tmp_path), benchmark) == tmp_path / "mbpp-sanitized.0123456789ab.json"


def test_a_limits_file_takes_the_place_of_a_limits_file_and_of_nothing_else(tmp_path, problems, write) -> None:
    benchmark, old = load(problems), write({})
    assert limits_place(old, benchmark) == Path(old)
    (tmp_path / "link").symlink_to(old)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    for path, why in (
        (problems, "it is there already, and is no limits file"),
        (str(tmp_path / "empty"), "it is there already, and is no limits file"),
        (str(tmp_path / "link"), "it is a symbolic link"),
        (str(tmp_path / "pipe"), "it is not a regular file"),
        (f"{problems}/limits.json", "Not a directory"),
    ):
        with pytest.raises(SettingsError, match=rf"{re.escape(path)}: the limits can't be written: {why}"):
            limits_place(path, benchmark)


def test_a_file_that_is_not_there_or_can_not_be_written_is_a_mistake_of_the_user(tmp_path) -> None:
    missing = str(tmp_path / "nowhere" / "limits.json")
    with pytest.raises(SettingsError, match="No such file"):
        read_limits(missing)
    with pytest.raises(SettingsError, match=r"can't be written: there is no folder .*nowhere"):
        limits_place(missing, Benchmark(name="b", version=None, digest="d", problems=()))


# -- shipped files

FILES = sorted(SHIPPED.glob("*.json"))


def test_some_files_are_shipped() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shipped_file_is_named_by_its_digest_and_found_by_it(path) -> None:
    file = read_limits(str(path))
    assert path.name == f"{file.benchmark.replace(':', '-')}.{file.digest[:12]}.json"
    assert limits_file_for("any", file.digest) == file
    assert limits_file_for("any", file.digest[:12] + "0" * 52) is None
    assert file.limits
    usual = Limits()
    assert all(value > getattr(usual, name) for declared in file.limits.values() for name, value in declared.items())


def test_rows_in_memory_have_the_shipped_limits_too(monkeypatch, tmp_path) -> None:
    digest = from_rows(ROWS).digest
    file = LimitsFile(benchmark="b", digest=digest, limits={"t/10": {"time_s": 20.0}})
    (tmp_path / f"b.{digest[:12]}.json").write_bytes(limits_text(file))
    monkeypatch.setattr("assay.benchmarks.limit_files.SHIPPED", tmp_path)
    assert declared_limits(from_rows(ROWS).problems) == {"t/10": {"time_s": 20.0}}


def test_a_file_that_the_user_names_takes_the_place_of_the_shipped_one(monkeypatch, tmp_path, problems, write) -> None:
    digest = load(problems).digest
    shipped = LimitsFile(benchmark="b", digest=digest, limits={"t/10": {"time_s": 20.0}})
    (tmp_path / f"b.{digest[:12]}.json").write_bytes(limits_text(shipped))
    monkeypatch.setattr("assay.benchmarks.limit_files.SHIPPED", tmp_path)
    assert limits_of(load(problems))["t/10"].time_s == 20
    assert limits_of(load(problems, limits=write({"t/2": {"time_s": 9}})))["t/10"].time_s == 5
