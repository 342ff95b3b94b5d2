"""Which interpreter, and where it has its packages."""

from __future__ import annotations

import os
import subprocess
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


START = """
from assay.sandbox import ClockPage, ForkServer, ServerSpec
clock = ClockPage.create(1)
ForkServer.start(ServerSpec(role="judge", minimum_level="L1", slots=1), clock.fileno()).close()
"""


@pytest.mark.parametrize("writes", [True, False])
def test_a_server_leaves_its_byte_code_where_the_engine_would_leave_its_own(tmp_path, writes):
    flags = ["-X", f"pycache_prefix={tmp_path}", *([] if writes else ["-B"])]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *flags, "-c", START], check=True, env=environment)  # our own code
    found = {path.name.partition(".")[0] for path in tmp_path.rglob("assay/**/*.pyc")}
    assert {"launcher", "fork", "rehearsal", "codec"} & found == (
        {"launcher", "fork", "rehearsal", "codec"} if writes else set()
    )


def test_samples_write_no_byte_code_and_find_that_of_the_standard_library(open_rooms):
    room = open_rooms()
    assert room.say("import sys\nsay([sys.dont_write_bytecode, sys.pycache_prefix])") == [[True, None]]


def test_nothing_to_preload_asks_nobody():
    assert find_sites("/no/such/interpreter", ()) == []
