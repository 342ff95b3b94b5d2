"""Whatever an agent says, in whatever order: the session ends with a defined outcome, and with a pass only if all that it said is right."""

from __future__ import annotations

import struct

import pytest
from evil import CHECKS, PROBLEMS, is_right, packed, play, rule, scene
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.judge.wire import codec
from assay.records import Outcome, Trust

NAMES = tuple(PROBLEMS)


class Raw:
    """Bytes in the place of a value."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def encoded(value: object) -> bytes:
    return codec.Encoder(opaque=lambda o: o.data).encode(value)


def handles() -> st.SearchStrategy[Raw]:
    names = st.sampled_from(["f", "V", "Thing", "ValueError", "StopIteration", "os", "\0", ""])
    made = st.builds(codec.handle, st.integers(0, 4), st.sampled_from(codec.KINDS), names, names)
    return st.builds(Raw, made)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(width=16),
    st.sampled_from(["", "a", "ab", "no", "StopIteration", "ok"]),
    st.builds(Raw, st.builds(codec.reference, st.integers(0, 2))),
    st.builds(Raw, st.builds(codec.callback, st.integers(0, 1))),
    st.builds(lambda n: Raw(b"r" + struct.pack("<I", n)), st.integers(0, 3)),
    st.sampled_from([Raw(codec.builtin("eval")), Raw(b"yy"), Raw(b"!"), Raw(b"?"), Raw(b"[\xff\xff\xff\xff")]),
    handles(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.integers(0, 3), st.sampled_from(["v", "a", "f", "twice", "__eq__"])), inner, max_size=3),
        st.builds(lambda h, base: Raw(b"v" + h.data + encoded("__add__ __eq__")[1:] + encoded(base)), handles(), inner),
        st.builds(
            lambda name, v: Raw(b"o" + encoded(name)[1:] + struct.pack("<I", 2) + encoded("v") + encoded(v)),
            st.sampled_from(["Node", "V"]),
            inner,
        ),
    ),
    max_leaves=6,
)  # fmt: skip
BASES = st.lists(
    st.sampled_from(["ValueError", "StopIteration", "SystemExit", "KeyError", "Exception", "BaseException", "X"]),
    max_size=3,
)
CHANGES = st.lists(st.tuples(st.integers(-1, 2), VALUES), max_size=2)
FRAMES = st.one_of(
    VALUES,
    st.integers(-1, 9),
    st.lists(st.tuples(st.one_of(st.integers(-1, 9), VALUES), VALUES), max_size=12).map(tuple),
)
REPLIES = st.one_of(
    st.tuples(st.just("ok"), VALUES),
    st.tuples(st.just("ok"), VALUES, CHANGES),
    st.tuples(st.just("raised"), st.one_of(st.none(), handles()), BASES, st.binary(max_size=8), VALUES, FRAMES),
    st.tuples(st.just("raised"), st.none(), BASES, st.just(codec.encode(("no", 1))), st.just("no"), st.none(), CHANGES),
    st.tuples(st.just("callback"), st.integers(-1, 2), st.lists(VALUES, max_size=2).map(tuple), st.just(())),
    st.tuples(st.just("loaded"), st.dictionaries(st.sampled_from(["f", "V", "g"]), VALUES, max_size=3)),
    st.tuples(st.sampled_from(["unsendable", "syntax", "calibrated", "report"]), VALUES),
    VALUES,
).map(encoded)  # fmt: skip


@st.composite
def conversations(draw: st.DrawFn, name: str, live: bool) -> bytes:
    """The honest conversation with some of it changed, as bytes on the wire."""
    frames = list(scene(name).honest(live=live))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(frames) - 1)))
        other = draw(st.one_of(REPLIES, st.sampled_from(frames or [b""]), st.binary(max_size=12)))
        match draw(st.sampled_from(["put", "replace", "drop", "twice", "swap", "flip", "cut"])):
            case "put":
                frames.insert(at, other)
            case "replace":
                frames[at : at + 1] = [other]
            case "drop":
                del frames[at : at + 1]
            case "twice":
                frames[at:at] = frames[at : at + 1]
            case "swap":
                frames[at : at + 2] = frames[at : at + 2][::-1]
            case "flip" if frames and frames[at]:
                place = draw(st.integers(0, len(frames[at]) - 1))
                changed = bytearray(frames[at])
                changed[place] ^= draw(st.integers(1, 255))
                frames[at] = bytes(changed)
            case _:
                frames[at : at + 1] = [frame[: draw(st.integers(0, len(frame)))] for frame in frames[at : at + 1]]
    whole = b"".join(map(packed, frames))
    return whole + draw(st.one_of(st.just(b""), st.binary(max_size=9), st.just(b"\xff\xff\xff\xff")))


def require_sound(name: str, data: bytes, *, live: bool) -> None:
    told = play(name, data, live=live)
    if told == ("again",):
        assert not live, "without a plan there is nothing that might not fit"
        return
    verdict = rule(name, told[1])
    assert verdict.outcome not in (Outcome.SYSTEM_ERROR, Outcome.NO_CODE)
    if verdict.passed and name in CHECKS:
        assert is_right(name, data), "it passed, and what it said is wrong"
        assert verdict.trust is Trust.ANCHORED
    elif verdict.passed:
        assert verdict.trust is Trust.DELEGATED


SCENES = st.sampled_from([(name, live) for name in NAMES for live in (False, True)])
STORY = SCENES.flatmap(lambda pair: st.tuples(st.just(pair), conversations(*pair)))


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("name", sorted(CHECKS))
def test_an_honest_conversation_passes_whoever_has_it(name: str, live: bool) -> None:
    data = b"".join(map(packed, scene(name).honest(live=live)))
    told = play(name, data, live=live)
    assert told[0] == "report"
    assert rule(name, told[1]).passed
    assert is_right(name, data)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(STORY)
def test_any_order_of_any_frames_ends_in_a_defined_outcome_and_passes_only_if_all_is_right(story) -> None:
    (name, live), data = story
    require_sound(name, data, live=live)


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(STORY)
def test_many_more_of_them(story) -> None:
    (name, live), data = story
    require_sound(name, data, live=live)
