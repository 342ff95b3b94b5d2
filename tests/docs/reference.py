"""Writes the part of docs/reference.md that the command line knows about itself (`make docs`)."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from unittest import mock

from pages import ROOT

from assay.cli.app import build
from assay.cli.commands import COMMANDS
from assay.cli.start import help_page

PAGE = ROOT / "docs" / "reference.md"
BEGIN = "<!-- commands: written by `make docs` from the command line itself -->\n"
END = "<!-- end of commands -->\n"


def help_of(command: str) -> str:
    """What `assay COMMAND --help` says, without boxes."""
    app = build()
    app.help_formatter = "plain"
    wide = mock.patch.dict(os.environ, COLUMNS="200")
    with wide, contextlib.redirect_stdout(io.StringIO()) as said:
        app([command, "--help"], exit_on_error=False, result_action="return_value")
    return "".join(f"{line.rstrip()}\n" for line in said.getvalue().rstrip().splitlines())


def commands_section() -> str:
    """The section between the two marks."""
    parts = [f"```text\n{help_page()}```\n"]
    parts += [f"### assay {name}\n```text\n{help_of(name)}```\n" for name in COMMANDS]
    return "\n".join(parts)


def written(text: str) -> str:
    """The page with its section brought up to date."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{commands_section()}{END}{after}"


if __name__ == "__main__" and "--write" in sys.argv:
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
