"""How servers begin and end: refusals, deaths, and that nothing is left of them."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import fresh
import msgspec
import pytest
from families import gone, processes_below

import assay
from assay.errors import SandboxError, SandboxUnavailable, SettingsError
from assay.records import StoppedBy
from assay.sandbox import ClockPage, ForkServer, ServerSpec
from assay.sandbox.inside import pages

PLAIN = str(Path(__file__).parent / "entries" / "plain.py")


@pytest.mark.parametrize("without", [(), ("two uids",), ("namespaces",)])
def test_close_leaves_no_process(open_rooms, without):
    room = open_rooms(without=without)
    room.begin("import time; time.sleep(60)")
    room.run("pass", slot=1)
    pids = processes_below(room.server._process.pid)
    assert len(pids) == 4  # launcher, server, zygote, child
    room.server.close()
    assert gone(pids)


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_a_servers_death_is_an_error_that_says_so_and_leaves_no_process(open_rooms, without):
    room = open_rooms(without=without)
    room.begin("import time; time.sleep(60)")
    room.run("pass", slot=1)
    launcher, server, *others = processes_below(room.server._process.pid)
    assert len(others) == 2
    os.kill(server, signal.SIGKILL)
    with pytest.raises(SandboxError, match="server died"):
        room.run("pass", slot=1)
    assert gone([launcher, server, *others]) or room.server._process.poll() is not None
    assert gone([server, *others])


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_a_zygotes_death_is_an_error_that_says_so_and_leaves_no_process(open_rooms, without):
    room = open_rooms(without=without)
    pids = processes_below(room.server._process.pid)
    zygote = pids[-1]
    os.kill(zygote, signal.SIGKILL)
    with pytest.raises(SandboxError, match="cloned from has ended"):
        room.run("pass")
    assert gone(pids[1:])


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_killing_the_launcher_ends_everything(open_rooms, without):
    room = open_rooms(without=without)
    room.begin("import time; time.sleep(60)")
    room.run("pass", slot=1)
    pids = processes_below(room.server._process.pid)
    room.server._process.kill()
    assert gone(pids[1:])


DRIVER = """
import json, os, sys, time
from assay.sandbox import ClockPage, ForkServer, ServerSpec
from assay.records import Limits
import socket
clock = ClockPage.create(1)
server = ForkServer.start(ServerSpec(role="agent", entry=sys.argv[1], slots=1), clock.fileno())
ours, theirs = socket.socketpair()
server.spawn(1, 0, Limits(), theirs.fileno())
print(server._process.pid, flush=True)
time.sleep(60)
"""


def test_killing_the_engine_ends_everything():
    engine = subprocess.Popen([sys.executable, "-c", DRIVER, PLAIN], stdout=subprocess.PIPE, text=True)
    pids = processes_below(int(engine.stdout.readline()))
    engine.kill()
    engine.wait()
    engine.stdout.close()
    assert len(pids) >= 2
    assert gone(pids)


def test_a_server_outlives_the_thread_that_started_it(open_rooms):
    rooms = []
    thread = threading.Thread(target=lambda: rooms.append(open_rooms()))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert rooms[0].say("say(1)") == [1]


def test_closing_twice_is_closing_once(open_rooms):
    room = open_rooms()
    room.server.close()
    room.server.close()


def test_a_machine_that_gives_too_little_is_refused_with_reason_and_remedy(open_rooms):
    with pytest.raises(SandboxUnavailable) as caught:
        open_rooms(without=("namespaces", "seccomp"))
    assert caught.value.layer == "namespaces"
    assert "seccomp: left out" in caught.value.reason
    assert "--unsafe" in caught.value.remedy


def test_without_any_wall_a_child_runs_if_that_is_asked_for(open_rooms):
    room = open_rooms(without=("namespaces", "landlock", "seccomp"), minimum_level="L0")
    assert room.level == "L1"
    assert room.say("say(1)") == [1]


def test_without_any_wall_a_group_that_is_left_behind_is_ended(open_rooms):
    room = open_rooms(without=("namespaces", "landlock", "seccomp"), minimum_level="L0")
    (left,) = room.say("import os, time\npid = os.fork()\nif pid == 0: time.sleep(60)\nsay(pid)")
    assert gone([left])


def test_what_is_stopped_takes_all_that_it_started_with_it(open_rooms):
    room = open_rooms(without=("namespaces", "landlock", "seccomp"), minimum_level="L0")
    source = "import os, time\npid = os.fork()\nif pid == 0:\n    os.setsid(); time.sleep(60)\nsay(pid); time.sleep(60)"
    facts, (left,) = room.run(source, time_s=0.3)
    assert facts.stopped_by is StoppedBy.TIME
    assert gone([left])


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else may look at these processes")
def test_samples_are_cloned_from_memory_that_was_moved_onto_large_blocks(open_rooms):
    if not fresh.told_by("import json\nfrom assay.sandbox.inside import moving\nprint(json.dumps(moving.works()))"):
        pytest.skip("memory can't be moved here")
    launcher = open_rooms().server._process.pid

    def data_of_files(pid):
        return [m for m in pages.mappings(pid) if m.is_of_file and m.rights == "rw-" and m.size_bytes >= 1 << 17]

    found = {pid: len(data_of_files(pid)) for pid in processes_below(launcher)}
    assert found[launcher] > 0  # the interpreter's own
    assert min(found.values()) == 0


def test_an_entry_that_can_not_be_loaded_is_an_error_with_its_words(open_rooms, tmp_path):
    entry = tmp_path / "broken.py"
    entry.write_text("import nothing_of_this_name")
    with pytest.raises(SandboxError, match="nothing_of_this_name"):
        open_rooms(entry=str(entry))


def test_a_package_to_preload_that_is_missing_is_a_settings_error(open_rooms):
    with pytest.raises(SettingsError, match="nothing_of_this_name"):
        open_rooms(preload=("nothing_of_this_name",))


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_a_preloaded_package_works_and_no_other_can_be_imported(open_rooms, without):
    room = open_rooms(preload=("numpy",), without=without)
    said = room.say(
        "import numpy, numpy.polynomial, numpy.random\nsay(int((numpy.ones((50, 50)) @ numpy.ones((50, 50)))[0, 0]))\n"
        "import sys\nsite = numpy.__path__[0].rsplit('/', 1)[0]\nsys.path.append(site)\n"
        "def load(name): __import__(name)\n"
        "for name in ('msgspec', 'pytest', 'assay'): say(attempt(lambda: load(name)))\n"
    )
    assert said[0] == 50
    assert set(said[1:]) <= {"ModuleNotFoundError", "PermissionError"}


def test_numpy_works_under_256_mib(open_rooms):
    room = open_rooms(preload=("numpy",))
    facts, said = room.run("import numpy\na = numpy.ones((2000, 2000))\nsay(float((a @ a)[0, 0]))", memory_mib=256)
    assert said == [2000.0]
    assert facts.peak_mib < 160


AS_USER = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from conftest import Room
import msgspec
found = []
for without in ((), ("namespaces",)):
    room = Room(without=without)
    facts, said = room.run("import os\\nsay(attempt(lambda: open('/etc/shadow'))); say(attempt(lambda: os.kill(-1, 0)))")
    found.append([room.level, said, msgspec.to_builtins(facts)])
    room.close()
print(json.dumps(found))
"""


@pytest.mark.parametrize("option", [[], ["--no-new-privs"]])
def test_an_ordinary_user_has_it_too(setpriv, option, unprivileged_python):
    packages = Path(msgspec.__file__).parent.parent
    environment = {"PYTHONPATH": f"{Path(assay.__file__).parent.parent}:{packages}", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run(
        [*setpriv, *option, unprivileged_python, "-B", "-c", AS_USER, str(Path(__file__).parent)],
        env=environment,
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    for level, said, facts in json.loads(answer.stdout):
        assert level in ("L3", "L2")
        assert facts["exit_code"] == 0
        assert set(said) <= {"FileNotFoundError", "PermissionError", "ProcessLookupError", "done"}
        assert said[0] != "done"


@pytest.mark.skipif(not shutil.which("unshare"), reason="only unshare makes such a root")
def test_root_without_any_other_uid_has_what_needs_none(tmp_path):
    packages = f"{Path(assay.__file__).parent.parent}:{Path(msgspec.__file__).parent.parent}"
    answer = subprocess.run(
        ["unshare", "--user", "--map-root-user", sys.executable, "-B", "-c", AS_USER, str(Path(__file__).parent)],
        env={"PYTHONPATH": packages, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    if "unshare failed" in answer.stderr:
        pytest.skip("this machine lets nobody make a user namespace")
    assert answer.returncode == 0, answer.stderr
    for level, said, facts in json.loads(answer.stdout):
        assert level in ("L3", "L2")
        assert facts["exit_code"] == 0
        assert set(said) <= {"FileNotFoundError", "PermissionError", "ProcessLookupError"}


@pytest.mark.parametrize("without", [(), ("namespaces",)], ids=["all layers", "no namespaces"])
def test_what_runs_in_a_judge_fork_is_jailed_too(open_rooms, without):
    room = open_rooms(role="judge", without=without)
    facts, said = room.run(
        "import os, socket\n"
        "say(attempt(lambda: open('/etc/shadow')))\n"
        "say(attempt(lambda: open('/etc/judged', 'w')))\n"
        "say(attempt(lambda: os.kill(-1, 0)))\n"
        "say(attempt(lambda: socket.create_connection(('127.0.0.1', 9), 1)))"
    )
    assert facts.exit_code == 0
    assert len(said) == 4
    assert set(said) <= {"FileNotFoundError", "PermissionError", "ProcessLookupError", "OSError"}


def test_servers_of_two_roles_share_one_clock():
    clock = ClockPage.create(1)
    agent = ForkServer.start(ServerSpec(role="agent", entry=PLAIN, slots=1), clock.fileno())
    judge = ForkServer.start(ServerSpec(role="judge", entry=PLAIN, slots=1), clock.fileno())
    assert agent.isolation == judge.isolation
    for server in (agent, judge):
        server.close()
    clock.close()


def test_a_level_above_all_is_refused_too(open_rooms):
    with pytest.raises(SandboxUnavailable) as caught:
        open_rooms(minimum_level="L5")
    assert "L5" in caught.value.remedy


ELSEWHERE = """
import json
from assay.errors import SandboxUnavailable
from assay.sandbox import ClockPage, ForkServer, ServerSpec, probe
found = probe()
try:
    ForkServer.start(ServerSpec(role="agent", slots=1), ClockPage.create(1).fileno())
except SandboxUnavailable as error:
    print(json.dumps([found.level, error.reason, error.remedy]))
"""


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not shutil.which("setarch"), reason="only setarch shows another one"
)
def test_a_processor_whose_calls_are_not_known_falls_to_a_lower_level_and_says_so():
    packages = f"{Path(assay.__file__).parent.parent}:{Path(msgspec.__file__).parent.parent}"
    done = subprocess.run(
        ["setarch", "i686", sys.executable, "-B", "-c", ELSEWHERE],
        env={"PYTHONPATH": packages, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    level, reason, remedy = json.loads(done.stdout)
    assert level == "L1"
    assert "no list of system calls is known for i686" in reason
    assert "run assay on x86_64 or aarch64" in remedy


def test_a_network_is_refused(best_room):
    with pytest.raises(SettingsError, match="network"):
        best_room.begin("pass", network=True)


@pytest.mark.parametrize("name", ["3.9", "3.10", "3.12", "3.13", "3.14"])
def test_other_interpreters_run_samples_too(open_rooms, name):
    python = shutil.which(f"python{name}") or pytest.skip(f"no python{name} on the path")
    if subprocess.run([python, "-c", "pass"], capture_output=True, check=False).returncode:
        pytest.skip(f"python{name} is a name only")
    room = open_rooms(python=python)
    assert room.say("import sys; say('%d.%d' % sys.version_info[:2])") == [name]
