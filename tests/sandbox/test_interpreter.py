"""Which interpreter, and where it has its packages."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from assay.errors import SettingsError
from assay.sandbox.interpreter import find_sites, real_interpreter

SITE = os.path.realpath(np.__path__[0] + "/..")


def test_the_real_interpreter_is_no_link():
    assert real_interpreter() == os.path.realpath(sys.executable)


def test_packages_are_found_without_and_with_asking_another_interpreter():
    assert find_sites(real_interpreter(), ("numpy",)) == [SITE]
    assert find_sites(sys.executable, ("numpy",)) == [SITE]


@pytest.mark.parametrize("python", [real_interpreter(), sys.executable])
def test_a_missing_package_is_named(python):
    with pytest.raises(SettingsError, match="no_such_package"):
        find_sites(python, ("numpy", "no_such_package") if python == real_interpreter() else ("no_such_package",))


def test_nothing_to_preload_asks_nobody():
    assert find_sites("/no/such/interpreter", ()) == []
