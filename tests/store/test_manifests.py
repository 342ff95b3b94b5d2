import msgspec
import pytest

from assay.errors import StoreError
from assay.records import InvalidProblem, Isolation, Manifest
from assay.store.manifests import DECIDING, differences, read_manifest, refuse_differences, write_manifest

BASE = Manifest(
    created="2026-01-01T00:00:00Z",
    benchmark="mbpp",
    benchmark_version="1",
    benchmark_digest="d1",
    split="test",
    limit=None,
    problems=2,
    invalid=(),
    samples="samples.jsonl",
    samples_digest="s1",
    settings={"time_s": 5.0, "groups": ("base", "plus"), "workers": 2},
    isolation=Isolation(level="L4", layers=("a", "b"), missing=("c",)),
    interpreter="CPython 3.11.7",
    versions={"assay": "0.1.0", "numpy": "2.0"},
    seed=0,
    expected={"t/0": 2, "t/1": 0},
)


def changed(**fields):
    return msgspec.structs.replace(BASE, **fields)


def test_a_manifest_reads_back_as_it_was(tmp_path):
    write_manifest(tmp_path / "run.json", changed(settings={"time_s": 5.0}))
    assert read_manifest(tmp_path / "run.json") == changed(settings={"time_s": 5.0})


@pytest.mark.parametrize(
    "fields",
    [
        {"created": "later"},
        {"samples": "elsewhere.jsonl", "samples_digest": "s2", "expected": {"t/0": 20}},
        {"versions": {"numpy": "3.0"}},
        {"invalid": (InvalidProblem(id="t/1", reason="r"),)},
        {"settings": BASE.settings | {"workers": 64, "minimum_level": "L0"}},
        {"settings": BASE.settings | {"groups": ["base", "plus"]}},
        {"isolation": Isolation(level="L4", layers=("a",), missing=("c",))},
        {"samples_changed": True},
    ],
)
def test_what_can_not_change_a_verdict_may_differ(fields):
    assert differences(BASE, changed(**fields)) == ()


@pytest.mark.parametrize(
    ("fields", "name", "values"),
    [
        ({"benchmark_digest": "d2"}, "benchmark_digest", ("d1", "d2")),
        ({"benchmark_version": None}, "benchmark_version", ("1", None)),
        ({"split": None}, "split", ("test", None)),
        ({"limit": 10}, "limit", (None, 10)),
        ({"interpreter": "CPython 3.12.0"}, "interpreter", ("CPython 3.11.7", "CPython 3.12.0")),
        ({"seed": 1}, "seed", (0, 1)),
        ({"judge_version": "0"}, "judge_version", ("1", "0")),
        ({"isolation": Isolation(level="L2", layers=(), missing=("c",))}, "isolation.level", ("L4", "L2")),
        ({"isolation": Isolation(level="L4", layers=(), missing=())}, "isolation.missing", (["c"], [])),
        ({"settings": BASE.settings | {"time_s": 9.0}}, "settings.time_s", (5.0, 9.0)),
        ({"settings": BASE.settings | {"mode": "types"}}, "settings.mode", (None, "types")),
        ({"limits": {"t/0": {"time_s": 20.0}}}, "limits of problem t/0", ({}, {"time_s": 20.0})),
        (
            {"limits": {"t/10": {"time_s": 20.0}, "t/9": {"time_s": 40.0}, "t/11": {"processes": 1}}},
            "limits of problem t/9 (and of 2 more problems)",
            ({}, {"time_s": 40.0}),
        ),
    ],
)
def test_what_decides_numbers_is_named_when_it_differs(tmp_path, fields, name, values):
    assert differences(BASE, changed(**fields)) == ((name, *values),)
    with pytest.raises(StoreError) as caught:
        refuse_differences(tmp_path, BASE, changed(**fields))
    none = f"no {name}" if name in ("split", "limit") else "none"
    old, new = (none if value is None else repr(value) for value in values)
    assert f"\n  {name}: {old} there, {new} now" in str(caught.value)
    assert "--fresh" in str(caught.value)


def test_a_split_that_was_not_chosen_is_told_in_words(tmp_path):
    wanted = msgspec.structs.replace(BASE, split="test", limit=3)
    stored = msgspec.structs.replace(BASE, split=None, limit=None)
    with pytest.raises(StoreError, match=r"split: no split there, 'test' now\n  limit: no limit there, 3 now"):
        refuse_differences(tmp_path, stored, wanted)


def test_every_field_of_a_manifest_is_either_compared_or_known_to_be_harmless():
    harmless = {"created", "invalid", "versions", "expected", "samples_changed", "schema", "data", "data_path"}
    harmless |= {"samples", "samples_digest", "samples_path"}  # of these only whether they lose verdicts: see test_run
    looked_into = {"settings", "isolation", "limits"}
    assert set(Manifest.__struct_fields__) == harmless | looked_into | set(DECIDING)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is damaged"),
        (b"[]", "is damaged"),
        (b'{"schema": 1}', "is damaged"),
        (b'{"schema": 9}', "has schema 9"),
        (b"{}", "has schema None"),
    ],
)
def test_a_damaged_or_foreign_manifest_is_one_clear_error(tmp_path, content, message):
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(StoreError, match=message):
        read_manifest(tmp_path / "run.json")
