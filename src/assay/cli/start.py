"""The start of the command line: the answers that must come at once, or else the way on to `app.py`.

This file imports only what the interpreter holds anyway: `assay --help` is read by people who wait for it.
"""

from __future__ import annotations

import sys

from assay.cli.commands import COMMANDS
from assay.cli.streams import open_missing_streams, refuse_stdout, say

HELP_FLAGS = ("--help", "-h", "help")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status, which `help_page` explains.

    Raises:
        SystemExit: Always, with the status.
    """
    open_missing_streams()
    given = sys.argv[1:] if arguments is None else arguments
    if not given:
        say(help_page().rstrip())
        sys.exit(2)
    if given[0] in HELP_FLAGS and (given[0] != "help" or len(given) == 1):
        sys.exit(_answer(help_page()))
    if given[0] == "--version":
        from assay import __version__  # noqa: PLC0415 (only who asks for the version pays for finding it)

        sys.exit(_answer(f"assay {__version__}\n"))
    try:
        from assay.cli.app import run  # noqa: PLC0415 (see the module docstring)

        sys.exit(run(_asked_for_help(given)))
    except KeyboardInterrupt:  # while the command itself is loaded
        say("interrupted; nothing was begun")
        sys.exit(130)


def _asked_for_help(given: list[str]) -> list[str]:
    """`assay help judge` is `assay judge --help`; a command that there is not is told as such."""
    if given[0] != "help":
        return given
    return [given[1], "--help"] if given[1] in COMMANDS else given[1:]


def _answer(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        return refuse_stdout(error)
    return 0


def help_page() -> str:
    """The page that `assay --help` prints."""
    commands = "".join(f"  {name:<8} {command.line}\n" for name, command in COMMANDS.items())
    return (
        "Usage: assay COMMAND ...\n\n"
        "Judge generated code by running it: fast, in a real sandbox, with verdicts\n"
        "that it cannot forge.\n\n"
        f"Commands:\n{commands}\n"
        "`assay COMMAND --help` explains a command. Start with `assay demo`.\n\n"
        "Exit status: 0 done; 1 done, but some samples have no verdict, or what was\n"
        "checked is not in order; 2 you must change something; 70 a fault of assay;\n"
        "130 interrupted, what was done is kept.\n"
    )
