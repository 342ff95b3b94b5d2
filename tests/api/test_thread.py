"""The engine beside its callers: whoever waits is told how it ends, and nothing is left, whatever ends first."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from families import children

import assay

ROW = {
    "id": "double",
    "prompt": "Double n.",
    "reference": "def double(n): return 2 * n",
    "tests": ["assert double(2) == 4"],
}
RIGHT = "def double(n): return n + n"
SLEEP = "import time\ndef double(n): time.sleep(60)"
ONE = assay.Settings(workers=1)


def test_closing_tells_who_waits_and_leaves_nothing():
    before, threads = children(os.getpid()), threading.active_count()
    told: list[BaseException] = []
    judge = assay.Judge(settings=ONE)

    def ask() -> None:
        with pytest.raises(assay.SettingsError, match="this judge was closed") as error:
            judge.verdict(ROW, SLEEP)
        told.append(error.value)

    with judge:
        judge.verdict(ROW, RIGHT)
        waiting = [threading.Thread(target=ask) for _ in range(5)]
        for thread in waiting:
            thread.start()
    for thread in waiting:
        thread.join()
    assert len(told) == 5
    judge.close()
    assert (children(os.getpid()), threading.active_count()) == (before, threads)
    for use in (judge.__enter__, lambda: judge.verdict(ROW, RIGHT), lambda: list(judge.verdicts([(ROW, RIGHT)]))):
        with pytest.raises(assay.SettingsError, match="this judge was closed"):
            use()


def test_many_threads_may_close_it_and_one_that_was_never_started_has_nothing_to_close():
    judge = assay.Judge(settings=ONE)
    judge.verdict(ROW, RIGHT)
    closing = [threading.Thread(target=judge.close) for _ in range(4)]
    for thread in closing:
        thread.start()
    for thread in closing:
        thread.join()
    assay.Judge(settings=ONE).close()


def test_a_judge_that_was_forgotten_ends():
    before = children(os.getpid())
    judge = assay.Judge(settings=ONE)
    judge.verdict(ROW, RIGHT)
    (engine,) = [thread for thread in threading.enumerate() if thread.name == "assay judge"]
    del judge
    gc.collect()
    engine.join()
    assert children(os.getpid()) == before


SCRIPT = f"""
import os, sys, threading
import assay
ROW = {ROW!r}
RIGHT, SLEEP = {RIGHT!r}, {SLEEP!r}
def started():
    judge = assay.Judge(settings=assay.Settings(workers=1))
    return judge, judge.verdict(ROW, RIGHT).passed
def servers():
    return [pid for task in os.listdir("/proc/self/task") for pid in open(f"/proc/self/task/{{task}}/children").read().split()]
"""

SCRIPTS = {
    "a script without a main guard that closes nothing": """
judge, passed = started()
print(passed, *servers())
""",
    "a script that ends while a thread waits": """
judge, passed = started()
def wait():
    try: judge.verdict(ROW, SLEEP)
    except assay.SettingsError: pass
threading.Thread(target=wait, daemon=True).start()
print(passed, *servers())
""",
    "a script that is interrupted while it waits": """
import signal
judge, passed = started()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
pids = servers()
try:
    with judge: judge.verdict(ROW, SLEEP)
except KeyboardInterrupt:
    print(passed, *pids)
""",
    "a daemonic worker that was forked": """
import multiprocessing
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    def work():
        judge, passed = started()
        queue.put((passed, servers()))
        judge.close()
    worker = context.Process(target=work, daemon=True)
    worker.start(); passed, pids = queue.get(); worker.join()
    print(passed, *pids)
""",
    "a fork of a process that has one": """
judge, passed = started()
pids = servers()
child = os.fork()
if child == 0:
    try:
        judge.verdict(ROW, RIGHT)
    except assay.SettingsError as error:
        judge.close()  # which is not the child's to do
        with assay.Judge(settings=assay.Settings(workers=1)) as own:
            sys.exit(7 if "make a Judge in each process" in str(error) and own.verdict(ROW, RIGHT).passed else 1)
_, status = os.waitpid(child, 0)
print(passed and os.waitstatus_to_exitcode(status) == 7 and judge.verdict(ROW, RIGHT).passed, *pids)
""",
}


@pytest.mark.parametrize("caller", SCRIPTS)
def test_it_works_and_leaves_nothing_out_of(caller, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT + SCRIPTS[caller])
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    passed, *pids = done.stdout.split() or ["nothing"]
    assert (done.returncode, passed, done.stderr) == (0, "True", "")
    assert pids
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []


def test_closing_does_not_wait_for_a_fork_that_lives_on():
    script = f"""{SCRIPT}
import time
judge, _ = started()
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.read(read, 1)
    os._exit(0)
before = time.monotonic()
judge.close()
print(time.monotonic() - before < 5)
os.write(write, b"x")
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
