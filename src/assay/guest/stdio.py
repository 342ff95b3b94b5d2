"""A whole program in the place of an agent: on descriptors of its own, as `__main__`, up to the end that an interpreter comes to.

What is kept true is for the sake of honest programs. Nothing of ours is left in reach when the program's first line runs: the socket to
the judge is closed by then, so there is nobody to talk to, and what is judged is what comes out of descriptor 1.

Standard input is a file, as with `program < input`: what reads it by its size or maps it works, and `/dev/stdin` names it. Where no file
can be written it is a pipe, which the judge feeds. Standard output is a pipe to the judge, with a name where it can have one. Standard
library only, CPython >= 3.9, loaded by path.
"""

from __future__ import annotations

import _sitebuiltins
import atexit
import builtins
import contextlib
import gc
import io
import linecache
import os
import socket
import sys
import types
from typing import Any, NoReturn

# The functions below get builtins of their own, so that a program that patches `builtins.print` patches them for itself only.
globals()["__builtins__"] = dict(vars(builtins))

INPUT, OUTPUT, PROGRAM = "/dev/shm/.stdin", "/dev/shm/.stdout", "/tmp/solution.py"  # noqa: S108 (the jail's own, wiped after each child)
"""Where the three lie. The sandbox's root links `/dev/stdin` and `/dev/stdout` to the first two."""

FLUSH_FAILED = 120
"""The exit status of an interpreter that could not write the rest of its output."""

INTERRUPTED = 130
_CHUNK_BYTES = 1 << 20
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_read, _write, _exit, _close = os.read, os.write, os._exit, os.close


if not hasattr(builtins, "exit"):  # the interpreter's module `site` brings both; the sandbox's is started without it
    builtins.exit, builtins.quit = (_sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)") for name in ("exit", "quit"))


class Stage:
    """All that a program needs, made ready before any of it runs. `answer` tells the judge how it went, `handed` are descriptors for it:
    the one to read the output from and, where the input is a pipe, the one to write the input to.

    Args:
        fd: The socket to the judge; the input's bytes come next on it.
        source: The program.
        input_bytes: How many bytes the input has.
    """

    def __init__(self, fd: int, source: str, input_bytes: int) -> None:
        self._fd = fd
        self._source = source
        self._code: Any = None
        self._stdin, feed = take_input(fd, input_bytes)
        drain, self._stdout = open_output()
        self.handed = [drain] if feed is None else [drain, feed]
        self._path = PROGRAM if write_file(PROGRAM, source.encode("utf-8", "surrogatepass")) else "<solution>"
        self.answer: tuple[Any, ...] = ("ready",)
        try:
            # Without `dont_inherit` the program would get this file's `from __future__`.
            self._code = compile(source, self._path, "exec", 0, True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            self.answer = ("syntax", f"{type(error).__name__}: {error}", getattr(error, "lineno", None))

    def send(self, frame: bytes) -> None:
        """Sends the judge a frame and the descriptors that are for it; the socket is closed then."""
        with socket.socket(fileno=self._fd) as judge:
            socket.send_fds(judge, [frame], self.handed)
        for fd in self.handed:
            _close(fd)

    def play(self) -> NoReturn:
        """Runs the program; this process ends with it."""
        if self._code is None:
            _exit(1)
        for fd, place in ((self._stdin, 0), (self._stdout, 1)):
            os.dup2(fd, place)
            _close(fd)
        code, path, source = self._code, self._path, self._source
        del self
        _exit(live(code, path, source))


def take_input(fd: int, input_bytes: int) -> tuple[int, int | None]:
    """The descriptor to read the input from; and, where it is a pipe, the one to write it to.

    The bytes on the socket are taken in any case, so that the judge need not ask first.
    """
    try:
        out = os.open(INPUT, _NEW_FILE, 0o600)
    except OSError:
        out = -1
    whole = out >= 0
    while input_bytes:
        chunk = _read(fd, min(input_bytes, _CHUNK_BYTES))
        if not chunk:
            _exit(0)
        input_bytes -= len(chunk)
        whole = whole and _wrote(out, chunk)
    if out >= 0:
        _close(out)
    return (os.open(INPUT, os.O_RDONLY | os.O_CLOEXEC), None) if whole else os.pipe()


def _wrote(fd: int, data: bytes) -> bool:
    """Whether all of it could be written: a small disk may be full."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[_write(fd, rest) :]
    except OSError:
        return False
    return True


def write_file(path: str, data: bytes) -> bool:
    """Whether a new file with these bytes could be made."""
    try:
        fd = os.open(path, _NEW_FILE, 0o600)
    except OSError:
        return False
    written = _wrote(fd, data)
    _close(fd)
    return written


def open_output() -> tuple[int, int]:
    """Both ends of the pipe for the output: the one to read from, the one to write to. It has a name where files can be made."""
    try:
        os.mkfifo(OUTPUT, 0o600)
        drain = os.open(OUTPUT, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        return drain, os.open(OUTPUT, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return os.pipe()


def live(code: types.CodeType, path: str, source: str) -> int:
    """A program's whole life; the exit status that it ends with."""
    open_streams()
    if path != PROGRAM:
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    else:
        sys.path.insert(0, os.path.dirname(path))
    sys.argv[:] = [path]
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None, __annotations__={})
    sys.modules["__main__"] = module
    namespace = module.__dict__
    del module
    status = execute(code, namespace)
    del namespace
    return finish(status)


def open_streams() -> None:
    """`sys.stdin` and `sys.stdout` as an interpreter makes them that is not at a terminal, in UTF-8 whatever the host's locale is."""
    sys.stdin = sys.__stdin__ = _stream(0, "r", "<stdin>")  # type: ignore[misc]  # `__stdin__` is final to its type only
    sys.stdout = sys.__stdout__ = _stream(1, "w", "<stdout>")  # type: ignore[misc]  # as above


def _stream(fd: int, mode: str, name: str) -> io.TextIOWrapper:
    binary: Any = open(fd, mode + "b", -1, closefd=False)  # noqa: SIM115 (it is open for as long as the program lives)
    binary.raw.name = name
    text: Any = io.TextIOWrapper(binary, "utf-8", "strict", "\n")
    text.mode = mode
    return text  # type: ignore[no-any-return]  # Any, for the two names that are set on it


def execute(code: types.CodeType, namespace: dict[str, Any]) -> int:
    """Runs the program's code; the exit status as far as it is decided by how the code ends."""
    try:
        exec(code, namespace)  # noqa: S102 (this is what the sandbox is for)
    except SystemExit as error:
        return exit_status(error.code)
    except BaseException as error:  # noqa: BLE001 (told on stderr, as by any interpreter)
        trace = error.__traceback__
        show_error(type(error), error, trace and trace.tb_next)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    return 0


def exit_status(code: object) -> int:
    """What `sys.exit(code)` makes of its argument: a number is the status, anything else is printed and is a failure."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    with contextlib.suppress(BaseException):
        print(code, file=sys.stderr)  # noqa: T201 (as the interpreter does)
    return 1


def show_error(kind: type, error: BaseException, trace: types.TracebackType | None) -> None:
    """Prints an exception as the interpreter does, or as the program wants it printed."""
    try:
        sys.excepthook(kind, error, trace)
    except BaseException:  # noqa: BLE001 (a hook of the program's that fails; the program's own exception is still to be told)
        with contextlib.suppress(BaseException):
            sys.__excepthook__(kind, error, trace)


def finish(status: int) -> int:
    """What an interpreter does at its end: threads are waited for, exit functions run, output is written out, and what the program
    still holds goes: a file that it left open is written out by that. Returns the exit status.
    """
    threading: Any = sys.modules.get("threading")
    if threading is not None:
        _quietly(threading._shutdown)  # noqa: SLF001 (what the interpreter itself calls)
    _quietly(atexit._run_exitfuncs)  # noqa: SLF001 (the same)
    flushed = flush()
    # Once before: it sorts what is alive by who holds whom, so that a file goes before its buffer, which it still has to fill.
    _quietly(gc.collect)
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
    sys.modules.pop("__main__", None)
    _quietly(gc.collect)
    return status if flush() and flushed else FLUSH_FAILED


def _quietly(work: Any) -> None:
    """Runs a part of the end, which goes on whatever comes of it."""
    with contextlib.suppress(BaseException):
        work()


def flush() -> bool:
    """Writes out what is held back of both streams; whether that went well."""
    good = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException as error:  # noqa: BLE001, PERF203 (an object of the program's may stand there)
            good = False
            with contextlib.suppress(BaseException):
                sys.__excepthook__(type(error), error, None)
    return good
