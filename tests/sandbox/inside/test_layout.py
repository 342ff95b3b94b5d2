"""What a sample may read: libraries and the standard library, with site packages left out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from assay.sandbox.inside.layout import Layout, layout, readable


def test_the_standard_library_is_shown_and_site_packages_are_hidden():
    found = layout([])
    standard = Path(os.__file__).parent.resolve()
    assert any(standard.is_relative_to(shown) for shown in found.shown)
    if (standard / "site-packages").is_dir():
        assert str(standard / "site-packages") in found.hidden


def test_preloaded_packages_are_shown_with_their_libraries_and_nothing_beside_them():
    packages = [Path(path).name for path in layout([str(Path(np.__file__).parent.parent)]).packages]
    assert "numpy" in packages
    assert "assay" not in packages


def test_hidden_places_are_cut_out_of_what_may_be_read(tmp_path):
    top = tmp_path.resolve()
    (top / "lib" / "site-packages" / "secret").mkdir(parents=True)
    (top / "lib" / "json").mkdir()
    (top / "lib" / "os.py").write_text("")
    whole, listed = readable(Layout((str(top / "lib"),), (str(top / "lib" / "site-packages"),), (), ()))
    assert sorted(whole) == [str(top / "lib" / "json"), str(top / "lib" / "os.py")]
    assert listed == [str(top / "lib")]


def test_the_interpreter_is_shown_and_may_be_started_with_the_loader_that_it_names():
    found = layout([])
    program, *loader = found.started
    assert program == os.path.realpath(sys.executable)
    assert all("ld-" in name and Path(name).is_absolute() for name in loader)
    assert any(program == path or program.startswith(path + "/") for path in found.shown)
