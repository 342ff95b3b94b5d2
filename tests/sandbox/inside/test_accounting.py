"""What a process tree has used, read from outside."""

from __future__ import annotations

import os
import subprocess
import sys

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
        alone, tree = accounting.process_cpu_ns(process.pid), accounting.tree_cpu_ns(process.pid)
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()
    assert alone >= 150_000_000
    assert tree >= alone + 150_000_000


def test_a_process_that_has_gone_has_used_nothing_that_can_be_read():
    process = subprocess.Popen([sys.executable, "-S", "-c", "pass"])
    process.wait()
    assert accounting.process_cpu_ns(process.pid) == 0
    assert accounting.run_delay_ns(process.pid) == 0


def test_memory_is_told_in_bytes():
    address_space, data = accounting.memory_bytes()
    assert address_space > data > 1 << 20
