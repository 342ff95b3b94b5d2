"""The start of the command line: the table of commands, and the answers that must come at once.

This file imports only what the interpreter holds anyway: `assay --help` is read by people who wait for it.
"""

from __future__ import annotations

import sys


class Command:
    """A command: the function in `assay.cli.<name>` that runs it, and its line on the help page."""

    def __init__(self, function: str, line: str) -> None:
        self.function = function
        self.line = line


COMMANDS = {
    "demo": Command("run_demo", "judge the recorded samples of the embedded problems: no network, no model"),
    "list": Command("list_parts", "benchmarks, sandboxes and metrics that this installation knows"),
    "judge": Command("judge_file", "judge a file of samples; the same command again resumes"),
    "score": Command("score_run", "pass@k with intervals, from a run folder"),
    "check": Command("check_benchmark", "judge a benchmark's own references: failing, vacuous and invalid problems"),
    "doctor": Command("show_doctor", "which sandbox layers this machine gives, and how to get the missing ones"),
}

HELP_FLAGS = ("--help", "-h", "help")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status, which `help_page` explains.

    Raises:
        SystemExit: Always, with the status.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if not given:
        sys.stderr.write(help_page())
        sys.exit(2)
    if given[0] in HELP_FLAGS:
        sys.stdout.write(help_page())
        sys.exit(0)
    if given[0] == "--version":
        from assay import __version__  # noqa: PLC0415 (only who asks for the version pays for finding it)

        sys.stdout.write(f"assay {__version__}\n")
        sys.exit(0)
    from assay.cli.app import run  # noqa: PLC0415 (see the module docstring)

    sys.exit(run(given))


def help_page() -> str:
    """The page that `assay --help` prints."""
    commands = "".join(f"  {name:<8} {command.line}\n" for name, command in COMMANDS.items())
    return (
        "Usage: assay COMMAND ...\n\n"
        "Judge generated code by running it: fast, in a real sandbox, with verdicts that it cannot forge.\n\n"
        f"Commands:\n{commands}\n"
        "`assay COMMAND --help` explains a command. Start with `assay demo`.\n\n"
        "Exit status: 0 done; 1 done, but some samples have no verdict, or what was checked is not in order;\n"
        "2 you must change something; 70 a fault of assay; 130 interrupted, what was done is kept.\n"
    )
