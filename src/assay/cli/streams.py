"""The three standard streams when they are not as usual: closed by the caller, full, or left by their reader.

Keeps true: data that stdout did not take is an error that is told, never silence; a broken stderr stops no work and changes no
exit status. Like `start.py` it imports only what the interpreter holds anyway.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

UNWRITTEN, READER_LEFT = 2, 141
"""Exit statuses: stdout took nothing (the user must change something), and 128 + SIGPIPE, as in shells."""


def open_missing_streams() -> None:
    """Put something in the place of streams that the caller has closed.

    Otherwise a file of ours would get their number, and what is meant for stdout or stderr would be written into it. Stdin and
    stdout are opened the wrong way round on purpose: to use them is then an error, as with a closed stream, and data for
    stdout do not vanish.
    """
    if sys.stdin is None:
        sys.stdin = _null(os.O_WRONLY, "r")
    if sys.stdout is None:
        sys.stdout = _null(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _null(os.O_RDWR, "w")


def _null(flags: int, mode: Literal["r", "w"]) -> TextIO:
    # In this order each gets its own number, 0, 1 or 2: the system gives the lowest that is free.
    descriptor = os.open(os.devnull, flags)
    os.set_inheritable(descriptor, True)
    return os.fdopen(descriptor, mode, encoding="utf-8", errors="backslashreplace", closefd=False)


def say(text: str) -> None:
    """Write a line to stderr, at once. Who closed stderr, or has no room, does not want to hear it.

    What can't be seen in it is written as a sign for it: ids and messages of other people stand in notes and errors.
    """
    from assay.visible import visible  # noqa: PLC0415 (see above: `re` and `json` cost more than the rest of this file)

    try:
        sys.stderr.write(f"{visible(text)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        drop(sys.stderr)


def drop(stream: TextIO) -> None:
    """Point a stream at nothing, so that what it still holds is no error when the interpreter ends and flushes it."""
    with contextlib.suppress(OSError, ValueError):
        descriptor = stream.fileno()
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, descriptor)
        os.close(sink)


class Watched:
    """A text stream that remembers what kept it from taking data: an `OSError` alone does not say which file it is about.

    Whoever writes, a library too, gets the error as usual.
    """

    def __init__(self, stream: TextIO) -> None:
        self.refusal: OSError | None = None
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text; see `io.TextIOBase`."""
        with self._remembered():
            return self._stream.write(text)

    def flush(self) -> None:
        """Hand on what is held back; see `io.TextIOBase`."""
        with self._remembered():
            self._stream.flush()

    @contextlib.contextmanager
    def _remembered(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.refusal = error
            raise

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def refuse_stdout(error: OSError) -> int:
    """Say that stdout did not take the data, unless its reader has just left, and give the exit status."""
    drop(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return READER_LEFT
    say(f"error: standard output can't be written: {error.strerror or error}")
    say("hint: let it go to a file or pipe that takes it; what stands in a run folder is kept")
    return UNWRITTEN
