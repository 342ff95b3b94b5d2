"""What the reference's own run tells about a problem: is it valid, how many asserts are there, which answers, which calls, which shape.

The reference is data-set code, so it runs in an agent like any candidate, through the same path. Its run is recorded; candidates are
held to it: they may be asked only for operations on objects that the reference needed too (rule 4), must reach as many asserts (rule 3),
and get the calls that the reference's run made in one batch (the plan).

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.judge.prepared import CallUnit, Prepared, Unusable
from assay.judge.recorder import PASSED
from assay.judge.session import LoadFailure, Plan, Program, Session
from assay.judge.showing import explain
from assay.judge.trial import Trial, run_trial
from assay.judge.values import open_plain
from assay.judge.wire import FRAME_CAP, Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.judge.proxies import Remote

_PROBED = 8


@dataclass(frozen=True)
class Calibration:
    """What candidates are held to. `expected` has, for each unit, counts for its asserts or the reference's replies."""

    names: tuple[str, ...]
    modules: Mapping[str, str]
    policy: frozenset[str]
    mutates: bool
    expected: tuple[Any, ...]
    plan: Plan
    probes: tuple[Any, ...]
    frame_cap: int
    delegated: bool

    def to_plain(self) -> dict[str, Any]:
        """A form that the codec takes, for the next process that serves this problem."""
        return {
            "names": self.names, "modules": dict(self.modules), "policy": tuple(sorted(self.policy)), "mutates": self.mutates,
            "expected": self.expected, "calls": self.plan.calls, "probes": self.probes, "frame_cap": self.frame_cap,
            "delegated": self.delegated,
        }  # fmt: skip

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Calibration:
        """The calibration that `to_plain` wrote."""
        rest = {k: plain[k] for k in ("names", "modules", "mutates", "expected", "probes", "frame_cap", "delegated")}
        return cls(policy=frozenset(plain["policy"]), plan=Plan(plain["calls"]), **rest)


def without_reference(problem: Prepared) -> Calibration:
    """What can be asked of a candidate where there is no reference: live calls, no operations on its objects."""
    return Calibration(
        names=problem.names, modules={}, policy=frozenset(), mutates=False, expected=(), plan=Plan(), probes=(),
        frame_cap=FRAME_CAP, delegated=False,
    )  # fmt: skip


def calibrate(problem: Prepared, channel: Channel, seed: int) -> Calibration:
    """Runs the reference.

    Raises:
        Unusable: If it fails its own tests, or its answers can't be compared.
        SessionEnded: If its agent is gone.
    """
    assert problem.reference is not None
    session = Session(channel, problem.entry_point, None)
    try:
        session.load(Program(problem.reference, problem.shared_setup, problem.names, seed), Plan())
    except LoadFailure as failure:
        raise Unusable(f"the reference does not load: {failure.text}") from None
    trial = run_trial(problem, session, seed, ())
    if session.ended:
        raise SessionEnded(session.ended)
    _require_pass(problem, trial)
    _require_plain(problem, trial.evidence)
    probes = probe(session)
    return Calibration(
        names=tuple(session.names), modules=session.modules, policy=frozenset(session.operations), mutates=session.mutated,
        expected=tuple(trial.evidence), plan=Plan(session.calls), probes=probes,
        frame_cap=max(FRAME_CAP, 2 * channel.largest + 65536), delegated=trial.delegated,
    )  # fmt: skip


def _require_pass(problem: Prepared, trial: Trial) -> None:
    for letters in trial.letters:
        if set(letters) - {PASSED}:
            raise Unusable(f"the reference fails its own tests: {_told(trial.failure)}")
    for unit, evidence in zip(problem.units, trial.evidence, strict=True):
        if isinstance(unit, CallUnit) and unit.arguments and not any(e is not None for e in evidence):
            raise Unusable(f"the reference fails on every input: {_told(trial.failure)}")
    if not any(any(evidence) for evidence in trial.evidence):
        raise Unusable("its tests evaluate no assertion")


def _require_plain(problem: Prepared, evidence: Sequence[Any]) -> None:
    """Expected values must be data: an object of the reference's can't be compared with one of the candidate's."""
    for unit, replies in zip(problem.units, evidence, strict=True):
        if not isinstance(unit, CallUnit):
            continue
        for arguments, reply in zip(unit.arguments, replies, strict=True):
            try:
                if isinstance(reply, bytes):
                    open_plain(reply, arguments)
                elif reply is not None:
                    codec.encode(reply)
            except codec.CodecError:
                raise Unusable("the reference's answer is an object that can't be copied and compared") from None


def _told(failure: Mapping[str, str] | None) -> str:
    if failure is None:
        return "no reason was given"
    return explain(failure["call"], failure["expected"], failure["got"], failure["message"])


def probe(session: Session) -> tuple[Any, ...]:
    """Answers to `==` and `!=` among all the objects that were compared or seen: an object that claims to equal one thing is asked
    about the others too, and must answer as the reference's does. Empty where the tests delegate no comparison.
    """
    if not session.operations & {"eq", "ne"}:
        return ()
    compared = session.compared[:_PROBED]
    seen = session.seen[:_PROBED]
    pairs: list[tuple[Remote, object]] = [(a, b) for a, _ in compared for _, b in compared]
    pairs += [(a, b) for a in seen for b in seen]
    policy, session.policy = session.policy, None
    try:
        return tuple(_ask(a, b) for a, b in pairs)
    finally:
        session.policy = policy


def _ask(a: Remote, b: object) -> Any:
    try:
        return (a == b, a != b)
    except Exception as error:  # noqa: BLE001 (an answer like any other)
        return type(error).__name__
