"""Which machine it is, told by its files, and what the doctor says there: the machines are data, in `hosts.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from assay.sandbox.host import read_host
from assay.sandbox.remedies import remedy

MACHINES = tomllib.loads((Path(__file__).parent / "hosts.toml").read_text("utf-8"))
LAYERS = ("namespaces", "two uids", "landlock", "seccomp", "memory cgroup")
FACTS = {"is", "files", "uid", "environment", "forbids", "container", "family"}


@pytest.fixture(params=MACHINES)
def machine(request, tmp_path):
    """`(what is expected, the host that is read)`."""
    expected = MACHINES[request.param]
    assert expected.keys() <= FACTS | set(LAYERS), "a misspelt key would expect nothing"
    for path, text in expected.get("files", {}).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return expected, read_host(tmp_path, expected.get("environment", {}), expected.get("uid", 1000))


def test_a_machine_is_known_by_its_files(machine):
    expected, host = machine
    assert str(host) == expected.get("is", str(host))
    for fact in FACTS & expected.keys() & {"forbids", "container", "family"}:
        got = getattr(host, fact)
        assert (list(got) if isinstance(got, tuple) else got) == expected[fact]


def test_the_remedy_that_helps_there_comes_first(machine):
    expected, host = machine
    for layer in LAYERS:
        words, text = expected.get(layer, {}), remedy(layer, host)
        assert words.keys() <= {"first", "holds", "never"}
        assert text.startswith(words.get("first", ""))
        assert [word for word in words.get("holds", ()) if word not in text] == []
        assert [word for word in words.get("never", ()) if word in text] == []
