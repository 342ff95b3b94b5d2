from __future__ import annotations

from assay.benchmarks.fields import describe, identifier


def test_a_whole_number_is_an_id_by_its_decimal_text():
    assert identifier({"id": 10}, "id") == "10"
    assert identifier({"id": "10"}, "id") == "10"


def test_values_in_messages_are_cut_to_a_length():
    assert len(describe("x" * 10_000)) < 80
