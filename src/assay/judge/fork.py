"""The process that judges one problem: a fork of the jailed judge server, which serves the problem and dies.

The engine opens a further problem in it only where the tests so far were plain and left nothing behind (`plainness.py`). The fork runs
data-set code, never candidate code. It can't speak for another problem: the engine binds ids, trust and isolation to what it reports.
Messages to and from the engine are frames of `guest/codec.py`; a message that needs an agent carries the socket to it::

    ("problem", problem, groups, plain, calibration | None, screen) -> ("ready", calibrated, totals) | ("unusable", reason, of_reference)
    ("calibrate", seed, screens) + socket                    -> ("calibrated", calibration, totals, screen[, report, script])
                                                                | ("unusable", ...) | ("lost", why) | ("again",)
    ("calibrate live", seed, screens) + socket               -> the same, but for ("again",)
    ("judge", source, seed, asks) + socket                   -> ("report", report[, script]) | ("again",)
    ("judge", source, seed, asks, heard, plan) + socket      -> the same
    ("live", source, seed, asks) + socket                    -> ("report", report)
    ("questions", seed, barred) + socket                     -> ("questions", questions) | ("stuck", variant)
    ("ask", source, seed, questions) + socket                -> ("answers", marks, first)
    ("run", source, seed, unit, case) + socket               -> ("ran", report): one case of a whole program (`runs.py`)

`plain` says that the tests are (`plainness.py`). `totals` has the number of cases for each unit of tests. `again` asks for a fresh
agent: the plan did not fit this program, and its agent has run ahead. `screen` and `questions` are hidden inputs (`hidden.py`), pairs of
encoded arguments and the reference's reply; a `screen` of None says that the reference did not come back from them. `screens` says
whether any are wanted, `asks` whether a program that passes is to be asked them. `script` is what those keep to that pass by heart
(`by_heart.py`), `report` what comes of it: both are told with the calibration if the reference has kept to it too, and with the first that
does. An agent that left it has been sent the program and that plan, and has said what was `heard`.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from assay.judge.by_heart import passed_like_the_reference, repeats_the_reference, script_of
from assay.judge.calibration import ANSWERS_CAP, Calibration, calibrate, without_reference
from assay.judge.hidden import MAKING_PATIENCE_S, Batch, Maker, Screen, Stuck, answer_questions, ask_each, is_forgetful
from assay.judge.loading import LoadFailure, Program
from assay.judge.plan import Plan
from assay.judge.prepared import CallUnit, Prepared, Unusable, prepare
from assay.judge.probing import probe
from assay.judge.questions import Question
from assay.judge.recorder import NOT_RUN, PASSED
from assay.judge.runs import Run, Runs, are_runs, judge_run, prepare_runs
from assay.judge.session import Mismatch, Opaque, Session
from assay.judge.trial import Trial, run_trial, total_cases
from assay.judge.wire import Channel, Clock, SessionEnded, codec, framed

if TYPE_CHECKING:
    from assay.judge.hidden import Ask

_LENGTH = struct.Struct("<I")


class Engine:
    """The socket to the engine, which never sends a message before the last one is answered: one read takes in one message."""

    def __init__(self, fd: int) -> None:
        self._sock = socket.socket(fileno=fd)

    def receive(self) -> tuple[tuple[Any, ...], socket.socket | None]:
        """The next message and the socket that came with it. Ends the process where the engine has hung up."""
        data, fds, _, _ = socket.recv_fds(self._sock, 65536, 1)
        if not data:
            os._exit(0)
        while len(data) < 4:
            data += self._some(4 - len(data))
        length = _LENGTH.unpack_from(data)[0] + 4
        whole = bytearray(data)
        while len(whole) < length:
            whole += self._some(min(length - len(whole), 1 << 20))
        message: tuple[Any, ...] = codec.decode(bytes(whole[4:]))
        # with its kind told, or the kernel is asked for it
        return message, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fds[0]) if fds else None

    def _some(self, n: int) -> bytes:
        chunk = self._sock.recv(n)
        if not chunk:
            os._exit(0)
        return chunk

    def send(self, message: tuple[Any, ...]) -> None:
        """Sends one message."""
        self._sock.sendall(framed(codec.encode(message)))


class ProblemServer:
    """Serves one problem: holds it compiled, with what its reference told."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._problem: Prepared | None = None
        self._calibration: Calibration | None = None
        self._runs: Runs | None = None
        self._screen: Screen | None = None
        self._asking: Calibration | None = None
        self._plain = False
        self._leaves_plan = False
        self._has_told_script = False

    def serve(self) -> None:
        """Answers messages until the engine hangs up."""
        while True:
            message, agent = self._engine.receive()
            self._clock.start()
            try:
                answer = self._answer(message, agent)
            finally:
                if agent is not None:
                    agent.close()  # before the answer goes out: the agent ends at once and its clock with it
            self._engine.send(answer)
            self._clock.stop()

    def _answer(self, message: tuple[Any, ...], agent: socket.socket | None) -> tuple[Any, ...]:
        kind = message[0]
        try:
            if kind == "problem":
                return self._open(*message[1:])
            assert agent is not None
            if kind in ("calibrate", "calibrate live"):
                return self._calibrate(message[1], message[2], agent, live=kind == "calibrate live")
            if kind == "run":
                assert self._runs is not None
                return ("ran", judge_run(self._runs, Run(*message[1:]), agent, self._clock))
            if kind == "questions":
                return self._make_questions(message[1], message[2], agent)
            if kind == "ask":
                return self._ask(message, agent)
            return self._judge(message, agent)
        except Unusable as error:
            return ("unusable", str(error), error.of_reference)

    def _open(
        self,
        problem: dict[str, Any],
        groups: tuple[str, ...],
        plain: bool,
        calibration: bytes | None,
        screen: tuple[Any, ...],
    ) -> tuple[Any, ...]:
        self._problem = self._calibration = self._asking = self._runs = None
        self._plain = plain
        self._has_told_script = self._leaves_plan = False
        self._screen = Screen(problem["entry_point"], screen) if screen else None
        if are_runs(problem, groups):
            self._runs = prepare_runs(problem, groups)
            return ("ready", True, self._runs.totals)
        told = None if calibration is None else codec.decode(calibration)
        self._problem = prepare(problem, groups, () if told is None else told["arguments"])
        if told is not None:
            self._calibration = Calibration.from_plain(told, self._problem)
        elif self._problem.reference is None:
            if any(isinstance(u, CallUnit) for u in self._problem.units):
                raise Unusable("its tests are inputs only, and it has no reference to give the answers")
            self._calibration = without_reference(self._problem)
        return ("ready", self._calibration is not None, self._totals())

    def _totals(self) -> tuple[int, ...]:
        assert self._problem is not None
        return tuple(total_cases(self._problem, self._calibration.expected if self._calibration else ()))

    def _calibrate(self, seed: int, screens: bool, agent: socket.socket, *, live: bool) -> tuple[Any, ...]:
        assert self._problem is not None
        self._asking = None
        channel = Channel(agent, self._clock, cap=ANSWERS_CAP, total_cap=ANSWERS_CAP)
        try:
            live = live or self._leaves_plan
            self._calibration = calibrate(self._problem, channel, seed, live=live, plain=self._plain)
        except Mismatch:
            self._leaves_plan = True  # whoever asks anew need not meet that again
            return ("again",)
        except SessionEnded as ended:
            return ("lost", str(ended))
        screen = self._make_screen(channel, seed) if screens else ()
        self._screen = Screen(self._problem.entry_point or "", screen) if screen else None
        totals = self._totals()
        told = (codec.encode(self._calibration.to_plain(self._problem)), totals, screen)
        return ("calibrated", *told, *self._foretell(self._calibration, totals))

    def _foretell(self, calibration: Calibration, totals: tuple[int, ...]) -> tuple[Any, ...]:
        """What is said of programs that say what the reference has said, and their script; nothing where they are to be looked at."""
        assert self._problem is not None
        if not calibration.by_heart:
            return ()
        report: dict[str, Any] = {"letters": tuple(PASSED * total for total in totals)}
        if self._screen is not None:
            report["screened"] = len(self._screen.questions)
        program = Program("", self._problem.shared_setup, calibration.names, 0)
        return report, tuple(script_of(program, calibration.plan, calibration.loaded, self._screen))

    def _maker(self, ask: Ask, seed: int, barred: tuple[int, ...] = ()) -> Maker:
        """Makes questions of the calls of the entry point that the tests make."""
        problem, calibration = self._problem, self._calibration
        assert problem is not None
        assert calibration is not None
        plan, forgetful = calibration.plan, is_forgetful(problem.reference or "")
        pairs = zip(plan.calls, plan.answers, strict=True)
        known = {data: answer for (name, data), answer in pairs if name == problem.entry_point}
        answers = {data: answer for data, answer in known.items() if answer is not None} if forgetful else {}
        return Maker(ask, list(known), seed, barred, forgetful=forgetful, answers=answers)

    def _make_screen(self, channel: Channel, seed: int) -> tuple[Any, ...] | None:
        assert self._problem is not None
        entry = self._problem.entry_point or ""
        try:
            ask: Ask = lambda arguments: Batch(entry, arguments).ask(channel, MAKING_PATIENCE_S)  # noqa: E731 (shorter than the lines of a function)
            return tuple(map(tuple, self._maker(ask, seed).make_screen()))
        except Stuck:
            return None

    def _make_questions(self, seed: int, barred: tuple[int, ...], agent: socket.socket) -> tuple[Any, ...]:
        problem = self._problem
        assert problem is not None
        assert problem.reference is not None
        channel = self._channel(agent)
        try:
            self._load(channel, problem.reference, seed)
            ask: Ask = lambda arguments: ask_each(channel, problem.entry_point or "", arguments)  # noqa: E731 (as above)
            return ("questions", tuple(map(tuple, self._maker(ask, seed, barred).make_all())))
        except Stuck as stuck:
            return ("stuck", stuck.variant)
        except (LoadFailure, SessionEnded):
            return ("questions", ())

    def _ask(self, message: tuple[Any, ...], agent: socket.socket) -> tuple[Any, ...]:
        _, source, seed, questions = message
        try:
            session = self._load(self._channel(agent), source, seed)
        except (LoadFailure, SessionEnded):
            return ("answers", "", None)
        return ("answers", *answer_questions(session, [Question(*each) for each in questions]))

    def _channel(self, agent: socket.socket, heard: bytes | None = None) -> Channel:
        assert self._calibration is not None
        return Channel(agent, self._clock, self._calibration.frame_cap, heard=heard)

    def _load(self, channel: Channel, source: str, seed: int) -> Session:
        """A session with a program that is asked nothing yet."""
        assert self._problem is not None
        assert self._calibration is not None
        calibration = self._calibration
        session = Session(channel, self._problem.entry_point, calibration.policy, narrow=calibration.narrow)
        session.load(Program(source, self._problem.shared_setup, self._calibration.names, seed), Plan())
        return session

    def _judge(self, message: tuple[Any, ...], agent: socket.socket) -> tuple[Any, ...]:
        assert self._problem is not None
        assert self._calibration is not None
        kind, source, seed, asks, *said = message
        if said and said[1] != self._calibration.plan.data:
            return ("again",)  # this fork's reference was asked something else
        if asks and self._asking is None:  # made once: `replace` is slow
            self._asking = replace(self._calibration, screen=self._screen)
        calibration = self._asking if asks and self._asking else self._calibration
        channel = self._channel(agent, said[0] if said else None)
        match judge_sample(self._problem, calibration, channel, source, seed, live=kind == "live"):
            case ("report", report, script) if not self._has_told_script:
                self._has_told_script = True
                return ("report", _without_the_usual(report), tuple(script))
            case ("report", report, *_):
                return ("report", _without_the_usual(report))
            case again:
                return again


def judge_sample(
    problem: Prepared, calibration: Calibration, channel: Channel, source: str, seed: int, *, live: bool = False
) -> tuple[Any, ...]:
    """Judges one program: `("report", report)`, or `("again",)` where the plan did not fit it. One that passes is asked the calibration's
    screen, if it has one. The script comes third if the program has kept to it.
    """
    session = Session(
        channel,
        problem.entry_point,
        calibration.policy,
        changes_at_once=calibration.mutates,
        narrow=calibration.narrow,
    )
    by_heart = False
    program = Program(source, problem.shared_setup, calibration.names, seed)
    try:
        session.load(program, Plan() if live else calibration.plan)
        session.modules = dict(calibration.modules)
        by_heart = calibration.by_heart and repeats_the_reference(session)
        if by_heart:
            trial = passed_like_the_reference(problem, session, calibration.expected)
        else:
            trial = run_trial(problem, session, seed, calibration.expected)
    except LoadFailure as failure:
        return (
            "report",
            {
                "letters": _nothing_run(problem, calibration),
                "load": (failure.kind, failure.text),
                "frames": failure.frames,
            },
        )
    except SessionEnded:
        trial = Trial(letters=list(_nothing_run(problem, calibration)))
    except Mismatch:
        return ("again",)
    if session.mismatched:
        return ("again",)
    report = _report(session, trial, calibration)
    if not _passes(report):
        return ("report", report)
    screen = calibration.screen
    agrees = True
    if screen is not None:
        report |= _screened(session, screen)
        agrees = report["screened"] == len(screen.questions)
    if by_heart and agrees:
        return ("report", report, script_of(program, calibration.plan, session.loaded, screen))
    return ("report", report)


def _without_the_usual(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what is so of most programs, and what the engine takes for granted where it isn't told."""
    return {name: told for name, told in report.items() if told is not None and told is not False and told != ()}


def _passes(report: dict[str, Any]) -> bool:
    return not report["contradicted"] and report["ended"] is None and set().union(*report["letters"]) == {PASSED}


def _screened(session: Session, screen: Screen) -> dict[str, Any]:
    """How a program that has passed does at the screen, and how long it took."""
    began_s = time.monotonic()
    agreed = screen.ask(session.channel) if session.is_idle else None
    return {"screened": agreed, "screen_s": time.monotonic() - began_s}


def _report(session: Session, trial: Trial, calibration: Calibration) -> dict[str, Any]:
    contradicted = False
    if session.operations & {"eq", "ne"} and calibration.probes and not session.ended:
        try:
            contradicted = probe(session, SystemRandom()) != calibration.probes
        except (SessionEnded, Opaque):
            contradicted = True
    return {
        "letters": tuple(trial.letters), "failure": trial.failure, "ended": session.ended, "delegated": trial.delegated,
        "contradicted": contradicted, "live": not session.planned,
        "frames": session.last_frames if session.ended == "exit" else (),
    }  # fmt: skip


def _nothing_run(problem: Prepared, calibration: Calibration) -> tuple[str, ...]:
    return tuple(NOT_RUN * n for n in total_cases(problem, calibration.expected))


def main(fd: int, clock: Clock) -> None:
    """Entry of a judge fork: serves the problem that the engine sends on the connected socket `fd`."""
    ProblemServer(Engine(fd), clock).serve()
