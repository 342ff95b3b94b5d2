from __future__ import annotations

import json
import os

import msgspec
import pytest

from assay.errors import StoreError
from assay.metrics import RUBRICS
from assay.records import Inquiry, Opinion, Sampling, Unheard
from assay.store import OpinionKey, key_of, open_opinions

INQUIRY = Inquiry(
    created="now",
    benchmark="b",
    benchmark_version=None,
    benchmark_digest="d",
    split=None,
    limit=None,
    per_problem=None,
    sources=("s.jsonl",),
    samples_digests=("x",),
    rubric=RUBRICS["code"],
    model="openai:m",
    server=None,
    sampling=Sampling(temperature=0.0),
    shown="answer",
    reference=False,
    versions={},
)
OPINION = Opinion(
    problem_id="a",
    sample_index=0,
    other_index=None,
    placing="alone",
    scores={"correct": 4},
    better=None,
    unread=None,
    reply='{"correct": 4}',
    seen=({"role": "user", "content": "x"},),
    prompt_digest="p",
    model="m",
)
KEY = OpinionKey("a", 0, None, "alone")


def change(row, **more):
    return msgspec.structs.replace(row, **more)


def rows(folder) -> list[dict]:
    return [json.loads(line) for line in (folder / "opinions.jsonl").read_text().splitlines()]


def test_an_opinion_is_in_the_file_with_its_texts_when_append_returns(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
        assert rows(tmp_path) == [json.loads(msgspec.json.encode(OPINION))]
        assert log.find(KEY, "p").scores == {"correct": 4}
        assert log.find(KEY, "p").reply == ""


def test_an_opinion_counts_for_the_prompt_that_it_answers_and_the_last_one_wins(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
        assert log.find(KEY, "other") is None
        log.append(change(OPINION, prompt_digest="other", scores={"correct": 1}))
    with open_opinions(tmp_path, INQUIRY) as log:
        assert log.find(KEY, "p") is None
        assert log.find(KEY, "other").scores == {"correct": 1}
        assert log.find(KEY._replace(placing="swapped"), "other") is None


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_row_that_a_kill_has_cut_is_dropped_and_the_rest_goes_on(tmp_path, cut) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
        log.append(change(OPINION, sample_index=1))
    path = tmp_path / "opinions.jsonl"
    os.truncate(path, path.stat().st_size - cut)
    with open_opinions(tmp_path, INQUIRY) as log:
        assert log.find(KEY, "p") is not None
        kept = cut == 1  # only its line end is missing
        assert (log.find(KEY._replace(sample_index=1), "p") is not None) is kept
        log.append(change(OPINION, sample_index=2))
    assert [row["sample_index"] for row in rows(tmp_path)] == ([0, 1, 2] if kept else [0, 2])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model", "openai:other"),
        ("rubric", RUBRICS["answer"]),
        ("sampling", Sampling(temperature=1.0)),
        ("sources", ("t.jsonl",)),
        ("shown", "program"),
        ("reference", True),
        ("benchmark_digest", "e"),
    ],
)
def test_another_kind_of_opinions_is_refused_unless_it_begins_again(tmp_path, field, value) -> None:
    other = change(INQUIRY, **{field: value})
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
    with pytest.raises(StoreError, match=rf"\n  {field}: .* there, .* now"):
        open_opinions(tmp_path, other)
    with open_opinions(tmp_path, other, fresh=True) as log:
        assert log.find(KEY, "p") is None
    assert (tmp_path / "opinions.previous.jsonl").exists()


def test_what_decides_no_single_opinion_may_differ(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
    other = change(INQUIRY, created="later", limit=3, per_problem=2, samples_digests=("y",), server="http://x")
    with open_opinions(tmp_path, other) as log:
        assert log.find(KEY, "p") is not None
    assert json.loads((tmp_path / "inquiry.json").read_text())["created"] == "now"


def test_one_process_writes_at_a_time(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY), pytest.raises(StoreError, match="another process of assay"):
        open_opinions(tmp_path, INQUIRY)


@pytest.mark.parametrize(
    ("line", "told"),
    [(b"{}\n", "opinions.jsonl:1: not an opinion"), (b"[" * 100_000 + b"\n", "opinions.jsonl:1: not an opinion")],
)
def test_a_row_that_is_no_opinion_is_refused_by_its_line(tmp_path, line, told) -> None:
    open_opinions(tmp_path, INQUIRY).close()
    (tmp_path / "opinions.jsonl").write_bytes(line)
    with pytest.raises(StoreError, match=told):
        open_opinions(tmp_path, INQUIRY)


def test_rows_of_another_schema_are_refused(tmp_path) -> None:
    open_opinions(tmp_path, INQUIRY).close()
    (tmp_path / "opinions.jsonl").write_bytes(msgspec.json.encode(change(OPINION, schema=2)) + b"\n")
    with pytest.raises(StoreError, match="this row has schema 2, and this release of assay reads 1"):
        open_opinions(tmp_path, INQUIRY)


def test_opinions_without_a_manifest_are_not_taken_up(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(OPINION)
    (tmp_path / "inquiry.json").unlink()
    with pytest.raises(StoreError, match=r"no inquiry\.json"):
        open_opinions(tmp_path, INQUIRY)


def test_a_damaged_manifest_is_told(tmp_path) -> None:
    open_opinions(tmp_path, INQUIRY).close()
    (tmp_path / "inquiry.json").write_text('{"schema": 1}')
    with pytest.raises(StoreError, match=r"inquiry\.json is damaged"):
        open_opinions(tmp_path, INQUIRY)
    (tmp_path / "inquiry.json").write_text('{"schema": 7}')
    with pytest.raises(StoreError, match="has schema 7"):
        open_opinions(tmp_path, INQUIRY)


def test_half_characters_in_a_reply_are_kept_as_escapes(tmp_path) -> None:
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append(change(OPINION, reply="x\ud800y"))
    assert rows(tmp_path)[0]["reply"] == "x\\ud800y"
    with open_opinions(tmp_path, INQUIRY) as log:
        assert log.find(KEY, "p") is not None


def test_errors_are_of_the_last_run_only(tmp_path) -> None:
    row = Unheard(problem_id="a", sample_index=0, other_index=None, placing="alone", error="no", status=400)
    with open_opinions(tmp_path, INQUIRY) as log:
        log.append_error(row)
    assert json.loads((tmp_path / "errors.jsonl").read_text())["error"] == "no"
    open_opinions(tmp_path, INQUIRY).close()
    assert not (tmp_path / "errors.jsonl").exists()


def test_a_folder_is_not_written_through_a_link(tmp_path) -> None:
    (tmp_path / "real").write_text("")
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "opinions.jsonl").symlink_to(tmp_path / "real")
    with pytest.raises(StoreError, match="symbolic link"):
        open_opinions(tmp_path / "o", INQUIRY)


def test_the_key_of_an_opinion_is_that_of_its_question() -> None:
    assert key_of(OPINION) == KEY
