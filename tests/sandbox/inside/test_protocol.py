"""Messages arrive as they were sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.sandbox.inside import protocol

small = st.integers(0, 2**31 - 1)
seconds = st.floats(0, 1e6)


spawns = st.builds(
    protocol.Spawn,
    st.integers(1, 2**63),
    st.integers(0, 65535),
    seconds,
    seconds,
    seconds,
    small,
    small,
    small,
    small,
    small,
    st.booleans(),
)
line = st.binary(max_size=100)


@given(spawns, st.none() | st.builds(protocol.Lines, line, line, line, line, st.lists(line, max_size=4).map(tuple)))
def test_a_request_arrives_as_it_was_sent(spawn, lines):
    data = protocol.pack_spawn(spawn, lines)
    assert (protocol.unpack_spawn(data), protocol.unpack_lines(data)) == (spawn, lines)


@given(st.integers(1, 2**63), line)
def test_a_handover_arrives_as_it_was_sent(child_id, heard):
    assert protocol.unpack_handover(b"".join(protocol.pack_handover(child_id, heard))) == (child_id, heard)


@given(st.integers(1, 2**63))
def test_a_request_to_kill_arrives_as_it_was_sent(child_id):
    assert protocol.unpack_kill(protocol.pack_kill(child_id)) == child_id


reports = st.builds(
    protocol.Report,
    st.integers(1, 2**63),
    st.integers(-1, 255),
    st.integers(-1, 64),
    st.integers(0, len(protocol.STOPS) - 1),
    st.booleans(),
    st.booleans(),
    seconds,
    seconds,
    seconds,
    seconds,
    st.binary(max_size=protocol.KEPT_BYTES),
    st.binary(max_size=protocol.KEPT_BYTES),
    st.booleans(),
    st.booleans(),
    seconds,
    st.booleans(),
)


@given(st.lists(reports, min_size=1, max_size=4))
def test_reports_arrive_as_they_were_sent(sent):
    pieces = [piece for report in sent for piece in protocol.pack_report(report)]
    assert protocol.unpack_reports(b"".join(pieces)) == sent
