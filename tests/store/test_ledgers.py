import os

import pytest

from assay.errors import StoreError
from assay.store.ledgers import ErrorRows, Ledger, end_with_whole_line


@pytest.fixture
def ledger(tmp_path):
    folder = tmp_path / "new" / "run"
    return Ledger(folder / "rows.jsonl", folder / "rows.previous.jsonl", folder, "folder", "this run")


def test_its_folder_is_made_and_one_at_a_time_writes(ledger):
    descriptor = ledger.open_locked()
    with pytest.raises(StoreError, match="run: another process of assay is writing this run") as refused:
        ledger.open_locked()
    assert refused.value.hint == "wait until it has ended, or name another folder"
    os.close(descriptor)
    os.close(ledger.open_locked())


def test_rows_that_begin_again_are_kept_and_what_spoke_of_them_is_not(ledger):
    descriptor = ledger.open_locked()
    os.write(descriptor, b"old\n")
    stale = ledger.named / "run.json"
    stale.write_text("{}")
    fresh = ledger.begin_again(descriptor, (stale, ledger.named / "never.json"))
    os.write(fresh, b"new\n")
    assert (ledger.previous.read_bytes(), ledger.path.read_bytes(), stale.exists()) == (b"old\n", b"new\n", False)
    with pytest.raises(StoreError, match="another process"):
        ledger.open_locked()
    os.close(fresh)


def test_an_empty_file_that_begins_again_sets_nothing_aside(ledger):
    ledger.named.mkdir(parents=True)
    ledger.previous.write_bytes(b"older\n")
    descriptor = ledger.open_locked()
    assert ledger.begin_again(descriptor, ()) == descriptor
    assert ledger.previous.read_bytes() == b"older\n"
    os.close(descriptor)


@pytest.mark.parametrize(
    ("content", "whole", "unended", "mended"),
    [(b"a\nb", 2, False, b"a\n"), (b"a\nb", 3, True, b"a\nb\n"), (b"a\n", 2, False, b"a\n"), (b"", 0, False, b"")],
)
def test_a_file_ends_with_a_whole_line(tmp_path, content, whole, unended, mended):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
    end_with_whole_line(path, descriptor, whole, unended=unended)
    os.close(descriptor)
    assert path.read_bytes() == mended


def test_errors_of_an_earlier_run_go_and_a_file_comes_with_the_first(tmp_path):
    path = tmp_path / "errors.jsonl"
    path.write_text("old\n")
    rows = ErrorRows(path)
    assert not path.exists()
    rows.append(b"one\n")
    rows.append(b"two\n")
    rows.close()
    assert path.read_bytes() == b"one\ntwo\n"
    ErrorRows(path).close()
    assert not path.exists()
