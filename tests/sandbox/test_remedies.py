"""Every layer that can be missing has a remedy."""

from __future__ import annotations

from assay.sandbox.host import Host
from assay.sandbox.inside import ladder
from assay.sandbox.remedies import remedy

LAYERS = (
    ladder.NAMESPACES,
    ladder.TWO_UIDS,
    ladder.LANDLOCK,
    ladder.SECCOMP,
    ladder.NO_NEW_PRIVILEGES,
    ladder.LIMITS,
    ladder.FAIR_CLOCK,
    ladder.MEMORY_CGROUP,
)


def test_every_layer_has_a_remedy_of_its_own():
    assert len({remedy(layer, Host()) for layer in LAYERS}) == len(LAYERS)
    assert all("see docs" not in remedy(layer, Host()) for layer in LAYERS)


def test_a_refusal_names_both_levels():
    text = remedy(ladder.NAMESPACES, Host(), "L1", "L2")
    assert "gives L1" in text
    assert "L2 is asked for" in text
