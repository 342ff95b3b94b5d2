"""The two yardsticks of `throughput.py`, standard library only. Runs programs given on standard input, without any judge.

    fork        fork + exec(compiled) + wait in a warm interpreter, one stream for each process of two
    subprocess  subprocess.run([python, file]), two threads

It runs code of data sets and models unguarded but for what it was started in: `throughput.py` starts it without network, as an
unprivileged user, in a process namespace of its own.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WARM = (
    "abc array bisect cmath collections.abc contextlib copy datetime decimal dataclasses enum fractions functools heapq inspect io "
    "itertools json linecache math numbers operator random re socket statistics string struct textwrap traceback types typing"
).split()
"""What a warm interpreter has loaded: the same as assay's fork server."""

WORKERS = 2


def run_fork(programs: list[str], timeout_s: float) -> int:
    """One child for each program; the exit status says whether it ran to its end."""
    passed = 0
    for _ in range(3):
        exec(compile("def f(x):\n    return [i for i in x]\nassert f([1]) == [1]\n", "warm", "exec"), {})
    for source in programs:
        pid = os.fork()
        if pid == 0:
            signal.alarm(int(timeout_s) + 1)
            try:
                exec(compile(source, "program", "exec"), {"__name__": "program"})
                os._exit(0)
            except BaseException:  # noqa: BLE001 (whatever it is, the program did not run to its end)
                os._exit(1)
        passed += os.waitpid(pid, 0)[1] == 0
    return passed


def in_processes(programs: list[str], timeout_s: float) -> int:
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


def in_threads(programs: list[str], timeout_s: float, python: str) -> int:
    """Shares the programs among `WORKERS` threads, a fresh interpreter for each program."""
    passed: list[bool] = []

    def work(n: int, folder: str) -> None:
        path = Path(folder) / f"program{n}.py"
        for source in programs[n::WORKERS]:
            path.write_text(source, encoding="utf-8", errors="surrogatepass")
            command = [python, str(path)]
            try:
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False
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


def main() -> None:
    """Reads `{"way", "programs", "timeout_s", "python"}`, writes `{"seconds", "passed"}`."""
    work = json.load(sys.stdin)
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    for name in WARM:
        importlib.import_module(name)
    start = time.perf_counter()
    if work["way"] == "fork":
        passed = in_processes(work["programs"], work["timeout_s"])
    else:
        passed = in_threads(work["programs"], work["timeout_s"], work["python"])
    answer = {"seconds": time.perf_counter() - start, "passed": passed}
    os.write(out, json.dumps(answer).encode())


main()
