"""The error model of assay, explained once.

A *candidate's* failure is data: an `Outcome` in a `Verdict`. *Our* failure, or the user's, is an exception from this file::

    AssayError                     everything that assay raises on purpose
     +- SettingsError              a flag, file or value that the user gave can't be used        exit 2
     +- DataError                  a file of problems or samples is wrong; carries path and line exit 2
     |   +- InvalidProblemError    a problem can't be judged; carries which, and why             exit 2
     +- ModelError                 a model server refused or broke; may be retryable             exit 1
     +- SandboxError               the machinery round the candidate broke (a worker died ...)   exit 70
     |   +- SandboxUnavailable     this machine can't give the isolation that was asked for      exit 2
     +- StoreError                 a run folder can't be read or written                         exit 2
     +- PluginError                a plug-in could not be loaded                                 exit 2

Messages say what is wrong, show the value, and end with a `hint:` line that says what to do. Errors are raised at their source and
caught in two places: `engine` turns a sample's `SandboxError` into the outcome `system_error` (retried, never counted as failed), and
`cli` prints the message and exits with `exit_status`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class AssayError(Exception):
    """Everything that assay raises on purpose."""

    exit_status = 70

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")


class SettingsError(AssayError):
    """A flag, settings file or argument that the user gave can't be used."""

    exit_status = 2


@dataclass(frozen=True)
class BadRow:
    """One unusable row of a file: `line` counts from 1, `reason` names the value and a way out.

    `where` names the place in a file without lines, or a part of a line; it is then shown in the place of `line`.
    """

    line: int
    reason: str
    where: str = ""

    @property
    def place(self) -> str:
        """Where the row stands, as messages name it."""
        return self.where or f"line {self.line}"


class DataError(AssayError):
    """A file of problems or samples is wrong.

    Args:
        message: What is wrong, with the value.
        path: The file, as the user named it (`-` for standard input).
        line: Line number from 1, where one line is to blame.
        rows: All bad rows, where there are several; they are listed in the message.
        hint: What to do.
    """

    exit_status = 2

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        rows: tuple[BadRow, ...] = (),
        hint: str | None = None,
    ) -> None:
        self.path = path
        self.line = line
        self.rows = rows
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        listing = "".join(f"\n  {row.place}: {row.reason}" for row in rows)
        super().__init__(f"{where}{message}{listing}", hint=hint)


class InvalidProblemError(DataError):
    """A problem that a sample was to be judged for can't be judged: its reference fails, or its tests are no tests.

    Args:
        problem_id: Which problem.
        reason: Why.
        fault: What is at fault, one of the values of `records.Fault`.
    """

    def __init__(self, problem_id: str, reason: str, fault: str) -> None:
        self.problem_id = problem_id
        self.reason = reason
        self.fault = fault
        super().__init__(
            f"problem {problem_id} can't be judged: {reason}", hint="`assay check` looks at all problems of a file"
        )


class ModelError(AssayError):
    """A model server refused or broke.

    Args:
        message: What it said.
        status: HTTP status, where there was one.
        retryable: Whether the same request may succeed later.
        fatal: Whether every other request would be refused alike (a wrong key, an unknown model).
        hint: What to do.
    """

    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retryable: bool = False,
        fatal: bool = False,
        hint: str | None = None,
    ) -> None:
        self.status = status
        self.retryable = retryable
        self.fatal = fatal
        super().__init__(message, hint=hint)


class SandboxError(AssayError):
    """The machinery round the candidate broke: no verdict can be given for the samples in flight."""


class SandboxUnavailable(SandboxError):
    """This machine can't give the isolation that was asked for.

    Args:
        layer: The missing layer (`user namespace`, `seccomp`, `landlock` ...).
        reason: What the kernel answered.
        remedy: The command or setting that would bring it.
    """

    exit_status = 2

    def __init__(self, layer: str, reason: str, remedy: str) -> None:
        self.layer = layer
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{layer} is not available: {reason}", hint=remedy)


class StoreError(AssayError):
    """A run folder can't be read or written."""

    exit_status = 2


class PluginError(AssayError):
    """A plug-in could not be found or loaded."""

    exit_status = 2


def did_you_mean(value: str, known: Iterable[str]) -> str | None:
    """The known name that `value` most likely stands for, or None where nothing is near.

    >>> did_you_mean("refrence", ["prompt", "reference"])
    'reference'
    """
    from difflib import get_close_matches  # noqa: PLC0415 (only an error needs it, and starting up must stay cheap)

    return next(iter(get_close_matches(value, list(known), n=1, cutoff=0.7)), None)
