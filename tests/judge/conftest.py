"""`verdicts`: what the judge said of the candidates that a test names in `@trial(...)`; one run for each file."""

from __future__ import annotations

import pytest
from court import judge_trials


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "trial(problem, sources): candidates that are judged before the test runs")


def _trials(session: pytest.Session, path) -> dict:
    marked = ((item.name, item.get_closest_marker("trial")) for item in session.items if item.path == path)
    return {name: mark.args for name, mark in marked if mark is not None}


@pytest.fixture(scope="module")
def judged(request: pytest.FixtureRequest) -> dict:
    """Everything that the file's selected tests want judged."""
    return judge_trials(_trials(request.session, request.path))


@pytest.fixture
def verdicts(request: pytest.FixtureRequest, judged: dict) -> dict:
    """The test's own verdicts, by the names of its candidates."""
    found = judged[request.node.name]
    assert not isinstance(found, str), f"the problem is invalid: {found}"
    return found


@pytest.fixture
def reason(request: pytest.FixtureRequest, judged: dict) -> str:
    """Why the test's problem is invalid."""
    found = judged[request.node.name]
    assert isinstance(found, str), f"the problem is valid, and was judged: {found}"
    return found
