"""Outcomes: what the facts say about children that end in every way there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel_memory import FILL

from assay.records import StoppedBy

BURN = "while True: pass"
FORKED_BURNERS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        while True: pass
time.sleep(60)
"""


def test_a_burner_is_stopped_by_its_time(room):
    facts, _ = room.run(BURN, time_s=0.3)
    assert facts.stopped_by is StoppedBy.TIME
    assert facts.exit_code is None
    assert not facts.killed
    assert facts.time_s >= 0.3
    assert facts.cpu_s > 0.2


def test_a_sleeper_is_stopped_by_its_time_and_used_no_processor(room):
    facts, _ = room.run("import time; time.sleep(60)", time_s=0.3)
    assert facts.stopped_by is StoppedBy.TIME
    assert facts.cpu_s < 0.2


def test_a_child_that_blocks_every_signal_is_stopped_all_the_same(room):
    facts, _ = room.run(
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "for n in range(1, 32): attempt(lambda: signal.signal(n, signal.SIG_IGN))\n" + BURN,
        time_s=0.2,
    )
    assert facts.stopped_by is StoppedBy.TIME


def test_the_processor_time_of_forked_burners_counts(jail):
    facts, _ = jail.run(FORKED_BURNERS, time_s=20, cpu_s=0.4)
    assert facts.stopped_by is StoppedBy.CPU
    assert facts.cpu_s >= 0.4


def test_wall_time_is_the_far_backstop(room):
    facts, _ = room.run("import time; time.sleep(60)", time_s=20, wall_s=0.3)
    assert facts.stopped_by is StoppedBy.WALL


def test_memory_that_is_used_up_bit_by_bit_ends_the_child(room):
    facts, said = room.run("kept = []\nwhile True: kept.append(bytearray(1 << 18))", memory_mib=64, time_s=30)
    assert said == []
    assert facts.stopped_by is StoppedBy.MEMORY
    assert facts.peak_mib > 60


def test_more_memory_than_any_limit_is_a_memory_error_inside(room):
    assert room.say("say(attempt(lambda: bytearray(1 << 40)))", memory_mib=64) == ["MemoryError"]


def test_memory_that_was_given_back_before_anybody_looked_counts_all_the_same(room):
    facts, _ = room.run("x = bytearray(200 << 20)\ndel x\nsay(1)", memory_mib=64, time_s=30)
    assert facts.stopped_by is StoppedBy.MEMORY
    assert facts.peak_mib > 50


def test_memory_within_the_limit_is_no_limit_and_a_crash_is_no_memory_limit(room):
    facts, _ = room.run("x = bytearray(56 << 20)\nimport os\nos.abort()", memory_mib=64)
    assert facts.stopped_by is None
    assert facts.peak_mib > 50


def test_peak_memory_is_the_samples_own_and_not_the_last_ones(room):
    big, _ = room.run("x = bytearray(64 << 20)", memory_mib=256)
    small, _ = room.run("x = 1")
    assert 60 < big.peak_mib < 72
    assert small.peak_mib < 4


def test_a_flood_of_output_is_stopped_and_its_beginning_kept(room):
    facts, _ = room.run("while True: print('x' * 1000)", output_kib=64)
    assert facts.stopped_by is StoppedBy.OUTPUT
    assert len(facts.stdout) == 8192


def test_both_output_streams_arrive_apart(room):
    facts, _ = room.run("import sys; print('out é'); print('err', file=sys.stderr)")
    assert (facts.stdout, facts.stderr) == ("out é\n", "err\n")


@pytest.mark.parametrize(
    ("source", "exit_code", "signal"),
    [
        ("pass", 0, None),
        ("raise SystemExit(7)", 7, None),
        ("raise SystemExit", 0, None),
        ("raise ValueError(1)", 1, None),
        ("import os; os._exit(5)", 5, None),
        ("import ctypes; ctypes.string_at(0)", None, 11),
    ],
)
def test_the_end_is_told_as_it_was(room, source, exit_code, signal):
    facts, _ = room.run(source)
    assert (facts.exit_code, facts.signal) == (exit_code, signal)
    assert facts.stopped_by is None


@pytest.mark.parametrize("name", ["SIGTERM", "SIGALRM", "SIGUSR1", "SIGABRT", "SIGHUP"])
def test_a_fatal_signal_to_itself_ends_a_first_process_too(jail, name):
    facts, said = jail.run(f"import os, signal\nos.kill(os.getpid(), signal.{name})\nsay('alive')")
    assert said == []
    assert facts.exit_code == {"SIGTERM": 15, "SIGALRM": 14, "SIGUSR1": 10, "SIGABRT": 6, "SIGHUP": 1}[name]


@pytest.mark.parametrize("number", [9, 11, 4])
def test_a_signal_that_no_handler_could_catch_ends_it_as_well(jail, number):
    facts, said = jail.run(f"import os\nos.kill(os.getpid(), {number})\nsay('alive')")
    assert said == []
    assert facts.signal == 31


@pytest.mark.parametrize("call", ["kill(os.getpid()", "kill(0", "killpg(0"])
@pytest.mark.parametrize("name", ["SIGSTOP", "SIGTSTP", "SIGTTIN"])
def test_a_first_process_that_stops_itself_stands_still(jail, call, name):
    facts, said = jail.run(f"import os, signal\nos.{call}, signal.{name})\nsay('alive')", time_s=0.3)
    assert said == []
    assert facts.stopped_by == "time"


@pytest.mark.parametrize("flags", ["MAP_SHARED", "MAP_PRIVATE"])
def test_address_space_that_is_only_reserved_is_not_memory(room, flags):
    reserve = f"import mmap\nm = mmap.mmap(-1, 8 << 30, flags=mmap.{flags} | mmap.MAP_ANONYMOUS)\nm[0] = 1\nsay(m[0])"
    assert room.say(reserve, memory_mib=64) == [1]


IDLE_THREADS = """
import threading
threading.stack_size({stack_bytes})
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range({count})]
for one in threads: one.start()
import time; time.sleep(0.05)
end.set()
for one in threads: one.join()
say("all")
"""


@pytest.mark.parametrize(("count", "stack_bytes"), [(50, 0), (200, 0), (8, 512 << 20)])
def test_idle_threads_and_their_stacks_are_not_memory(room, count, stack_bytes):
    source = IDLE_THREADS.format(count=count, stack_bytes=stack_bytes)
    assert room.say(source, memory_mib=64, processes=32) == ["all"]


def test_threads_without_end_are_too_many(room):
    facts, said = room.run(IDLE_THREADS.format(count=2000, stack_bytes=32768), memory_mib=256, processes=4)
    assert said == []
    assert facts.stopped_by is StoppedBy.PROCESSES or "can't start new thread" in facts.stderr


@pytest.mark.parametrize("who", ["if True", "if os.fork() == 0"])
def test_shared_memory_is_memory_once_it_is_touched(jail, who):
    bomb = (
        f"import mmap, os, time\nm = mmap.mmap(-1, 1 << 30)\n{who}:\n"
        "    for at in range(0, 300 << 20, 4096): m[at] = 1\n    time.sleep(60)\ntime.sleep(60)"
    )
    facts, _ = jail.run(bomb, memory_mib=128, time_s=30)
    assert facts.stopped_by == "memory"


def test_killing_a_child_that_it_made_itself_still_works(jail):
    said = jail.say(
        "import os, signal, time\n"
        "pid = os.fork()\n"
        "if pid == 0:\n    time.sleep(60)\n"
        "os.kill(pid, signal.SIGKILL)\nsay(os.waitpid(pid, 0)[1])"
    )
    assert said == [9]


def test_threads_work(room):
    said = room.say(
        "import threading\nfound = []\n"
        "threads = [threading.Thread(target=found.append, args=(n,)) for n in range(8)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\nsay(sorted(found))"
    )
    assert said == [list(range(8))]


def test_processes_work_where_a_pid_namespace_catches_them(jail):
    assert jail.say("import os\npid = os.fork()\nif pid == 0: os._exit(3)\nsay(os.waitpid(pid, 0)[1] >> 8)") == [3]


def test_asyncio_works(room):
    assert room.say(
        "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 4\nsay(asyncio.run(f()))"
    ) == [4]


def test_temporary_files_work_and_are_gone_for_the_next(jail):
    jail.say(
        "import os, tempfile\nopen('here', 'w').write('x')\nos.makedirs('/tmp/a/b/c')\nopen('/dev/shm/s', 'w').close()\n"
        "os.symlink('/usr/lib', '/tmp/link')\nos.chmod('/tmp/a', 0)\nwith tempfile.TemporaryFile() as f: f.write(b'x')"
    )
    assert jail.say("import os; say(os.listdir('/tmp') + os.listdir('/dev/shm'))") == [[]]
    assert jail.say("open('/tmp/again', 'w').write('x'); say(1)") == [1]


def test_a_tree_a_thousand_deep_is_wiped(jail):
    jail.say("import os\nfor n in range(1000):\n    os.mkdir('d'); os.chdir('d')\nsay(1)")
    assert jail.say("import os; say(os.listdir('/tmp'))") == [[]]


def test_a_file_may_not_grow_beyond_the_disk_limit_nor_all_files_together(jail):
    said = jail.say(
        "def one():\n    with open('/tmp/one', 'wb') as f:\n        while True: f.write(bytes(1 << 20))\n"
        "def many():\n    for n in range(100): open(f'/tmp/{n}', 'wb').write(bytes(3 << 20))\n"
        "say([attempt(one), attempt(many)])",
        disk_mib=4,
    )
    assert said == [["OSError", "OSError"]]


def test_a_fork_bomb_is_held_by_the_count_of_processes_and_leaves_nothing(jail):
    facts, _ = jail.run("import os\nwhile True:\n    attempt(os.fork)", time_s=5, processes=8)
    assert facts.stopped_by is StoppedBy.PROCESSES
    assert jail.say("say(1)") == [1]


def test_a_daemon_dies_with_its_sample(jail):
    said = jail.say(
        "import os, time\nr, w = os.pipe()\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        os.write(w, b'x'); time.sleep(60)\n    os._exit(0)\n"
        "os.read(r, 1); say('daemon is up')"
    )
    assert said == ["daemon is up"]
    assert jail.say("say(1)") == [1]


def test_a_child_that_is_no_longer_needed_says_that_we_killed_it(room):
    child = room.begin("import time; time.sleep(60)")
    room.server.kill(child)
    facts, _ = room.end(child)
    assert facts.killed
    assert facts.stopped_by is None


def test_killing_a_child_that_has_ended_does_nothing(room):
    child = room.begin("say(1)")
    room.end(child)
    room.server.kill(child)
    assert room.say("say(2)") == [2]


def test_two_children_at_once_are_apart(room):
    write = "attempt(lambda: open('/tmp/mine', 'w').write('x'))\n" if room.level > "L2" else ""
    look = "import os\nsay([os.getpid(), os.listdir('/tmp') if " + str(room.level > "L2") + " else []])\n"
    wait = "import time; time.sleep(0.3)\n"
    first = room.begin(write + wait + "say(1)", slot=0)
    second = room.begin("import time; time.sleep(0.1)\n" + look, slot=1)
    (facts, said), (_, other) = room.end(second), room.end(first)
    assert facts.exit_code == 0
    assert said[0][1] == []
    assert other == [1]


def test_the_child_starts_in_a_clean_world(room):
    (world,) = room.say(
        "import os, sys, gc\n"
        "def open_descriptors():\n    return [n for n in range(64) if attempt(lambda: os.fstat(n)) == 'done']\n"
        "say([open_descriptors(), sorted(os.environ), gc.isenabled(), os.read(0, 10).decode(), os.getpgrp() == os.getpid()])"
    )
    descriptors, environment, collecting, stdin, own_group = world
    assert descriptors == [0, 1, 2, 3]
    assert "PYTHONHASHSEED" in environment
    assert len(environment) < 12
    assert collecting
    assert stdin == ""
    assert own_group


def test_the_hash_seed_decides_the_order_of_sets(open_rooms, best_room):
    source = "say(hash('assay'))"
    assert best_room.say(source) == best_room.say(source)
    assert best_room.say(source) != open_rooms(hash_seed=1).say(source)


def test_recursion_deep_in_c_does_not_crash(room):
    said = room.say(
        "import sys\nsys.setrecursionlimit(20_000)\n"
        "def f(n): return n and 1 + max([f(n - 1)], key=lambda x: x)\nsay(f(5_000))"
    )
    assert said == [5_000]


def test_a_kill_by_the_memory_cgroup_is_a_memory_limit(open_rooms):
    room = open_rooms()
    if "memory cgroup" in room.server.isolation.missing:
        pytest.skip("no memory cgroup can be made here")
    facts, said = room.run(
        "import mmap\nkept = []\nwhile True:\n    kept.append(mmap.mmap(-1, 1 << 24)); kept[-1][::4096] = b'x' * 4096",
        memory_mib=64,
        disk_mib=16,
        time_s=60.0,
    )
    assert said == []
    assert facts.stopped_by is StoppedBy.MEMORY
    assert room.say("say(1)") == [1]


def scores(pid):
    """What the kernel adds for a process and each of its descendants when it looks whom to end for want of memory."""
    own = int(Path(f"/proc/{pid}/oom_score_adj").read_text())
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [own, *(score for child in children for score in scores(child))]


def test_a_machine_out_of_memory_ends_samples_first_and_then_what_runs_them(jail):
    own = int(Path("/proc/self/oom_score_adj").read_text())
    child = jail.begin("say(1)\nimport time\ntime.sleep(2)")
    jail.session(child).recv(100)
    launcher, server, zygote, sample = scores(jail.server._process.pid)
    assert [launcher, server, zygote] == [max(own, 500)] * 3
    assert sample == 1000
    jail.end(child)


def test_a_sample_can_take_neither_its_place_nor_its_secrecy_back(jail):
    said = jail.say(
        "import ctypes\nlibrary = ctypes.CDLL(None, use_errno=True)\n"
        "say([library.prctl(4, 1, 0, 0, 0), ctypes.get_errno(), library.prctl(3, 0, 0, 0, 0)])"
    )
    assert said == [[-1, 1, -1]]


def server_pid(room):
    launcher = room.server._process.pid
    (pid,) = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    return pid


def test_many_children_one_after_another_leave_no_descriptor_behind(best_room):
    descriptors = Path(f"/proc/{server_pid(best_room)}/fd")
    best_room.run("pass")
    before = len(list(descriptors.iterdir()))
    for _ in range(50):
        best_room.run("print(1)")
    assert len(list(descriptors.iterdir())) == before


HOLDS_A_LITTLE = "import time\nheld = b'x' * (40 << 20)\nsay('holds')\ntime.sleep(4)"
FILLS_THE_KERNEL = f"""{FILL}
for _ in range(12):
    if os.fork() == 0:
        fill()
for _ in range(12):
    os.wait()
"""


def test_a_kill_by_the_memory_cgroup_is_held_against_nobody_until_it_is_known_whose_memory_it_was(open_rooms):
    room = open_rooms(slots=2)
    if "memory cgroup" in room.server.isolation.missing:
        pytest.skip("no memory cgroup can be made here")
    limits = {
        "memory_mib": 64, "disk_mib": 16, "processes": 16, "open_files": 1024, "time_s": 60.0, "wall_s": 90.0,
    }  # fmt: skip
    neighbour = room.begin(HOLDS_A_LITTLE, slot=1, **limits)
    assert room.session(neighbour).recv(100) == b'"holds"\n'
    bomb, _ = room.run(FILLS_THE_KERNEL, **limits)
    held, _ = room.end(neighbour)
    assert (bomb.stopped_by, bomb.bystander) in (
        (None, True),
        (StoppedBy.MEMORY, False),
    )  # the latter with a cgroup a slot
    assert held.stopped_by is None  # the kernel ended it first, as the largest, if both are in one cgroup
    bomb, _ = room.run(FILLS_THE_KERNEL, alone=True, **limits)
    assert (bomb.stopped_by, bomb.bystander) == (StoppedBy.MEMORY, False)
    assert room.say("say(1)") == [1]
