import io
import tracemalloc
from pathlib import Path

import pytest

from assay.errors import StoreError
from assay.records import Outcome, Trust, Verdict, digest
from assay.store.index import Index, index_file, packed_digest
from assay.store.rows import Row, encode_row

PASSED, WRONG, BROKEN = Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.SYSTEM_ERROR


JOB = digest("job")


def verdict(problem="t/0", index=0, outcome=PASSED, job=JOB):
    return Verdict(
        problem_id=problem,
        sample_index=index,
        outcome=outcome,
        passed_cases=int(outcome is PASSED),
        total_cases=1,
        groups={},
        cases="1" if outcome is PASSED else "0",
        trust=Trust.ANCHORED,
        time_s=0.0,
        peak_mib=0.0,
        message="",
        job_digest=job,
    )


def indexed(*rows, expected=None):
    return index_file(io.BytesIO(b"".join(map(encode_row, rows))), Path("v"), expected or {})


def test_the_last_row_of_a_sample_wins_and_a_disagreement_is_told():
    found = indexed(verdict(), verdict(index=1), verdict(outcome=WRONG))
    entry = found.index.get("t/0", 0)
    assert (entry.outcome, entry.job_digest, found.rows) == (WRONG, digest("job"), 3)
    assert entry.offset == 2 * len(encode_row(verdict()))
    assert found.notes == (
        "v: rows of one sample disagree, the last one counts: t/0 sample 0 (passed, then wrong_answer)",
    )


@pytest.mark.parametrize(
    "second", [verdict(), verdict(outcome=WRONG, job=digest("other text")), verdict(outcome=BROKEN)]
)
def test_an_equal_row_another_job_and_no_verdict_do_not_disagree(second):
    assert indexed(verdict(), second).notes == ()


def test_rows_of_unknown_problems_and_samples_are_left_out_with_a_note():
    rows = [verdict(f"r/{i}") for i in range(70, 78)]
    found = indexed(verdict(), verdict(index=2), *rows, expected={"t/0": 2})
    assert found.index.get("t/0", 0)
    assert found.index.get("t/0", 2) is None
    assert found.index.get("r/77", 0) is None
    (note,) = found.notes
    assert note.startswith("v: left out, since the run has no such sample: t/0 sample 2, r/70 sample 0")
    assert note.endswith(" and 4 more")


def test_samples_without_a_row_have_no_entry():
    index = indexed(verdict(index=3)).index
    assert [index.get("t/0", i) is None for i in range(-1, 5)] == [True, True, True, True, False, True]


def test_an_empty_job_digest_reads_as_none_and_a_wrong_one_is_refused():
    assert indexed(verdict(job="")).index.get("t/0", 0).job_digest is None
    for wrong in ("abc", "zz" * 16, "ab" * 20):
        with pytest.raises(ValueError):
            packed_digest(wrong)
    with pytest.raises(StoreError, match="t/0 sample 0: job_digest must be 32"):
        indexed(verdict(job="c1"))


@pytest.mark.parametrize("problems", [100, 10_000])
def test_a_hundred_thousand_rows_cost_less_than_25_mb(problems):
    names = [f"t/{i}" for i in range(problems)]
    row = verdict()
    tracemalloc.start()
    index = Index()
    for i in range(100_000):
        index.put(
            Row(
                i,
                type(row)(
                    **{f: getattr(row, f) for f in row.__struct_fields__}
                    | {"problem_id": names[i % problems], "sample_index": i // problems}
                ),
            )
        )
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 25e6
