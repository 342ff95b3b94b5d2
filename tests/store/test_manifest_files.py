import pytest

from assay.errors import StoreError
from assay.records import Sampling
from assay.records.base import Record
from assay.store.manifest_files import Difference, as_read, read_record, refuse, unequal, write_json


class Kept(Record):
    names: tuple[str, ...]
    schema: int = 1


def test_what_was_written_is_read_and_what_is_not_there_is_none(tmp_path):
    path = tmp_path / "kept.json"
    assert read_record(path, Kept, instead="name another") is None
    write_json(path, Kept(names=("a", "b")))
    assert read_record(path, Kept, instead="name another") == Kept(names=("a", "b"))
    assert path.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (b"{", "is damaged", "look at it"),
        (b'{"schema": 1}', "is damaged", "look at it"),
        (
            b'{"schema": 2}',
            "has schema 2, and this release of assay reads 1",
            "use the release that wrote it, or name another",
        ),
    ],
)
def test_what_can_not_be_read_is_refused_with_a_way_out(tmp_path, data, message, hint):
    path = tmp_path / "kept.json"
    path.write_bytes(data)
    with pytest.raises(StoreError, match=message) as refused:
        read_record(path, Kept, instead="name another", damaged_hint="look at it")
    assert refused.value.hint == hint


def test_conditions_are_compared_as_they_read_back():
    stored, wanted = as_read(Kept(names=("a",))), as_read(Kept(names=("b",)))
    assert unequal(stored, stored) == []
    assert unequal(stored, wanted) == [Difference("names", ["a"], ["b"])]
    assert as_read(Sampling(temperature=0.5))["temperature"] == 0.5


def test_each_difference_is_named():
    refuse([], "nothing", "none")
    with pytest.raises(StoreError) as refused:
        refuse([Difference("k", 1, 2), Difference("n", None, "x")], "another run", "name another")
    assert refused.value.message == "another run:\n  k: 1 there, 2 now\n  n: none there, 'x' now"
