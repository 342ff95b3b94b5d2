from __future__ import annotations

import pytest

from assay.engine import fitting_limit_mib, fitting_limit_s


def test_memory_that_fits_is_twice_what_is_used_in_steps_of_two():
    assert [fitting_limit_mib(peak_mib) for peak_mib in (0, 512, 513, 1e9)] == [1024, 1024, 2048, 1 << 20]
    assert [fitting_limit_mib(peak_mib, 2048) for peak_mib in (200, 300, 1024, 1025)] == [1024, 2048, 2048, 4096]


def test_a_declared_limit_stays_while_it_fits_and_is_not_far_too_much():
    assert [fitting_limit_s(time_s, 10.0) for time_s in (0.6, 0.63, 2.5, 2.51)] == [5.0, 10.0, 10.0, 20.0]
    assert fitting_limit_s(0.1, 0.5) == 5.0


@pytest.mark.parametrize(
    ("time_s", "limit_s"), [(0.0, 5.0), (1.25, 5.0), (1.26, 10.0), (2.5, 10.0), (2.51, 20.0), (20, 80.0), (1e9, 86400)]
)
def test_a_limit_that_fits_leaves_four_times_the_room_in_steps_of_two(time_s, limit_s):
    assert fitting_limit_s(time_s) == limit_s
