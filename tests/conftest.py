"""What every test may rely on: where the measured corpora lie, and which tests are left out of the fast tier.

A test marked `shared` (or one that asks for the fixture `shared`) skips with a reason where ASSAY_SHARED names no
folder. Under ASSAY_REQUIRE_SHARED=1, which `.ci/run` sets, the same test fails instead: CI can't be green because its
data were missing.
A test marked `slow` runs only with `--run-slow` (`make check`).
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# No test may reach the network or a developer's own copies of data sets; huggingface_hub reads these when it is imported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.devnull + "/no-hub-cache"
# Nor may one rest on what an earlier run has kept, or leave something for the next.
os.environ["ASSAY_CACHE"] = "off"
# Nor on how wide somebody's terminal is: tables heed it.
os.environ.pop("COLUMNS", None)

# A shell that runs the tests in the background ignores Ctrl-C for them, and so would the programs that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="also run the tests marked slow")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their parameter: a packed file's bytes hold the second in which they were made, and two processes of
    pytest-xdist refuse to run tests of unequal names.
    """
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-slow"):
        return
    skip = pytest.mark.skip(reason="slow: run by `make check` (--run-slow)")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if "shared" in item.keywords:
        _shared_or_skip()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the measured corpora; the test skips where there is none."""
    return _shared_or_skip()


def _shared_or_skip() -> Path:
    path = os.environ.get("ASSAY_SHARED", "")
    if path and Path(path).is_dir():
        return Path(path)
    reason = f"ASSAY_SHARED={path!r} names no folder" if path else "ASSAY_SHARED is not set"
    if os.environ.get("ASSAY_REQUIRE_SHARED") == "1":
        pytest.fail(f"{reason}, and ASSAY_REQUIRE_SHARED=1 asks for the corpora", pytrace=False)
    pytest.skip(f"{reason}: it names the folder of the measured corpora")
