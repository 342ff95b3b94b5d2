from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.errors import DataError
from assay.records import Mode, Sample
from assay.store.sample_list import from_samples

PROBLEMS = [{"id": f"p/{number}", "prompt": "p", "tests": ["assert f()"]} for number in range(1, 13)]
ROWS = [{"task_id": "p/2", "solution": "a"}, {"task_id": "p/10", "completion": "b"}]


def benchmark():
    return from_rows(PROBLEMS)


def texts(samples, problem_id: str) -> list[tuple[int, str]]:
    return [(sample.index, sample.text) for sample in samples.read(problem_id)]


def test_samples_in_memory_are_records_or_rows_and_keep_their_order():
    given = [
        Sample(problem_id="p/2", index=5, text="a", mode=Mode.SOLUTION),
        *ROWS[1:2],
        {"task_id": "p/2", "text": "c"},
    ]
    samples = from_samples(given, benchmark())
    assert texts(samples, "p/2") == [(1, "c"), (5, "a")]
    assert samples.indices("p/2") == (1, 5)
    assert (samples.count, samples.problem_ids(), samples.missing[:2]) == (3, ("p/2", "p/10"), ("p/1", "p/3"))


def test_samples_in_memory_obey_the_same_rules():
    with pytest.raises(DataError) as caught:
        from_samples([3, {"task_id": "p/1"}, ROWS[0], {**ROWS[0], "task_id": 2}], benchmark())
    assert [row.line for row in caught.value.rows] == [1, 2, 4]
    twice = [Sample(problem_id="p/2", index=0, text=text, mode=Mode.SOLUTION) for text in "ab"]
    with pytest.raises(DataError, match="sample 0 of 'p/2' is given twice"):
        from_samples(twice, benchmark())
    with pytest.raises(DataError, match="sample 1 of 'p/2' is given twice"):
        from_samples([Sample(problem_id="p/2", index=1, text="a", mode=Mode.SOLUTION), ROWS[0]], benchmark())


def test_the_digest_of_samples_in_memory_tells_texts_apart_and_bears_surrogates():
    digests = {from_samples([{"task_id": "p/1", "text": text}], benchmark()).digest for text in ("a", "b", "\ud800")}
    assert len(digests) == 3
