"""A child's clocks."""

from __future__ import annotations

import pytest

from assay.sandbox.inside.child import Child
from assay.sandbox.inside.output import OutputBuffer
from assay.sandbox.inside.protocol import UNSET, Spawn

SECOND_NS = 1_000_000_000


class ForgedClock:
    """A clock page that claims so much computing."""

    claimed_ns = 0

    def busy_ns(self, _now_ns):
        return self.claimed_ns


@pytest.mark.parametrize(
    ("wall_s", "claimed_s", "counted_s"),
    [(20.0, 3, 7), (2.0, 1000, 8), (UNSET, 4, 6), (2.0, -5, 10)],
    ids=["honest", "more than its wall time", "no wall limit", "less than before"],
)
def test_a_clock_page_excuses_at_most_a_childs_own_wall_time(wall_s, claimed_s, counted_s):
    clock = ForgedClock()
    child = Child(Spawn(1, 0, 1.0, 1.0, wall_s, 64, 1, 1, 1, 8), clock, OutputBuffer())
    clock.claimed_ns = claimed_s * SECOND_NS
    assert child.wall_ns(child.started_ns + 10 * SECOND_NS) == counted_s * SECOND_NS
