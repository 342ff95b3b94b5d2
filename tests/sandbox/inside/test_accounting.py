"""What a process tree has used, read from outside."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.sandbox.inside import accounting

TREE = """
import os, time
child = os.fork()
while time.process_time() < 0.2: pass
if child == 0:
    print("burnt", flush=True); time.sleep(60)
print("burnt", flush=True); time.sleep(60)
"""


def test_the_tree_counts_more_than_its_first_process():
    process = subprocess.Popen([sys.executable, "-S", "-c", TREE], stdout=subprocess.PIPE, start_new_session=True)
    try:
        for _ in range(2):
            process.stdout.readline()
        alone, tree = accounting.alone(process.pid), accounting.tree_of(process.pid)
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()
    assert alone[process.pid].cpu_ns >= 150_000_000
    assert sum(one.cpu_ns for one in tree.values()) >= alone[process.pid].cpu_ns + 150_000_000
    assert [one.threads for one in tree.values()] == [1, 1]


FORKED_BESIDE = """
import os, threading, time
def fork():
    if os.fork() == 0: time.sleep(60)
    print("forked", flush=True); time.sleep(60)
threading.Thread(target=fork).start()
"""

FORKED = """
import os, time
if os.fork(): print("forked", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("source", [FORKED_BESIDE, FORKED])
def test_every_child_is_in_the_tree_whichever_thread_it_is_of(source):
    process = subprocess.Popen([sys.executable, "-S", "-c", source], stdout=subprocess.PIPE, start_new_session=True)
    try:
        process.stdout.readline()
        assert len(accounting.tree_of(process.pid)) == 2
        assert len(accounting.tree_of(os.getpid())) >= 3
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()


def test_a_process_without_children_is_its_own_tree():
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert accounting.tree_of(process.pid) == accounting.alone(process.pid) != {}
    finally:
        process.communicate()


def test_a_process_that_has_gone_has_used_nothing_that_can_be_read():
    process = subprocess.Popen([sys.executable, "-S", "-c", "pass"])
    process.wait()
    assert accounting.alone(process.pid) == accounting.tree_of(process.pid) == {}
    assert accounting.used_bytes(process.pid) == 0
    assert accounting.scheduled_ns(process.pid) == (0, 0)
    assert not accounting.is_ready(process.pid)


def test_shared_memory_is_used_when_it_is_touched_and_not_before():
    size = 64 << 20
    source = f"import mmap; m = mmap.mmap(-1, {size})\nfor turn in range(2):\n    print(flush=True); input()\n    m.write(b'x' * {size})"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        process.stdout.readline()
        before = accounting.used_bytes(process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert before < size <= accounting.used_bytes(process.pid)
    finally:
        process.kill()
        process.communicate()


def test_memory_is_told_in_bytes():
    address_space, data = accounting.memory_bytes()
    assert address_space > data > 1 << 20
