"""The two yardsticks of `throughput.py`, standard library only. Runs programs given on standard input, without any judge.

    fork        fork + exec(compiled) + wait in a warm interpreter, one stream for each process of two
    subprocess  subprocess.run([python, file]), two threads

It runs code of data sets and models unguarded but for what it was started in: `throughput.py` starts it without network, as an
unprivileged user, in a process namespace of its own.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

# What a warm interpreter has loaded; the same as in assay's fork server.
import bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq, itertools, math, operator, random, re, statistics, string, typing  # noqa: E401, F401, I001 # fmt: skip

WORKERS = 2


def run_fork(programs, timeout_s):
    """One child for each program; the exit status says whether it ran to its end."""
    passed = 0
    for source in programs:
        pid = os.fork()
        if pid == 0:
            signal.alarm(int(timeout_s) + 1)
            try:
                exec(compile(source, "program", "exec"), {"__name__": "program"})
                os._exit(0)
            except BaseException:
                os._exit(1)
        passed += os.waitpid(pid, 0)[1] == 0
    return passed


def in_processes(programs, timeout_s):
    """Shares the programs among `WORKERS` processes."""
    pipes = []
    for n in range(WORKERS):
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.write(writer, str(run_fork(programs[n::WORKERS], timeout_s)).encode())
            os._exit(0)
        os.close(writer)
        pipes.append(reader)
    passed = sum(int(os.read(reader, 64)) for reader in pipes)
    for _ in pipes:
        os.wait()
    return passed


def in_threads(programs, timeout_s, python):
    """Shares the programs among `WORKERS` threads, a fresh interpreter for each program."""
    passed = []

    def work(n, folder):
        path = os.path.join(folder, f"program{n}.py")
        for source in programs[n::WORKERS]:
            with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
                file.write(source)
            try:
                done = subprocess.run(
                    [python, "-I", path], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s
                )
                passed.append(done.returncode == 0)
            except subprocess.TimeoutExpired:
                passed.append(False)

    with tempfile.TemporaryDirectory() as folder:
        threads = [threading.Thread(target=work, args=(n, folder)) for n in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return sum(passed)


def main():
    """Reads `{"way", "programs", "timeout_s", "python"}`, writes `{"seconds", "passed"}`."""
    work = json.load(sys.stdin)
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    start = time.perf_counter()
    if work["way"] == "fork":
        passed = in_processes(work["programs"], work["timeout_s"])
    else:
        passed = in_threads(work["programs"], work["timeout_s"], work["python"])
    answer = {"seconds": time.perf_counter() - start, "passed": passed}
    os.write(out, json.dumps(answer).encode())


main()
