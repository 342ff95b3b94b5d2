"""A child's clocks."""

from __future__ import annotations

import os

import pytest

from assay.sandbox.inside import accounting
from assay.sandbox.inside.accounting import Process
from assay.sandbox.inside.child import CPU, MEMORY, TIME, WALL, AgentRules, Child
from assay.sandbox.inside.output import OutputBuffer
from assay.sandbox.inside.protocol import UNSET, Spawn

SECOND_NS = 1_000_000_000


class ForgedClock:
    """A clock page that claims so much computing."""

    claimed_ns = 0

    def busy_ns(self, _now_ns):
        return self.claimed_ns


@pytest.mark.parametrize(
    ("wall_s", "claimed_s", "counted_s"),
    [(20.0, 3, 7), (2.0, 1000, 8), (UNSET, 4, 6), (2.0, -5, 10)],
    ids=["honest", "more than its wall time", "no wall limit", "less than before"],
)
def test_a_clock_page_excuses_at_most_a_childs_own_wall_time(wall_s, claimed_s, counted_s):
    clock = ForgedClock()
    child = Child(Spawn(1, 0, 1.0, 1.0, wall_s, 64, 1, 1, 1, 8), clock, OutputBuffer())
    clock.claimed_ns = claimed_s * SECOND_NS
    assert child.wall_ns(child.started_ns + 10 * SECOND_NS) == counted_s * SECOND_NS


@pytest.mark.parametrize(
    ("threads", "are_too_many"),
    [
        ([1] * 4, False),
        ([1] * 5, True),
        ([1] * 4 + [0] * 50, False),
        ([200], False),
        ([200, 60], False),
        ([200, 61], True),
    ],
    ids=["processes", "one more", "dead ones", "threads", "threads of two", "one thread more"],
)
def test_processes_count_as_long_as_they_live_and_threads_beyond_a_number_of_their_own(threads, are_too_many):
    child = Child(Spawn(1, 0, 1.0, 1.0, 1.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    assert AgentRules(forks=True)._are_too_many(child, threads) == are_too_many


@pytest.mark.parametrize(("threads", "cpu_s", "stop"), [(1, 1.0, TIME), (2, 1.0, CPU), (1, 0.5, CPU)])
def test_a_lone_burners_limit_is_time_unless_its_cpu_limit_is_the_lower_one(monkeypatch, threads, cpu_s, stop):
    monkeypatch.setattr(accounting, "scheduled_ns", lambda _: (0, 0))
    child = Child(Spawn(1, 0, 1.0, cpu_s, 9.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.pid = os.getpid()
    rules = AgentRules(forks=True)
    rules.tree = lambda pid: {pid: Process(1, 2 * SECOND_NS, threads, 1)}
    rules.check(child, child.started_ns + SECOND_NS // 100)
    assert child.stop == stop


@pytest.mark.parametrize(
    ("ran_ns", "threads", "looks"),
    [([5, 5, 5], 1, 1), ([5, 6, 6], 1, 2), ([5, 5, 5], 2, 3), ([0, 0, 0], 1, 3)],
    ids=["it sleeps", "it ran once more", "it has threads", "the kernel does not say"],
)
def test_only_a_lone_process_that_has_slept_is_not_looked_at_again(monkeypatch, ran_ns, threads, looks):
    child = Child(Spawn(1, 0, 9.0, 9.0, 9.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.pid = os.getpid()
    rules, seen, told = AgentRules(forks=True), [], iter(ran_ns)
    rules.tree = lambda pid: seen.append(pid) or {pid: Process(1, 0, threads, 1)}
    monkeypatch.setattr(accounting, "scheduled_ns", lambda _: (next(told), 0))
    for _ in ran_ns:
        rules.check(child, child.started_ns + 1)
    assert len(seen) == looks


@pytest.mark.parametrize(
    ("ran_s", "ready", "stops_at"),
    [
        ([5, 6], [True, True], 2),
        ([5, 5], [False, False], 2),
        ([0.1, 0.1, 0.1, 0.1], [True] * 4, None),
        ([0.1, 0.1, 0.2], [True] * 3, 3),
    ],
    ids=["it runs", "it sleeps", "it waits for a processor all the time", "it has had one at last"],
)
def test_a_wait_that_is_not_over_is_not_taken_for_work(monkeypatch, ran_s, ready, stops_at):
    child = Child(Spawn(1, 0, 1.0, 9.0, 99.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.pid = os.getpid()
    rules, told, states = AgentRules(forks=True), iter(ran_s), iter(ready)
    rules.tree = lambda pid: {pid: Process(1, 0, 2, 1)}
    monkeypatch.setattr(accounting, "scheduled_ns", lambda _: (int(next(told) * SECOND_NS), 0))
    monkeypatch.setattr(accounting, "is_ready", lambda _: next(states))
    stops = []
    for _ in ran_s:
        rules.check(child, child.started_ns + 3 * SECOND_NS)
        stops.append(child.stop)
    assert [n for n, stop in enumerate(stops, 1) if stop][:1] == ([] if stops_at is None else [stops_at])


def test_what_a_child_has_run_is_its_time_whatever_its_judge_did_meanwhile(monkeypatch):
    clock = ForgedClock()
    child = Child(Spawn(1, 0, 1.0, 1.0, 20.0, 64, 1, 1, 1, 8), clock, OutputBuffer())
    clock.claimed_ns = 3 * SECOND_NS
    monkeypatch.setattr(accounting, "scheduled_ns", lambda _: (2 * SECOND_NS, SECOND_NS // 2))
    assert child.note_effective_ns(child.started_ns + 4 * SECOND_NS) == 2 * SECOND_NS
    assert child.note_effective_ns(child.started_ns + 9 * SECOND_NS) == 5.5 * SECOND_NS


@pytest.mark.parametrize(("threads", "counted_s"), [(1, 0.5), (2, 20)], ids=["alone", "with others of its own"])
def test_only_who_is_alone_is_excused_for_having_waited_until_the_clock_ran_out(monkeypatch, threads, counted_s):
    child = Child(Spawn(1, 0, 1.0, 9.0, 15.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.pid = os.getpid()
    rules, seen = AgentRules(forks=True), iter([threads, 1])
    rules.tree = lambda pid: {pid: Process(1, 0, next(seen), 1)}
    waited_s = iter([0.5, 19.5])
    monkeypatch.setattr(accounting, "scheduled_ns", lambda _: (SECOND_NS // 10, int(next(waited_s) * SECOND_NS)))
    for now_s in (1, 20):
        child.ran_ns = 0
        rules.check(child, child.started_ns + now_s * SECOND_NS)
    assert child.stop == WALL
    assert child.effective_ns == counted_s * SECOND_NS


@pytest.mark.parametrize(("peak_mib", "stop"), [(99.0, 0), (130.0, 0), (200.0, MEMORY)])
def test_a_peak_that_no_look_saw_counts_at_the_end_when_files_can_not_be_all_of_it(peak_mib, stop):
    child = Child(Spawn(1, 0, 1.0, 1.0, 1.0, 100, 4, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.peak_mib = peak_mib
    AgentRules(forks=True).at_end(child)
    assert child.stop == stop


MIB = 1 << 20
INHERITED = 10 * MIB


@pytest.mark.parametrize(
    ("looks", "is_too_much"),
    [
        ([{7: 109}], False),
        ([{7: 111}], True),
        ([{7: 70, 8: 70, 9: 70}], False),
        ([{7: 70}, {7: 70, 8: 70}, {7: 70, 8: 105}], False),
        ([{7: 70}, {7: 70, 8: 70}, {7: 70, 8: 115}], True),
        ([{7: 12, 8: 12, 9: 12}, {7: 12, 8: 60, 9: 70}], True),
        ([{7: 20, 8: 120}], True),
        ([{7: 90, 8: 90, 9: 90, 10: 90, 11: 90, 12: 90}], True),
        ([{8: 70}, {8: 70, 9: 70}], True),
    ],
    ids=[
        "alone and within",
        "alone and over",
        "heirs that share what they were born with",
        "an heir that has grown a little",
        "an heir that has grown beyond",
        "many that have grown together",
        "born with more than anybody had before",
        "too many heirs, whatever they share",
        "its first process has gone",
    ],
)
def test_what_a_process_was_born_with_counts_for_its_parent_but_not_without_end(looks, is_too_much):
    child = Child(Spawn(1, 0, 1.0, 1.0, 1.0, 100, 1, 1, 1, 8), ForgedClock(), OutputBuffer())
    child.pid = 7
    rules = AgentRules(forks=True)
    rules.inherited_bytes = INHERITED
    told = [rules._holds_too_much(child, {pid: mib * MIB for pid, mib in look.items()}) for look in looks]
    assert told[-1] == is_too_much
    assert not any(told[:-1])
