"""Whose time runs: an agent isn't charged for its judge's computing, and a judge fork has a time of its own for each stretch."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.records import StoppedBy
from assay.sandbox.inside.clockpage import PAGE_BYTES, SlotClock


def write_page(room, slot, busy_ns, since_ns):
    with open(room.clock.fileno(), "r+b", closefd=False) as page:
        page.seek(slot * PAGE_BYTES)
        page.write(struct.pack("QQ", busy_ns, since_ns))


def test_an_agent_is_not_charged_while_its_judge_computes(open_rooms):
    room = open_rooms()
    child = room.begin("import time; time.sleep(0.6); say(1)", time_s=0.3)
    write_page(room, 0, 0, time.monotonic_ns())
    facts, said = room.end(child)
    assert said == [1]
    assert facts.stopped_by is None
    assert facts.time_s < 0.3
    assert facts.wall_s > 0.6


def test_what_the_judge_computed_before_is_no_gift_to_a_new_agent(open_rooms):
    room = open_rooms()
    write_page(room, 0, 3_600_000_000_000, 0)
    facts, _ = room.run("import time; time.sleep(60)", time_s=0.3)
    assert facts.stopped_by is StoppedBy.TIME


def test_the_judge_of_another_slot_gives_nothing(open_rooms):
    room = open_rooms()
    child = room.begin("import time; time.sleep(60)", time_s=0.3)
    write_page(room, 1, 0, time.monotonic_ns())
    facts, _ = room.end(child)
    assert facts.stopped_by is StoppedBy.TIME


def test_a_judge_fork_that_waits_for_its_agent_is_left_alone(open_rooms):
    room = open_rooms(role="judge")
    facts, said = room.run("import time; clock.start(); clock.stop(); time.sleep(0.6); say(1)", time_s=0.2)
    assert facts.stopped_by is None
    assert said == [1]


def test_a_judge_fork_that_computes_too_long_is_stopped(open_rooms):
    room = open_rooms(role="judge")
    facts, _ = room.run("clock.start()\nwhile True: pass", time_s=0.3)
    assert facts.stopped_by is StoppedBy.TIME


LEFT_RUNNING = {
    "a thread": "import threading, time\ndef burn():\n    while True: pass\nthreading.Thread(target=burn, daemon=True).start()\n",
    "a process": "import os, time\nif os.fork() == 0:\n    while True: pass\n",
}


@pytest.mark.parametrize("what", LEFT_RUNNING)
def test_what_tests_leave_running_in_a_judge_fork_ends_with_its_total_of_cpu(open_rooms, what):
    room = open_rooms(role="judge")
    facts, _ = room.run(f"{LEFT_RUNNING[what]}time.sleep(60)", cpu_s=0.3, time_s=30)
    assert facts.stopped_by is StoppedBy.CPU


def test_a_judge_forks_total_of_wall_time_ends_it(open_rooms):
    facts, _ = open_rooms(role="judge").run("import time; time.sleep(60)", wall_s=0.3, time_s=30)
    assert facts.stopped_by is StoppedBy.WALL


def test_many_short_stretches_of_a_judge_fork_are_no_long_one(open_rooms):
    room = open_rooms(role="judge")
    facts, said = room.run(
        "import time\nfor _ in range(8):\n    clock.start(); time.sleep(0.1); clock.stop()\nsay(1)", time_s=0.4
    )
    assert facts.stopped_by is None
    assert said == [1]


def test_a_judge_forks_stretch_ends_with_it(open_rooms):
    room = open_rooms(role="judge")
    room.run("clock.start()")
    with open(room.clock.fileno(), "rb", closefd=False) as page:
        page.seek(0)
        busy_ns, since_ns = struct.unpack("QQ", page.read(16))
    assert since_ns == 0
    assert busy_ns > 0


def test_a_judge_fork_writes_its_own_slots_page(open_rooms):
    room = open_rooms(role="judge")
    room.run("clock.start(); clock.stop()", slot=1)
    with open(room.clock.fileno(), "rb", closefd=False) as page:
        assert struct.unpack("Q", page.read(8)) == (0,)
        page.seek(PAGE_BYTES)
        assert struct.unpack("Q", page.read(8)) > (0,)


def test_a_stopped_clock_counts_and_a_running_one_goes_on(open_rooms):
    room = open_rooms()
    clock = SlotClock(room.clock.fileno(), 1, inherited=True)
    clock.start()
    since_ns = clock.since_ns
    assert clock.busy_ns(since_ns + 5) == 5
    clock.stop()
    assert clock.since_ns == 0
    assert clock.busy_ns(since_ns) == clock.busy_ns(since_ns + 10**9) > 0


def test_what_a_judge_waited_for_a_processor_counts_as_its_computing(open_rooms, tmp_path):
    told = tmp_path / "schedstat"
    told.write_text("1 200 3\n")
    with told.open() as file:
        clock = SlotClock(open_rooms().clock.fileno(), 1, inherited=True, schedstat=file.fileno())
        clock.start()
        clock.stop()
        before_ns = clock.busy_ns(0)
        told.write_text(f"1 {200 + 10**12} 3\n")
        clock.start()
    assert clock.busy_ns(clock.since_ns) == before_ns + 10**12


def test_a_judge_fork_can_tell_how_long_it_waited_and_an_agent_has_no_such_descriptor(open_rooms, room):
    judge = open_rooms(role="judge")
    (words,) = judge.say("import os\nsay(len(os.pread(4, 64, 0).split()))")
    assert words == 3
    assert room.say("import os\nsay(attempt(lambda: os.fstat(4)))") == ["OSError"]


BURN_A_THIRD = """
import time
from pathlib import Path
while time.process_time() < 0.3: pass
say(1)
"""


def test_a_child_is_not_charged_for_waiting_for_a_processor(open_rooms):
    room = open_rooms()
    processor = min(os.sched_getaffinity(0))
    launcher = room.server._process.pid
    (server,) = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    (zygote,) = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    os.sched_setaffinity(int(zygote), {processor})
    hog = f"import os; os.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"
    hogs = [subprocess.Popen([sys.executable, "-S", "-c", hog], start_new_session=True) for _ in range(4)]
    try:
        facts, said = room.run(BURN_A_THIRD, time_s=0.6)
    finally:
        for one in hogs:
            one.kill()
            one.wait()
    assert facts.wall_s > 0.6
    assert facts.stopped_by is None
    assert said == [1]
