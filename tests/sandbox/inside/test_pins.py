"""Pinned pages: a clone is born with copies of its own, and neither sees what the other writes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import SandboxError
from assay.sandbox import ClockPage, ForkServer, ServerSpec
from assay.sandbox.inside import pins
from assay.sandbox.inside.pages import Mapping

_BEGIN = """
import ctypes, json, os, resource
from assay.sandbox.inside import linux, pins

PAGE, PAGES = os.sysconf("SC_PAGE_SIZE"), 64
room = linux.map_private(PAGES * PAGE)
ctypes.memset(room, 1, PAGES * PAGE)
reader, writer = os.pipe()

def pin(spans, of_files=(), ring=True):
    os.write(writer, pins.pack(list(spans), list(of_files)))
    return pins.Pinner(pins.open_ring() if ring else None).pin(reader)

def in_clone(do):
    child, told = os.pipe()
    if not os.fork():
        os.write(told, json.dumps(do()).encode())
        os._exit(0)
    os.wait()
    return json.loads(os.read(child, 4096))

def faults_of(address, size):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    ctypes.memset(address, 2, size)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def faults():
    faults_of(ctypes.addressof(ctypes.c_long()), 1)  # the first call meets the interpreter's own
    return faults_of(room, PAGES * PAGE)
"""


def told_by(code: str) -> list[int]:
    """What a fresh interpreter prints as JSON: memory that is pinned stays so, and a ring has no other end than its process's."""
    done = subprocess.run([sys.executable, "-c", _BEGIN + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session", autouse=True)
def _needs_a_ring():
    ring = pins.open_ring()
    if ring is None:
        pytest.skip("this kernel has no io_uring to give (kernel.io_uring_disabled)")
    os.close(ring)


def test_a_clone_meets_no_fault_where_its_parents_pages_are_pinned():
    shared, pinned = told_by("a = in_clone(faults)\npin([(room, PAGES * PAGE)])\nprint([a, in_clone(faults)])")
    assert shared >= 60
    assert pinned < 10


def test_what_a_clone_writes_is_its_own():
    seen, kept, later = told_by(
        "pin([(room, PAGES * PAGE)])\n"
        "def write():\n"
        "    ctypes.memset(room, 7, PAGES * PAGE)\n"
        "    return ctypes.string_at(room, 1)[0]\n"
        "seen = in_clone(write)\n"
        "print([seen, ctypes.string_at(room, 1)[0], in_clone(lambda: ctypes.string_at(room, 1)[0])])"
    )
    assert (seen, kept, later) == (7, 1, 1)


def test_the_pages_that_a_clone_has_written_to_are_found():
    code = (
        "written, done = os.pipe()\n"
        "if not os.fork():\n"
        "    for page in (3, 4, 40): ctypes.memset(room + page * PAGE, 9, 1)\n"
        "    os.write(done, b'1')\n"
        "    os.read(reader, 1)\n"
        "    os._exit(0)\n"
        "os.read(written, 1)\n"
        "found = pins.hot(os.getpid())\n"
        "os.write(writer, b'1'); os.wait()\n"
        "import struct\n"
        "spans = [*struct.iter_unpack('QQ', found[16:])]\n"
        "print([[(at - room) // PAGE, size // PAGE] for at, size in spans if room <= at < room + PAGES * PAGE])"
    )
    assert told_by(code) == [[3, 2], [40, 1]]


def test_where_pages_of_files_are_refused_the_own_ones_are_pinned_all_the_same():
    pinned, faults = told_by("n = pin([(room, PAGES * PAGE)], [(4096, 4096)])\nprint([n, in_clone(faults)])")  # no file
    assert pinned == 1
    assert faults < 10


@pytest.mark.parametrize("how", ["pin([(4096, 4096)])", "pin([(room, PAGE)], ring=False)", "pin([])"])
def test_where_nothing_can_be_pinned_nothing_is_lost(how):
    pinned, faults = told_by(f"n = {how}\nprint([n, in_clone(faults)])")
    assert pinned == 0
    assert faults >= 60


def test_more_spans_than_a_pipe_holds_are_read_to_the_last():
    code = (
        "import threading\n"
        "data = pins.pack([(room + n % PAGES * PAGE, PAGE) for n in range(9000)], [])\n"
        "threading.Thread(target=os.write, args=(writer, data)).start()\n"
        "pins.Pinner(None).pin(reader)\n"
        "os.set_blocking(reader, False)\n"
        "try: left = len(os.read(reader, 10))\n"
        "except BlockingIOError: left = 0\n"
        "print([len(data), left])"
    )
    size_bytes, left = told_by("import fcntl\nfcntl.fcntl(writer, 1031, 4096)\n" + code)  # F_SETPIPE_SZ
    assert size_bytes > 30_000
    assert left == 0


def test_a_process_that_shows_nothing_gives_nothing_to_pin():
    assert pins.hot(2**22 + 1) == pins.NONE


def page(number: int) -> int:
    return 0x200000 + number * 4096


@pytest.mark.parametrize(("count", "kept"), [(0, 0), (5, 0), (39, 0), (40, 40), (300, 300), (301, 0), (512, 0)])
def test_a_large_block_is_taken_apart_only_for_many_of_its_pages_and_not_for_all(count, kept):
    mapping = Mapping(0x200000, 0x200000, "rw-", "[heap]")
    assert len(pins.worth(mapping, [page(n) for n in range(count)])) == kept


def test_where_there_is_no_whole_block_each_page_counts():
    assert pins.worth(Mapping(0x200000, 0x1FF000, "rw-", ""), [page(0)]) == [page(0)]


def pinned_kib(server: ForkServer) -> int:
    """What the server and the zygote, which is its child, have pinned."""
    launcher = server._process.pid
    (inside,) = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    return int(re.search(r"VmPin:\s+(\d+)", Path(f"/proc/{inside}/status").read_text())[1])


@pytest.mark.parametrize(("role", "pins_memory"), [("agent", True), ("judge", False)])
def test_a_server_of_agents_pins_what_every_sample_writes_to(role, pins_memory):
    clock = ClockPage.create(1)
    server = ForkServer.start(ServerSpec(role=role, slots=1), clock.fileno())
    try:
        assert (200 < pinned_kib(server) < 4096) if pins_memory else pinned_kib(server) == 0
    finally:
        server.close()
        clock.close()


@pytest.mark.parametrize(
    ("main", "words"),
    [
        ("def main(fd): raise ValueError('mute')", "ended with 1/-1.*mute"),
        pytest.param(
            "import time\ndef main(fd): time.sleep(60)", "a child that rehearses doesn't answer", marks=pytest.mark.slow
        ),  # ten seconds
    ],
)
def test_an_entry_that_fails_in_its_rehearsal_is_told_before_the_first_sample(tmp_path, main, words):
    entry = tmp_path / "entry.py"
    entry.write_text(f"{main}\ndef rehearse(): return (b'hear me',)\n")
    clock = ClockPage.create(1)
    with pytest.raises(SandboxError, match=words):
        ForkServer.start(ServerSpec(role="agent", slots=1, entry=str(entry)), clock.fileno())
    clock.close()


def test_a_sample_can_lock_nothing_into_memory_and_pin_nothing(room):
    _, said = room.run(
        "import ctypes, resource\n"
        "call = ctypes.CDLL(None, use_errno=True).syscall\n"
        "for number in (425, 426, 427):  # io_uring_setup, _enter, _register\n"
        "    call(number, 0, 0, 0, 0, 0, 0)\n"
        "    say(ctypes.get_errno())\n"
        "say(resource.getrlimit(resource.RLIMIT_MEMLOCK))"
    )
    assert said == [1, 1, 1, [0, 0]]
