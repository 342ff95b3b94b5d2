"""What the reference's own run tells about a problem: is it valid, how many asserts are there, which answers, which calls, which shape.

The reference is data-set code, so it runs in an agent like any candidate, through the same path. Its run is recorded; candidates are
held to it: they may be asked only for operations on objects that the reference needed too (rule 4), must reach as many asserts (rule 3),
and get the calls that the reference's run made in one batch (the plan).

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.judge.plan import Plan
from assay.judge.prepared import CallUnit, Prepared, Unusable
from assay.judge.recorder import PASSED
from assay.judge.session import LoadFailure, Program, Session
from assay.judge.showing import explain
from assay.judge.trial import NotPlain, Trial, run_trial
from assay.judge.wire import FRAME_CAP, Channel, SessionEnded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.judge.proxies import Remote

ANSWERS_CAP = 256 << 20
"""Bytes that all answers of a reference may have together: they are kept for as long as the problem's samples are judged."""

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

    def to_plain(self, problem: Prepared) -> dict[str, Any]:
        """A form that the codec takes, for the next process that serves this problem. Calls that follow from the tests are left out."""
        calls = None if self.plan.calls == _asked_calls(problem, self.expected) else self.plan.calls
        return {
            "names": self.names, "modules": dict(self.modules), "policy": tuple(sorted(self.policy)), "mutates": self.mutates,
            "expected": self.expected, "calls": calls, "answered": tuple(a is not None for a in self.plan.answers),
            "probes": self.probes, "frame_cap": self.frame_cap, "delegated": self.delegated,
        }  # fmt: skip

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], problem: Prepared) -> Calibration:
        """The calibration that `to_plain` wrote. The answers to the plan are those that cases are compared with, not copies of them."""
        rest = {k: plain[k] for k in ("names", "modules", "mutates", "expected", "probes", "frame_cap", "delegated")}
        calls = _asked_calls(problem, plain["expected"]) if plain["calls"] is None else plain["calls"]
        kept = (answer for unit in plain["expected"] for answer in unit if isinstance(answer, bytes))
        answers = [next(kept) if answered else None for answered in plain["answered"]]
        return cls(policy=frozenset(plain["policy"]), plan=Plan(calls, answers), **rest)


def _asked_calls(problem: Prepared, expected: Sequence[Any]) -> tuple[tuple[str, bytes], ...]:
    """The calls of tests that are nothing but inputs, without those that the reference refused; empty for other tests."""
    entry, units = problem.entry_point, [unit for unit in problem.units if isinstance(unit, CallUnit)]
    if entry is None or len(units) < len(problem.units):
        return ()
    pairs = (
        (a, e)
        for unit, answers in zip(units, expected, strict=True)
        for a, e in zip(unit.arguments, answers, strict=True)
    )
    return tuple((entry, arguments) for arguments, answer in pairs if answer is not None)


def without_reference(problem: Prepared) -> Calibration:
    """What can be asked of a candidate where there is no reference: live calls, and of its objects the attributes that the tests name.

    An attribute's value is copied like any answer. No operator is among them: what an object claims to equal is no evidence.
    """
    policy = frozenset(f"getattr:{name}" for name in problem.attributes)
    return Calibration(
        names=problem.names, modules={}, policy=policy, mutates=False, expected=(), plan=Plan(), probes=(),
        frame_cap=FRAME_CAP, delegated=False,
    )  # fmt: skip


def calibrate(problem: Prepared, channel: Channel, seed: int, *, live: bool = False) -> Calibration:
    """Runs the reference. Where the calls are known beforehand they go out in one batch, unless `live` is set.

    Raises:
        Unusable: If it fails its own tests, or its answers can't be compared.
        SessionEnded: If its agent is gone.
        Mismatch: If a batch does not do: answers have to be used up before the next call is made.
    """
    assert problem.reference is not None
    session = Session(channel, problem.entry_point, None)
    try:
        program = Program(problem.reference, problem.shared_setup, problem.names, seed)
        session.load(program, Plan() if live else _known_calls(problem))
        trial = run_trial(problem, session, seed, ())
    except LoadFailure as failure:
        raise Unusable(f"the reference does not load: {failure.text}", of_reference=True) from None
    except NotPlain:
        raise Unusable("the reference's answer is an object that can't be copied and compared") from None
    if session.ended == "flood":
        raise Unusable(f"the reference's answers are over {ANSWERS_CAP >> 20} MiB together", of_reference=True)
    if session.ended:
        raise SessionEnded(session.ended)
    _require_pass(problem, trial)
    probes = probe(session)
    return Calibration(
        names=tuple(session.names), modules=session.modules, policy=frozenset(session.operations), mutates=session.mutated,
        expected=tuple(trial.evidence), plan=Plan(session.calls, session.answers), probes=probes,
        frame_cap=max(FRAME_CAP, 2 * channel.largest + 65536), delegated=trial.delegated,
    )  # fmt: skip


def _known_calls(problem: Prepared) -> Plan:
    """The calls of tests that are nothing but inputs, all of which the reference is asked."""
    return Plan(_asked_calls(problem, [unit.arguments if isinstance(unit, CallUnit) else () for unit in problem.units]))


def _require_pass(problem: Prepared, trial: Trial) -> None:
    for letters in trial.letters:
        if set(letters) - {PASSED}:
            raise Unusable(f"the reference fails its own tests: {_told(trial.failure)}", of_reference=True)
    for unit, evidence in zip(problem.units, trial.evidence, strict=True):
        if isinstance(unit, CallUnit) and unit.arguments and not any(e is not None for e in evidence):
            raise Unusable(f"the reference fails on every input: {_told(trial.failure)}", of_reference=True)
    if not any(any(evidence) for evidence in trial.evidence):
        raise Unusable("its tests evaluate no assertion")


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
