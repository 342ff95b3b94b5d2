"""Ctrl-C with the real engine: it ends at once, keeps what was done, leaves no process, and the same command goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

COMMAND = [sys.executable, "-m", "assay", "judge", "problems.jsonl", "samples.jsonl", "-o", "run", "--workers", "1"]
PROBLEM = {
    "id": "a",
    "prompt": "?",
    "entry_point": "f",
    "tests": ["assert f(1) == 1"],
    "reference": "def f(x):\n    return x",
}
SLOW = "import time\ndef f(x):\n    time.sleep(2)\n    return x"


def rows(folder: Path) -> list[dict]:
    path = folder / "run" / "verdicts.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def status_of(pid: int) -> tuple[str, int]:
    """State letter and parent of a process; state X where there is none."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return "X", 0
    return state, int(parent)


def family_of(leader: int) -> list[int]:
    """All processes that the leader or its children have started and that still run."""
    found = [leader]
    parents = {int(path.name): status_of(int(path.name))[1] for path in Path("/proc").glob("[0-9]*")}
    while new := [pid for pid, parent in parents.items() if parent in found and pid not in found]:
        found += new
    return found[1:]


def is_alive(pid: int) -> bool:
    return status_of(pid)[0] not in "XZ"


def test_ctrl_c_keeps_what_was_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    (tmp_path / "problems.jsonl").write_text(json.dumps(PROBLEM) + "\n")
    samples = [
        {"problem_id": "a", "solution": PROBLEM["reference"]},
        *[{"problem_id": "a", "solution": f"{SLOW}  # {n}"} for n in range(4)],
    ]
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in samples))

    process = subprocess.Popen(COMMAND, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not rows(tmp_path) and process.poll() is None:
        time.sleep(0.02)
    started = family_of(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert "the same command goes on" in err
    assert "Traceback" not in err
    kept = rows(tmp_path)
    assert 1 <= len(kept) < len(samples)
    assert len(started) > 1
    while any(map(is_alive, started)):  # the kernel may take a moment; what stays runs into pytest's time limit
        time.sleep(0.02)

    again = subprocess.run([*COMMAND, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(again.stdout)["outcomes"] == {"passed": len(samples)}
    assert rows(tmp_path)[: len(kept)] == kept
    assert sorted(row["sample_index"] for row in rows(tmp_path)) == list(range(len(samples)))


def test_ctrl_c_before_the_first_verdict_is_told(folder, monkeypatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    folder.samples(("a", "right"), ("b", "stop"))
    monkeypatch.setattr("assay.cli.judging.judge_work", interrupted)
    assert folder.judge() == (130, "", "interrupted; nothing was judged yet\n")
    monkeypatch.setattr("assay.cli.flags.load", interrupted)
    assert folder.judge() == (130, "", "interrupted; what was done before is kept\n")


def test_ctrl_c_after_the_first_verdict_names_the_folder(folder) -> None:
    folder.samples(("a", "right"), ("b", "stop"))
    status, _, err = folder.judge()
    assert status == 130
    assert err.endswith("\ninterrupted; run/ keeps what was done, the same command goes on\n")
