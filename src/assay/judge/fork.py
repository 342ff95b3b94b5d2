"""The process that judges one problem: a fork of the jailed judge server, which serves the problem and dies.

The engine opens a further problem in it only where the tests so far were plain and left nothing behind (`plainness.py`). The fork runs
data-set code, never candidate code. It can't speak for another problem: the engine binds ids, trust and isolation to what it reports.
Messages to and from the engine are frames of `guest/codec.py`; a message that needs an agent carries the socket to it::

    ("problem", problem, groups, calibration | None)         -> ("ready", calibrated, totals) | ("unusable", reason, of_reference)
    ("calibrate", seed) + socket                             -> ("calibrated", calibration, totals) | ("unusable", ...) | ("lost", why)
                                                                | ("again",)
    ("calibrate live", seed) + socket                        -> the same, but for ("again",)
    ("judge", source, seed) + socket                         -> ("report", report) | ("again",)
    ("live", source, seed) + socket                          -> ("report", report)
    ("run", source, seed, unit, case) + socket               -> ("ran", report): one case of a whole program (`runs.py`)

`totals` has the number of cases for each unit of tests. `again` asks for a fresh agent: the plan did not fit this program, and its
agent has run ahead.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import Any

from assay.judge.calibration import ANSWERS_CAP, Calibration, calibrate, probe, without_reference
from assay.judge.plan import Plan
from assay.judge.prepared import CallUnit, Prepared, Unusable, prepare
from assay.judge.recorder import NOT_RUN
from assay.judge.runs import Run, Runs, are_runs, judge_run, prepare_runs
from assay.judge.session import LoadFailure, Mismatch, Opaque, Program, Session
from assay.judge.trial import Trial, run_trial, total_cases
from assay.judge.wire import Channel, Clock, SessionEnded, codec

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
        return message, socket.socket(fileno=fds[0]) if fds else None

    def _some(self, n: int) -> bytes:
        chunk = self._sock.recv(n)
        if not chunk:
            os._exit(0)
        return chunk

    def send(self, message: tuple[Any, ...]) -> None:
        """Sends one message."""
        data = codec.encode(message)
        self._sock.sendall(_LENGTH.pack(len(data)) + data)


class ProblemServer:
    """Serves one problem: holds it compiled, with what its reference told."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._problem: Prepared | None = None
        self._calibration: Calibration | None = None
        self._runs: Runs | None = None

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
                return self._calibrate(message[1], agent, live=kind == "calibrate live")
            if kind == "run":
                assert self._runs is not None
                return ("ran", judge_run(self._runs, Run(*message[1:]), agent, self._clock))
            return self._judge(message[1], message[2], agent, live=kind == "live")
        except Unusable as error:
            return ("unusable", str(error), error.of_reference)

    def _open(
        self, problem: dict[str, Any], groups: tuple[str, ...], calibration: dict[str, Any] | None
    ) -> tuple[Any, ...]:
        self._problem = self._calibration = self._runs = None
        if are_runs(problem, groups):
            self._runs = prepare_runs(problem, groups)
            return ("ready", True, self._runs.totals)
        self._problem = prepare(problem, groups)
        if calibration is not None:
            self._calibration = Calibration.from_plain(calibration, self._problem)
        elif self._problem.reference is None:
            if any(isinstance(u, CallUnit) for u in self._problem.units):
                raise Unusable("its tests are inputs only, and it has no reference to give the answers")
            self._calibration = without_reference(self._problem)
        return ("ready", self._calibration is not None, self._totals())

    def _totals(self) -> tuple[int, ...]:
        assert self._problem is not None
        return tuple(total_cases(self._problem, self._calibration.expected if self._calibration else ()))

    def _calibrate(self, seed: int, agent: socket.socket, *, live: bool) -> tuple[Any, ...]:
        assert self._problem is not None
        channel = Channel(agent, self._clock, cap=ANSWERS_CAP, total_cap=ANSWERS_CAP)
        try:
            self._calibration = calibrate(self._problem, channel, seed, live=live)
        except Mismatch:
            return ("again",)
        except SessionEnded as ended:
            return ("lost", str(ended))
        return ("calibrated", self._calibration.to_plain(self._problem), self._totals())

    def _judge(self, source: str, seed: int, agent: socket.socket, *, live: bool) -> tuple[Any, ...]:
        assert self._problem is not None
        assert self._calibration is not None
        channel = Channel(agent, self._clock, self._calibration.frame_cap)
        return judge_sample(self._problem, self._calibration, channel, source, seed, live=live)


def judge_sample(
    problem: Prepared, calibration: Calibration, channel: Channel, source: str, seed: int, *, live: bool = False
) -> tuple[Any, ...]:
    """Judges one program: `("report", report)`, or `("again",)` where the plan did not fit it."""
    session = Session(channel, problem.entry_point, calibration.policy, changes_at_once=calibration.mutates)
    try:
        session.load(
            Program(source, problem.shared_setup, calibration.names, seed), Plan() if live else calibration.plan
        )
        session.modules = dict(calibration.modules)
        trial = run_trial(problem, session, seed, calibration.expected)
    except LoadFailure as failure:
        return ("report", {"letters": _nothing_run(problem, calibration), "load": (failure.kind, failure.text)})
    except SessionEnded:
        trial = Trial(letters=list(_nothing_run(problem, calibration)))
    except Mismatch:
        return ("again",)
    return ("again",) if session.mismatched else ("report", _report(session, trial, calibration))


def _report(session: Session, trial: Trial, calibration: Calibration) -> dict[str, Any]:
    contradicted = False
    if session.operations & {"eq", "ne"} and calibration.probes and not session.ended:
        try:
            contradicted = probe(session) != calibration.probes
        except (SessionEnded, Opaque):
            contradicted = True
    return {
        "letters": tuple(trial.letters), "failure": trial.failure, "ended": session.ended, "delegated": trial.delegated,
        "contradicted": contradicted, "line": session.last_line, "live": not session.planned,
    }  # fmt: skip


def _nothing_run(problem: Prepared, calibration: Calibration) -> tuple[str, ...]:
    return tuple(NOT_RUN * n for n in total_cases(problem, calibration.expected))


def main(fd: int, clock: Clock) -> None:
    """Entry of a judge fork: serves the problem that the engine sends on the connected socket `fd`."""
    ProblemServer(Engine(fd), clock).serve()
