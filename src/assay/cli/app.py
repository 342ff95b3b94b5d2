"""From words to a command, and from an exception to an exit status: only here assay decides how a process ends.

Commands are named by import strings, so that one command never pays for the imports of another.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from cyclopts import App, CycloptsError

from assay.cli.commands import COMMANDS
from assay.cli.flags import STREAM
from assay.cli.streams import Watched, refuse_stdout
from assay.cli.terminal import accept_any_text, notes_of, say
from assay.errors import AssayError

if TYPE_CHECKING:
    from typing import TextIO

USAGE, FAULT, INTERRUPTED = 2, 70, 130
"""Exit statuses beside those of commands, errors and streams; the last is 128 + SIGINT, as in shells."""


def build() -> App:
    """The command line as cyclopts knows it; no command's file is imported yet."""
    app = App(name="assay", version_flags=[], help_format="markdown", suppress_keyboard_interrupt=False)
    for name, command in COMMANDS.items():
        app.command(f"assay.cli.{name}:{command.function}", name=name)
    return app


def run(arguments: list[str]) -> int:
    """Run one command and give its exit status; whatever goes wrong has been said on stderr."""
    accept_any_text()
    words = [STREAM if word == "-" else word for word in arguments]
    stdout = Watched(sys.stdout)
    try:
        with contextlib.redirect_stdout(cast("TextIO", stdout)):
            status = build()(words, exit_on_error=False, print_error=False, result_action="return_value")
            sys.stdout.flush()
    except CycloptsError as error:
        say(f"error: {str(error).replace(STREAM, '-')}\nhint: {_list_of_ks(arguments)}assay {_known(arguments)}--help")
        return USAGE
    except AssayError as error:
        say(f"error: {error}")
        return error.exit_status
    except KeyboardInterrupt as error:
        # Who was at work has noted what is kept; without a note nothing was begun, or nothing is written but at the end.
        say("; ".join(("interrupted", *(notes_of(error) or ("what was done before is kept",)))))
        return INTERRUPTED
    except SystemExit:
        if stdout.refusal is None:
            raise
        return refuse_stdout(stdout.refusal)  # rich turns a reader that has left into an exit of its own
    except BrokenPipeError as error:
        return refuse_stdout(error)
    except Exception as error:  # noqa: BLE001 (the last line of defence: a fault of ours must be named as ours)
        return refuse_stdout(error) if error is stdout.refusal else _own_fault(error)
    return int(status or 0)


def _list_of_ks(arguments: list[str]) -> str:
    """What to say to `-k 1 10`, where cyclopts complains only of a word too many."""
    rest = arguments[arguments.index("-k") + 1 :] if "-k" in arguments else []
    ks = list(takewhile(str.isdecimal, rest))
    return f"-k takes one list, -k {','.join(ks)}; or see " if len(ks) > 1 else ""


def _known(arguments: list[str]) -> str:
    return f"{arguments[0]} " if arguments[0] in COMMANDS else ""


def _own_fault(error: Exception) -> int:
    if os.environ.get("ASSAY_DEBUG"):
        traceback.print_exc()
    say(f"error: {type(error).__name__}: {error}\nThis is a fault of assay, not of your data.")
    say("hint: run it again with ASSAY_DEBUG=1 and report what it prints")
    return FAULT
