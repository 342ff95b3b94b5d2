import errno
import io
import json
import os
from pathlib import Path

import msgspec
import pytest

from assay.errors import StoreError
from assay.records import Failure, Outcome, Trust, Verdict, digest
from assay.store.rows import RowLog, RowWriter, Scan, encode_row

PATH = Path("verdicts.jsonl")


def verdict(**fields):
    given = {
        "problem_id": "t/0",
        "sample_index": 0,
        "outcome": Outcome.WRONG_ANSWER,
        "passed_cases": 1,
        "total_cases": 3,
        "groups": {"base": (1, 3)},
        "cases": "100",
        "trust": Trust.ANCHORED,
        "time_s": 0.25,
        "peak_mib": 1.5,
        "message": "expected 3, got 4",
        "job_digest": digest("job"),
    }
    return Verdict(**(given | fields))


def scanned(data):
    scan = Scan(io.BytesIO(data), PATH)
    return [row.verdict for row in scan], scan


def test_a_row_reads_back_as_it_was():
    failure = Failure(case=1, group="base", outcome=Outcome.WRONG_ANSWER, call="f(1)", expected="2", got="3")
    traced = Failure(case=0, group="base", outcome=Outcome.RUNTIME_ERROR, frames=((3, "f"), (7, "<module>")))
    rows = [
        verdict(first_failure=failure),
        verdict(first_failure=traced, cpu_s=0.1, wall_s=2.0),
        verdict(message="Ünïcode \u2028 \x00 \n line", sample_index=1),
    ]
    data = b"".join(encode_row(row) for row in rows)
    assert data.count(b"\n") == 3
    assert scanned(data)[0] == rows


def test_a_row_of_an_earlier_release_has_no_frames_and_one_time():
    told = json.loads(encode_row(verdict(first_failure=Failure(case=1, group="base", outcome=Outcome.WRONG_ANSWER))))
    for name in ("cpu_s", "wall_s"):
        del told[name]
    del told["first_failure"]["frames"]
    (back,), _ = scanned(json.dumps(told).encode() + b"\n")
    assert (back.cpu_s, back.wall_s, back.first_failure.frames) == (None, None, ())


def test_lone_surrogates_are_escaped_and_not_lost():
    row = verdict(
        message="bad \ud800 text",
        first_failure=Failure(
            case=0, group="base", outcome=Outcome.WRONG_ANSWER, got="\udfff", frames=((1, "\udffe"),)
        ),
    )
    (back,), _ = scanned(encode_row(row))
    assert back.message == "bad \\ud800 text"
    assert back.first_failure.got == "\\udfff"
    assert back.first_failure.frames == ((1, "\\udffe"),)


@pytest.mark.parametrize("field", ["time_s", "peak_mib", "cpu_s", "wall_s"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_figures_that_json_can_not_hold_are_refused_before_they_are_written(field, value):
    with pytest.raises(ValueError):
        encode_row(verdict(**{field: value}))


def test_a_row_cut_at_any_byte_is_dropped_and_the_rows_before_it_are_kept():
    whole, last = encode_row(verdict()), encode_row(verdict(sample_index=1))
    for cut in range(1, len(last) - 1):
        rows, scan = scanned(whole + last[:cut])
        assert (len(rows), scan.whole_bytes, scan.torn_line) == (1, len(whole), 2)


def test_a_whole_last_row_without_its_line_end_is_kept():
    rows, scan = scanned(encode_row(verdict())[:-1])
    assert (len(rows), scan.unended, scan.torn_line) == (1, True, None)


def test_empty_lines_are_passed_over():
    rows, scan = scanned(b"\n" + encode_row(verdict()) + b"\n\n")
    assert len(rows) == 1
    assert scan.whole_bytes == len(encode_row(verdict())) + 3


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"garbage",
        b"\x00\x00",
        b"\xff",
        b'{"task_id": "t/0"}',
        b"[]",
        b'{"schema": 1}',
        encode_row(verdict(sample_index=-1))[:-1],
    ],
)
def test_a_wrong_row_in_the_middle_is_an_error_that_names_file_and_line(line):
    with pytest.raises(StoreError) as caught:
        scanned(encode_row(verdict()) + line + b"\n" + encode_row(verdict()))
    assert "verdicts.jsonl:2: " in str(caught.value)
    assert "hint: " in str(caught.value)


def test_a_sample_index_out_of_all_reason_is_refused():
    with pytest.raises(StoreError, match="sample_index 1000000000000 is not within"):
        scanned(encode_row(verdict(sample_index=10**12)))


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("extra", [{}, {"new_field": 1}])
def test_a_row_of_another_schema_is_refused_and_never_dropped(end, extra):
    row = msgspec.json.encode(msgspec.to_builtins(verdict()) | {"schema": 2} | extra)
    with pytest.raises(StoreError, match="this row has schema 2, and this release of assay reads 1"):
        scanned(encode_row(verdict()) + row + end)


def test_a_pipe_gets_whole_rows_as_they_come():
    reader, writer = os.pipe()
    RowWriter(writer).append(verdict())
    assert os.read(reader, 65536) == encode_row(verdict())
    os.close(reader)
    with pytest.raises(BrokenPipeError):
        RowWriter(writer).append(verdict())
    os.close(writer)


@pytest.mark.parametrize(
    ("flags", "why"), [(os.O_WRONLY, "No space left on device"), (os.O_RDONLY, "Bad file descriptor")]
)
def test_a_stdout_that_takes_nothing_is_the_users_to_change(flags, why):
    descriptor = os.open("/dev/full", flags)
    with pytest.raises(StoreError, match=f"standard output: can't write a verdict: {why}\nhint"):
        RowWriter(descriptor).append(verdict())
    os.close(descriptor)


def opened(path, clock=lambda: 0.0):
    return RowLog(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT), path, clock)


def test_the_disk_is_synced_at_most_every_half_second(tmp_path, monkeypatch):
    syncs, now = [], [0.0]
    monkeypatch.setattr(os, "fdatasync", lambda _: syncs.append(now[0]))
    log = opened(tmp_path / "rows", lambda: now[0])
    for step in range(20):
        now[0] = step * 0.125
        log.append(b"row\n")
    assert syncs == [0.5, 1.0, 1.5, 2.0]
    log.close()
    assert len(syncs) == 5


def test_a_write_that_stops_half_way_leaves_no_torn_row(tmp_path, monkeypatch):
    log = opened(tmp_path / "rows")
    log.append(b"first\n")
    real, calls = os.write, []

    def full(descriptor, data):
        if calls:
            raise OSError(errno.ENOSPC, "No space left on device")
        calls.append(1)
        return real(descriptor, data[:3])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError) as caught:
        log.append(b"second\n")
    monkeypatch.undo()
    assert "No space left on device" in str(caught.value)
    assert "free some space" in str(caught.value)
    assert (tmp_path / "rows").read_bytes() == b"first\n"
    log.append(b"third\n")
    log.close()
    assert (tmp_path / "rows").read_bytes() == b"first\nthird\n"


def test_a_write_that_the_system_splits_is_completed(tmp_path, monkeypatch):
    log, real = opened(tmp_path / "rows"), os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:2]))
    log.append(b"a long row\n")
    monkeypatch.undo()
    log.close()
    assert (tmp_path / "rows").read_bytes() == b"a long row\n"
