"""What a child reaches for and must not get, at every level; and each wall alone, with the others away."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from pathlib import Path

import pytest

import assay

CALLS = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    result = libc.syscall(*arguments)
    return 'allowed' if result >= 0 else errno.errorcode[ctypes.get_errno()]
"""


SOCKET_KINDS = "(socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)"
INET = ("AF_INET", "AF_INET6")


@pytest.mark.parametrize("family", [*INET, "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"])
def test_no_network_of_any_family(room, family):
    said = room.say(
        f"import socket\nfor kind in {SOCKET_KINDS}: say(attempt(lambda: socket.socket(socket.{family}, kind)))"
    )
    made = ["done", "done"] if family in INET and room.level > "L2" else ["PermissionError"] * 2
    assert said == [*made, "PermissionError", "PermissionError"]


@pytest.mark.parametrize(
    ("family", "address"), [("AF_INET", "127.0.0.1"), ("AF_INET6", "::1"), ("AF_INET", "10.0.0.1")]
)
def test_a_socket_of_the_internet_reaches_nobody(jail, family, address):
    with socket.socket(getattr(socket, family), socket.SOCK_STREAM) as host, contextlib.suppress(OSError):
        host.bind((address, 0))  # where the host has such an address, somebody does listen there
        host.listen()
        port = host.getsockname()[1]
        said = jail.say(
            f"import socket\ns, d = (socket.socket(socket.{family}, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM))\n"
            f"there = ({address!r}, {port})\n"
            "for do in (lambda: s.connect(there), lambda: d.connect(there), lambda: d.sendto(b'x', there)): say(attempt(do))\n"
            f"for do in (lambda: s.bind({address!r}), lambda: d.bind(('', 0)), s.listen): say(attempt(do))"
        )
        assert set(said) <= {"PermissionError", "OSError", "TypeError"}


def test_no_file_of_the_host(room, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for directory in (tmp_path, *tmp_path.parents[:-2]):
        directory.chmod(0o755)
    paths = [
        str(secret),
        "/etc/shadow",
        "/etc/hostname",
        "/proc/self/environ",
        "/proc/1/cmdline",
        __file__,
        sys.prefix + "/pyvenv.cfg",
    ]
    said = room.say(f"for path in {paths!r}: say(attempt(lambda: open(path)))")
    assert set(said) <= {"FileNotFoundError", "PermissionError"}


def test_no_listing_of_the_host(room):
    said = room.say(
        "import os\nfor path in ('/root', '/home', '/work', '/var', '/sys', '/slots/1', '/'): say(attempt(lambda: os.listdir(path)))"
    )
    assert set(said) <= {"FileNotFoundError", "PermissionError"}


def test_assay_can_neither_be_imported_nor_read(room):
    source = str(Path(assay.__file__).parent)
    said = room.say(
        f"import sys\nsys.path += [{source!r}, {str(Path(source).parent)!r}, {source + '/sandbox/inside'!r}]\n"
        "def load(name): __import__(name)\n"
        "for name in ('assay', 'assay.sandbox.inside.linux', 'linux', 'msgspec', 'pip', 'plain'): say(attempt(lambda: load(name)))\n"
        f"say(attempt(lambda: open({source + '/errors.py'!r})))\n"
        "say([name for name in sys.modules if 'assay' in name])"
    )
    assert set(said[:6]) <= {"ModuleNotFoundError", "PermissionError"}
    assert said[6] in ("FileNotFoundError", "PermissionError")
    assert said[7] == []


def test_nothing_can_be_written_outside_tmp(room):
    said = room.say(
        "for path in ('/x', '/usr/lib/x', '/etc/x', '/slots/x', '/dev/x'): say(attempt(lambda: open(path, 'w')))"
    )
    assert set(said) <= {"FileNotFoundError", "PermissionError", "OSError"}


def test_nothing_at_all_can_be_written_without_namespaces(open_rooms, tmp_path):
    tmp_path.chmod(0o777)
    said = open_rooms(without=("namespaces",)).say(
        f"for path in ('/tmp/x', '/dev/shm/x', {str(tmp_path / 'x')!r}): say(attempt(lambda: open(path, 'w')))"
    )
    assert said == ["PermissionError"] * 3


def test_its_server_and_siblings_can_not_be_seen_or_signalled(room):
    other = room.begin("import time; time.sleep(60)", slot=1)
    said = room.say(
        "import os, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "say(attempt(lambda: os.kill(os.getppid(), 9)) if os.getppid() else 'no parent')\n"
        "for word in {attempt(lambda: os.kill(pid, 9)) for pid in range(2, 500)}: say(word)\n"
        "attempt(lambda: os.kill(-1, 15)); attempt(lambda: os.kill(0, 15)); attempt(lambda: os.killpg(0, 15))"
    )
    assert set(said) <= {"no parent", "PermissionError", "ProcessLookupError"}
    room.server.kill(other)
    assert room.end(other)[0].killed


def test_no_process_can_be_traced_or_read(room):
    said = room.say(
        CALLS
        + "import os\nfor pid in (1, 2, os.getppid()):\n    say(call(101, 16, pid, 0, 0)); say(call(434, pid, 0))\n"
        "    say(call(310, pid, 0, 0, 0, 0, 0))"
    )
    assert set(said) == {"EPERM"}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("shmget", "29, 1234, 4096, 0o1777"),
        ("msgget", "68, 1234, 0o1666"),
        ("semget", "64, 1234, 1, 0o1666"),
        ("mq_open", "240, b'q', 0o102, 0o600, 0"),
        ("memfd_create", "319, b'm', 0"),
        ("keyctl", "250, 0, -3, 1"),
        ("add_key", "248, b'user', b'a', b'b', 1, -3"),
        ("io_uring_setup", "425, 8, ctypes.create_string_buffer(256)"),
        ("userfaultfd", "323, 0"),
        ("bpf", "321, 0, 0, 0"),
        ("perf_event_open", "298, 0, 0, -1, -1, 0"),
        ("mount", "165, b'none', b'/tmp', b'tmpfs', 0, 0"),
        ("umount2", "166, b'/tmp', 2"),
        ("pivot_root", "155, b'/', b'/tmp'"),
        ("chroot", "161, b'/'"),
        ("unshare", "272, 0x10000000"),
        ("setns", "308, 0, 0"),
        ("clone into a user namespace", "56, 0x10000000 | 17, 0, 0, 0, 0"),
        ("clone into a pid namespace", "56, 0x20000000 | 17, 0, 0, 0, 0"),
        ("setresuid", "117, 0, 0, 0"),
        ("setgroups", "116, 0, 0"),
        ("capset", "126, 0, 0"),
        ("open_by_handle_at", "304, 0, 0, 0"),
        ("seccomp", "317, 1, 0, 0"),
        ("prctl(PR_SET_DUMPABLE)", "157, 4, 1, 0, 0, 0"),
        ("pidfd_send_signal", "424, 0, 9, 0, 0"),
        ("landlock_create_ruleset", "444, 0, 0, 1"),
        ("setpriority", "141, 0, 0, -5"),
        ("sched_setaffinity", "203, 0, 8, ctypes.create_string_buffer(b'1')"),
        ("splice", "275, 0, 0, 0, 0, 0, 0"),
        ("mlock", "149, 0, 0"),
        ("personality", "135, 0"),
        ("setxattr", "188, b'/tmp', b'user.a', b'b', 1, 0"),
    ],
)
def test_the_kernel_refuses(room, name, arguments):
    assert room.say(CALLS + f"say(call({arguments}))") == ["EPERM"], name


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
def test_calls_that_a_newer_library_may_try_are_unknown_instead_of_forbidden(room):
    assert room.say(CALLS + "say(call(435, 0, 0)); say(call(500, 0))") == ["ENOSYS", "ENOSYS"]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 belongs to x86-64")
def test_the_other_system_call_table_ends_the_process(room):
    facts, said = room.run(CALLS + "call(0x40000000 + 39); say('alive')")
    assert said == []
    assert facts.signal == 31


def test_no_program_can_be_started_but_the_interpreter(room):
    said = room.say(
        "import os, sys\npaths = ['/bin/sh', '/bin/true', '/usr/bin/env', os.__file__]\n"
        "for path in paths: say(attempt(lambda: os.execv(path, [path])))"
    )
    assert set(said) <= {"FileNotFoundError", "PermissionError"}


def test_a_program_of_its_own_making_can_not_be_started(jail):
    said = jail.say(
        "import os, shutil, sys\nfor place in ('/tmp/p', '/dev/shm/p'):\n"
        "    shutil.copy(sys.executable, place); os.chmod(place, 0o755)\n"
        "    say(attempt(lambda: os.execv(place, [place])))",
        disk_mib=64,
    )
    assert said == ["PermissionError", "PermissionError"]


def test_the_interpreter_that_it_starts_is_held_as_it_is(jail):
    inner = (
        "import os, socket\n"
        "def attempt(do):\n"
        "    try: do()\n"
        "    except Exception as error: print(type(error).__name__)\n"
        "    else: print('done')\n"
        "for path in ('/etc/shadow', '/x', '/proc/1/cmdline'): attempt(lambda: open(path, 'r' if path != '/x' else 'w'))\n"
        "attempt(lambda: socket.socket(socket.AF_NETLINK)); attempt(lambda: os.execv('/bin/sh', ['sh'])); attempt(lambda: os.setuid(0))\n"
        "attempt(lambda: bytearray(200 << 20)); print(sorted(int(n) for n in range(64) if os.path.exists(f'/dev/fd/{n}') and n > 2))"
    )
    said = jail.say(
        f"import subprocess, sys\ndone = subprocess.run([sys.executable, '-c', {inner!r}], capture_output=True, text=True)\n"
        "say(done.stdout.split('\\n')); say(done.stderr)",
        memory_mib=100,
    )
    *refused, memory, descriptors, _ = said[0]
    assert set(refused) <= {"FileNotFoundError", "PermissionError", "OSError"}, said
    assert len(refused) == 6
    assert (memory, descriptors, said[1]) == ("MemoryError", "[]", "")


def test_no_process_can_be_made_without_namespaces(open_rooms):
    said = open_rooms(without=("namespaces",)).say(
        "import os, subprocess\nsay(attempt(os.fork)); say(attempt(lambda: subprocess.run(['/bin/true'])))"
    )
    assert said == ["PermissionError", "PermissionError"]


def test_limits_can_not_be_raised(room):
    said = room.say(
        "import resource\nkinds = [getattr(resource, 'RLIMIT_' + name) for name in ('AS', 'DATA', 'NPROC', 'NOFILE', 'CPU')]\n"
        "for kind in kinds:\n"
        "    say(attempt(lambda: resource.setrlimit(kind, (1 << 40, 1 << 40))))"
    )
    if room.level == "L2":  # nothing counts processes there, because none can be made
        said.pop(2)
    assert set(said) <= {"ValueError", "PermissionError"}


def test_descriptors_and_threads_run_out_instead_of_harming(room):
    said = room.say(
        "import threading, time\nfiles = []\n"
        "def opening():\n    while True: files.append(open('/dev/null'))\n"
        "say(attempt(opening)); files.clear()\n"
        "def starting():\n    while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\nsay(attempt(starting))",
        memory_mib=128,
    )
    assert said == ["OSError", "RuntimeError"]


def test_it_is_nobody_of_importance(jail):
    assert jail.say("import os; say([os.getuid() >= 1000, os.geteuid() >= 1000, os.getgroups()])") in (
        [[True, True, []]],
        [[True, True, [65534]]],
    )


KINDS = """
import gc
gc.unfreeze()  # what the server froze can be listed again
kinds = {type(thing).__name__ for thing in gc.get_objects()}
say(sorted(kinds & {'Zygote', 'Supervisor', 'Child', 'SlotClock', 'OutputBuffer', 'Report'}))
"""


def test_an_agent_has_nothing_of_the_supervisors_in_its_memory_no_clock_and_no_output(room):
    room.run("print('something')")
    assert room.say(KINDS) == [["Zygote"]]


SEARCH = """
import ctypes, os
reader, writer = os.pipe()
library = ctypes.CDLL(None)
parts = b'the answer', b' is 42'  # apart, or the search would find itself
def pages():  # round old and new objects of every size: wherever this process keeps any
    old = [id(thing) for thing in (parts, os, print, ctypes)]
    homes = {at >> 24 for at in old + [id(bytes(2**n)) for n in range(24)] + [id(object()) for _ in range(1000)]}
    return sorted({page for home in homes for page in range((home - 1) << 24, (home + 2) << 24, 4096)})
def holds():
    for page in pages():
        if library.write(writer, ctypes.c_void_p(page), 4096) == 4096:  # an error where there is no memory
            found = os.read(reader, 4096)
            if any(rest.startswith(parts[1]) for rest in found.split(parts[0])[1:]):
                return True
    return False
say(holds())
kept = b''.join(parts)
say(holds())
"""


def test_what_a_sample_printed_is_not_in_the_memory_of_the_next(room):
    first = room.begin("print('the answer is', 42, flush=True)\nimport time; time.sleep(60)", slot=1)
    room.run("import time; time.sleep(0.2)")
    assert room.say(SEARCH) == [False, True]
    room.server.kill(first)
    assert room.end(first)[0].stdout == "the answer is 42\n"


def test_landlock_holds_alone(open_rooms):
    alone = open_rooms(without=("namespaces", "seccomp"), minimum_level="L1")
    assert alone.level == "L1"
    said = alone.say(
        "import socket\n"
        "say(attempt(lambda: open('/etc/passwd')))\nsay(attempt(lambda: open('/tmp/x', 'w')))\n"
        "s = socket.socket()\nsay(attempt(lambda: s.connect(('127.0.0.1', 9))))\nsay(attempt(lambda: s.bind(('127.0.0.1', 0))))"
    )
    assert said == ["PermissionError"] * 4


def test_seccomp_holds_alone(open_rooms):
    alone = open_rooms(without=("namespaces", "landlock"), minimum_level="L1")
    said = alone.say(
        "import os, socket\nsay(attempt(socket.socket)); say(attempt(os.fork)); say(attempt(lambda: os.kill(1, 0)))"
    )
    assert said == ["PermissionError"] * 3


def test_namespaces_hold_alone(open_rooms, doctor):
    if doctor.level < "L3":
        pytest.skip("no namespaces here")
    alone = open_rooms(without=("landlock", "seccomp"), minimum_level="L1")
    assert set(alone.server.isolation.missing) >= {"landlock", "seccomp"}
    said = alone.say(
        "import os, socket\n"
        "say(attempt(lambda: open('/etc/shadow')))\nsay(attempt(lambda: open('/x', 'w')))\nsay(attempt(lambda: os.kill(2, 9)))\n"
        "s = socket.socket()\nsay(attempt(lambda: s.connect(('127.0.0.1', 9))))\nsay(attempt(lambda: os.listdir('/proc/1')))\n"
        "say(attempt(lambda: os.setuid(0)))\n"
        + CALLS
        + "say(call(272, 0x10000000))\nsay(call(165, b'none', b'/tmp', b'tmpfs', 0, 0))"
    )
    assert said == [
        "FileNotFoundError",
        "OSError" if said[1] == "OSError" else "PermissionError",
        "ProcessLookupError",
        "OSError",
        "FileNotFoundError",
        "PermissionError",
        "EPERM" if said[6] == "EPERM" else "ENOSPC",
        "EPERM",
    ]
