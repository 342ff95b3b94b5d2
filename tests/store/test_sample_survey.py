from __future__ import annotations

import pytest

from assay.errors import DataError
from assay.records import Benchmark
from assay.store.sample_rows import BadSample, ProblemIds
from assay.store.sample_survey import Survey


def survey() -> Survey:
    return Survey(ProblemIds(Benchmark(name="x", version=None, digest="", problems=())))


def test_a_file_with_one_fault_in_every_row_lists_a_thousand_and_counts_all():
    found = survey()
    for number in range(1, 1502):
        found.refuse(number, BadSample("odd"))
    assert len(found.bad_rows) == 1000
    with pytest.raises(DataError, match="1,501 rows can't be used, the first 1000 are listed"):
        found.require_usable("-", skip_bad_rows=False)
    found.require_usable("-", skip_bad_rows=True)


def test_no_samples_at_all_is_worth_a_warning():
    found = survey()
    found.finish("", rows=0)
    assert found.warnings == ("there are no samples of the problems to be judged",)


def test_a_place_without_a_line_is_named_as_it_is():
    found = survey()
    found.refuse("samples[3]", BadSample("odd"))
    found.refuse(7, BadSample("odd too"))
    assert found.warnings[0] == "2 rows bad and skipped, first in samples[3]"
    with pytest.raises(DataError) as caught:
        found.require_usable("log.json", skip_bad_rows=False)
    assert "\n  samples[3]: odd\n  line 7: odd too\n" in str(caught.value)
    assert [(row.line, row.place) for row in caught.value.rows] == [(0, "samples[3]"), (7, "line 7")]
