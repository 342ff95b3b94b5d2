"""The doctor says what servers then give."""

from __future__ import annotations

import pytest

from assay.errors import SandboxError
from assay.sandbox import probe


def test_the_doctor_and_a_server_agree(doctor, best_room):
    assert doctor.level == best_room.level
    assert tuple(layer.name for layer in doctor.layers if layer.works) == best_room.server.isolation.layers


def test_every_missing_layer_has_a_reason_and_a_remedy(doctor):
    for layer in doctor.layers:
        assert layer.works == (not layer.why)
        assert layer.works == (not layer.remedy)


def test_an_interpreter_that_can_not_be_run_is_an_error(tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho this is no python >&2\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(SandboxError, match="this is no python"):
        probe(str(broken))
