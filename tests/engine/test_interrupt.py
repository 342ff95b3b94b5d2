"""An engine that is interrupted or killed in mid-run keeps what it has judged, goes on where it stopped, and leaves no process behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from court import processes_below

ECHO = "import time\n\n\ndef f(x):\n    time.sleep(0.05)\n    return x\n"
SAMPLES = 120
PATIENCE_S = 30


def until(condition) -> None:
    """Waits for a condition that will come; the patience is for a machine that hangs."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


class Command:
    """`assay judge` over samples that take a while, in a folder of its own."""

    def __init__(self, folder) -> None:
        self.folder = folder
        asked = {"id": "echo", "prompt": "?", "entry_point": "f", "reference": ECHO, "tests": ["assert f(1) == 1"]}
        (folder / "problems.jsonl").write_text(json.dumps(asked) + "\n")
        rows = [{"problem_id": "echo", "solution": f"{ECHO}# {n}\n"} for n in range(SAMPLES)]
        (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self._words = [
            sys.executable,
            "-m",
            "assay",
            "judge",
            "problems.jsonl",
            "samples.jsonl",
            "-o",
            "run",
            "--workers",
            "2",
        ]

    def rows(self) -> list[dict]:
        """Whole rows that are on disk."""
        path = self.folder / "run" / "verdicts.jsonl"
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def start(self) -> subprocess.Popen:
        """The command, running, with ten verdicts on disk."""
        process = subprocess.Popen(self._words, cwd=self.folder, stderr=subprocess.DEVNULL, start_new_session=True)
        until(lambda: len(self.rows()) >= 10 or process.poll() is not None)
        assert process.poll() is None, "it ended before it could be stopped"
        return process

    def finish(self) -> None:
        """The same command again, to its end."""
        done = subprocess.run(self._words, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def command(tmp_path):
    return Command(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_engine_keeps_its_verdicts_leaves_no_process_and_goes_on(command, number):
    with command.start() as process:
        ours = processes_below(process.pid)
        assert ours
        os.kill(process.pid, number)
        assert process.wait(PATIENCE_S) == (130 if number == signal.SIGINT else -number)
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in ours))  # noqa: PTH110 (a folder of the kernel's)
    kept = command.rows()
    assert 10 <= len(kept) < SAMPLES
    command.finish()
    rows = command.rows()
    assert rows[: len(kept)] == kept
    assert sorted(row["sample_index"] for row in rows) == list(range(SAMPLES))
    assert {row["outcome"] for row in rows} == {"passed"}
