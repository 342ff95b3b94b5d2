"""What the reference's own run tells about a problem: is it valid, how many asserts are there, which answers, which calls, which shape.

The reference is data-set code, so it runs in an agent like any candidate, through the same path. Its run is recorded; candidates are
held to it: they may be asked only for operations on objects that the reference needed too (rule 4), must reach as many asserts (rule 3),
and get the calls that the reference's run made in one batch (the plan).

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.judge.by_heart import can_be_known
from assay.judge.foresight import foresee
from assay.judge.loading import LoadFailure, Program
from assay.judge.plan import Plan
from assay.judge.prepared import CallUnit, Prepared, Unusable
from assay.judge.probing import probe
from assay.judge.recorder import PASSED
from assay.judge.session import Session
from assay.judge.showing import explain
from assay.judge.trial import NotPlain, Trial, run_trial
from assay.judge.wire import FRAME_CAP, Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.judge.hidden import Screen

_NARROW = frozenset({"float16", "float32", "complex64"})
"""Types of numpy's numbers that are narrower than Python's, by the names under which tests ask for them."""

ANSWERS_CAP = 256 << 20
"""Bytes that all answers of a reference may have together: they are kept for as long as the problem's samples are judged."""


@dataclass(frozen=True)
class Calibration:
    """What candidates are held to. `expected` has, for each unit, counts for its asserts or the reference's replies. `screen`
    are the hidden inputs that a program which passes is asked, where it is to be asked any. `narrow` names types of numbers that the
    reference gives and candidates may give too. `by_heart`: whoever gives the reference's replies to the plan passes as it did. `loaded` is
    what its agent said once it was loaded, where it was loaded here.
    """

    names: tuple[str, ...]
    modules: Mapping[str, str]
    policy: frozenset[str]
    mutates: bool
    expected: tuple[Any, ...]
    plan: Plan
    probes: tuple[Any, ...]
    frame_cap: int
    delegated: bool
    narrow: frozenset[str] = frozenset()
    screen: Screen | None = None
    by_heart: bool = False
    loaded: bytes = b""

    def to_plain(self, problem: Prepared) -> dict[str, Any]:
        """A form that the codec takes, for the next process that serves this problem: it need not read the tests' inputs again. Calls that
        follow from these are left out.
        """
        calls = None if self.plan.calls == _asked_calls(problem, self.expected) else self.plan.calls
        packed = tuple(bool(unit) and all(isinstance(answer, bytes) for answer in unit) for unit in self.expected)
        expected = tuple(codec.pack(unit) if full else unit for unit, full in zip(self.expected, packed, strict=True))
        return {
            "arguments": tuple(codec.pack(unit.arguments) for unit in problem.units if isinstance(unit, CallUnit)),
            "packed": packed,
            "names": self.names, "modules": dict(self.modules), "policy": tuple(sorted(self.policy)), "mutates": self.mutates,
            "expected": expected, "calls": calls, "answers": self._plain_answers(),
            "probes": self.probes, "frame_cap": self.frame_cap, "delegated": self.delegated, "narrow": tuple(sorted(self.narrow)),
            "by_heart": self.by_heart,
        }  # fmt: skip

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], problem: Prepared) -> Calibration:
        """The calibration that `to_plain` wrote. Answers to the plan that cases are compared with are these, not copies of them."""
        rest = {k: plain[k] for k in ("names", "modules", "mutates", "probes", "frame_cap", "delegated", "by_heart")}
        pairs = zip(plain["expected"], plain["packed"], strict=True)
        expected = tuple(codec.unpack(unit) if full else unit for unit, full in pairs)
        calls = _asked_calls(problem, expected) if plain["calls"] is None else plain["calls"]
        kept = _compared(expected)
        answers = [kept[answer] if isinstance(answer, int) else answer for answer in plain["answers"]]
        policy, narrow = frozenset(plain["policy"]), frozenset(plain["narrow"])
        return cls(policy=policy, expected=expected, plan=Plan(calls, answers), narrow=narrow, **rest)

    def _plain_answers(self) -> tuple[int | bytes | None, ...]:
        """The answers to the plan; the number of one that cases are compared with, counted over all of these."""
        numbers = {id(answer): number for number, answer in enumerate(_compared(self.expected))}
        return tuple(numbers.get(id(answer), answer) for answer in self.plan.answers)


def _compared(expected: Sequence[Any]) -> list[bytes]:
    return [answer for unit in expected for answer in unit if isinstance(answer, bytes)]


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
        frame_cap=FRAME_CAP, delegated=False, narrow=_NARROW & frozenset(problem.attributes),
    )  # fmt: skip


def calibrate(
    problem: Prepared, channel: Channel, seed: int, *, live: bool = False, plain: bool = False
) -> Calibration:
    """Runs the reference. Where the calls are known beforehand they go out in one batch, unless `live` is set. `plain` says that the tests
    are (`plainness.py`): then what comes of them depends on the replies alone.

    Raises:
        Unusable: If it fails its own tests, or its answers can't be compared.
        SessionEnded: If its agent is gone.
        Mismatch: If a batch does not do: answers have to be used up before the next call is made.
    """
    assert problem.reference is not None
    session = Session(channel, problem.entry_point, None)
    try:
        program = Program(problem.reference, problem.shared_setup, problem.names, seed)
        session.load(program, Plan() if live else _known_calls(problem, plain=plain))
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
    by_heart = plain and can_be_known(session)
    probes = probe(session)
    return Calibration(
        names=tuple(session.names), modules=session.modules, policy=frozenset(session.operations), mutates=session.mutated,
        expected=tuple(trial.evidence), plan=Plan(session.asked.calls, session.asked.answers), probes=probes,
        frame_cap=max(FRAME_CAP, 2 * channel.largest + 65536), delegated=trial.delegated,
        narrow=frozenset(session.values.narrow), by_heart=by_heart, loaded=session.loaded,
    )  # fmt: skip


def _known_calls(problem: Prepared, *, plain: bool) -> Plan:
    """The calls that plain tests are seen to make, or those of tests that are nothing but inputs, all of which the reference is asked."""
    if plain:
        return Plan(foresee(problem))
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


def _told(failure: Mapping[str, Any] | None) -> str:
    """What went wrong, with the lines that an error came through where they are more than the one that its message names."""
    if failure is None:
        return "no reason was given"
    told = explain(failure["call"], failure["expected"], failure["got"], failure["message"])
    lines = dict.fromkeys(f"line {line} in {name}" for line, name in failure.get("frames", ()))
    return told if len(lines) < 2 else f"{told}; Traceback: {', '.join(lines)}"
