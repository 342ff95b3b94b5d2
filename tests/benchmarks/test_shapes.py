from __future__ import annotations

import hashlib

from assay.benchmarks.own import OWN
from assay.benchmarks.published import MBPP
from assay.benchmarks.shapes import digest_of_rows

ROW = {"task_id": 1, "text": "é", "code": "c", "test_list": ["t"]}


def test_the_digest_is_what_its_docstring_says():
    line = b'{"code":"c","task_id":"1","test_list":["t"],"text":"\\u00e9"}\n'
    assert digest_of_rows(MBPP, [ROW]) == hashlib.sha256(line).hexdigest()


def test_columns_that_are_not_read_nulls_order_of_keys_and_kind_of_id_leave_the_digest_alone():
    other = {"other": 1, "test_list": ["t"], "code": "c", "text": "é", "task_id": "1", "test_setup_code": None}
    assert digest_of_rows(MBPP, [other]) == digest_of_rows(MBPP, [ROW])


def test_any_other_change_changes_the_digest():
    changed = [{**ROW, "text": "e"}, {**ROW, "test_list": ["t", "t"]}, {**ROW, "challenge_test_list": []}]
    digests = [digest_of_rows(MBPP, [row]) for row in changed]
    assert len({*digests, digest_of_rows(MBPP, [ROW]), digest_of_rows(MBPP, [ROW, ROW])}) == 5


def test_lone_surrogates_and_odd_numbers_have_a_digest():
    assert digest_of_rows(OWN, [{"id": "\ud800", "inputs": [[float("nan")]]}])
