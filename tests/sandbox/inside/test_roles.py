"""An entry is loaded, rehearsed and run as it asks."""

from __future__ import annotations

from assay.sandbox.inside.roles import agent_role


def test_an_entry_that_has_a_rehearsal_is_rehearsed_before_the_first_child(tmp_path):
    entry = tmp_path / "entry.py"
    entry.write_text("said = []\ndef rehearse(): said.append('rehearsed')\ndef main(fd): return [*said, fd]\n")
    assert agent_role(str(entry)).main(3) == ["rehearsed", 3]


def test_an_entry_without_a_rehearsal_is_only_run(tmp_path):
    entry = tmp_path / "entry.py"
    entry.write_text("def main(fd): return fd\n")
    assert agent_role(str(entry)).main(3) == 3
