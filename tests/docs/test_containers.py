"""The image and its page say the same: an ordinary user, a read-only root, no network; and the doctor's flags are the page's."""

from __future__ import annotations

import re

import pytest
from pages import ROOT

from assay.sandbox.host import Host
from assay.sandbox.remedies import remedy

IMAGE = (ROOT / "Dockerfile").read_text("utf-8")
PAGE = (ROOT / "docs" / "containers.md").read_text("utf-8")


def test_the_image_runs_as_an_ordinary_user() -> None:
    users = re.findall(r"^USER (\d+):(\d+)$", IMAGE, flags=re.MULTILINE)
    assert users
    assert "0" not in users[-1]
    assert IMAGE.rindex("USER") > IMAGE.rindex("RUN")


def test_what_the_image_copies_is_there_and_not_left_out() -> None:
    left_in = (ROOT / ".dockerignore").read_text("utf-8").split()
    sources = [name for line in re.findall(r"^COPY ([^-].*) \S+$", IMAGE, flags=re.MULTILINE) for name in line.split()]
    assert sources
    assert all((ROOT / name).exists() and f"!{name}" in left_in for name in sources)


@pytest.mark.parametrize(
    "flag", ["--read-only", "--network none", "--cap-drop ALL", "--security-opt no-new-privileges"]
)
def test_the_page_runs_it_with_every_wall(flag: str) -> None:
    command = PAGE.split("docker run --rm ")[1].split("```")[0]
    assert flag in command


@pytest.mark.parametrize("container", ["Docker", "Podman"])
def test_the_doctors_flags_are_those_of_the_page(container: str) -> None:
    found = re.search(r"`(?:docker|podman) run (.*) \.\.\.`", remedy("namespaces", Host(container=container)))
    assert found
    assert found[1] in PAGE
