"""A standing engine in a thread of its own, for callers in any thread and any event loop.

What holds: whoever asks gets an answer or an error, however the engine ends; it is ended once, and nothing that it started is left, be it
closed, forgotten, or the interpreter's end come first. In a process that was forked off it is not there, and says so: its workers talk to
one process only.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING

from assay.engine import Standing
from assay.errors import AssayError, SandboxError, SettingsError

if TYPE_CHECKING:
    from assay.engine import Settings
    from assay.records import InvalidProblem, Problem, Program, Verdict

    Answer = Future[Verdict | InvalidProblem]


class EngineThread:
    """One engine, started when it is first needed.

    Args:
        settings: How to judge.
    """

    def __init__(self, settings: Settings) -> None:
        self._standing = Standing(settings)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: asyncio.Task[None] | None = None
        self._ready: Future[None] = Future()
        self._ready.set_running_or_notify_cancel()  # who waits for it may be cancelled; it may not
        self._open: set[Answer] = set()
        self._end: AssayError | None = None
        self._is_over = False

    def start(self) -> Future[None]:
        """Starts the engine unless that was done; the future tells when it can be asked, or why it can't.

        Raises:
            SettingsError: It was closed, or started by the process that this one was forked from.
        """
        if self._is_elsewhere():
            raise SettingsError(
                f"this judge belongs to process {self._process}, and this is a fork of it, {os.getpid()}",
                hint="make a Judge in each process, after the fork",
            )
        with self._lock:
            if self._end is not None:
                raise self._end.with_traceback(None)  # or each time would add its frames to the same error
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="assay judge", daemon=True)
                try:
                    thread.start()
                except RuntimeError as error:  # a limit of processes counts threads too
                    raise SandboxError(f"there is no thread for the judge: {error}") from None
                self._process, self._thread = os.getpid(), thread
                atexit.register(self.close)
        return self._ready

    def ask(self, problem: Problem, program: Program) -> Answer:
        """Has a program judged, once the engine has started. Cancelling the answer before its turn comes spares the work.

        Raises:
            SettingsError: As `start`.
        """
        self.start()
        assert self._loop is not None
        answer: Answer = Future()
        self._open.add(answer)
        answer.add_done_callback(self._open.discard)
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile: the answer fails below
            self._loop.call_soon_threadsafe(self._standing.ask, problem, program, answer)
        if self._is_over and self._end is not None:
            _fail(answer, self._end)
        return answer

    def stop(self) -> None:
        """Lets the engine end, without waiting for it. Whoever waits for a verdict gets an error."""
        if self._is_elsewhere():
            return
        with self._lock:
            if self._end is not None:
                return  # a second cancellation would break off what the first one tidies up
            self._end = SettingsError("this judge was closed", hint="make a new one: assay.Judge()")
            loop, serving = self._loop, self._serving
        if loop is not None and serving is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                loop.call_soon_threadsafe(serving.cancel)

    def close(self) -> None:
        """`stop`, and waits until nothing of it is left. May be called again, from any thread."""
        self.stop()
        if self._thread is not None and self._thread is not threading.current_thread() and not self._is_elsewhere():
            self._thread.join()

    def _is_elsewhere(self) -> bool:
        return self._thread is not None and self._process != os.getpid()

    def _run(self) -> None:
        failure: BaseException | None = None
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 (it is told to everyone who waits, or asks later)
            failure = error
        with self._lock:
            self._end = self._end or _as_ours(failure)
            self._is_over = True
        _fail(self._ready, self._end)
        for answer in tuple(self._open):
            _fail(answer, self._end)
        atexit.unregister(self.close)

    async def _serve(self) -> None:
        with self._lock:
            self._loop, self._serving = asyncio.get_running_loop(), asyncio.current_task()
            if self._end is not None:
                return
        await self._standing.serve(lambda: self._ready.set_result(None))


def _as_ours(failure: BaseException | None) -> AssayError:
    if isinstance(failure, AssayError):
        return failure
    return SandboxError(f"the judge broke off: {type(failure).__name__}: {failure}")


def _fail(future: Future[None] | Answer, error: AssayError) -> None:
    with contextlib.suppress(InvalidStateError):
        if future.done() or not (future.running() or future.set_running_or_notify_cancel()):
            return
        future.set_exception(error)
