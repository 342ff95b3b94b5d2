"""Standard streams that are closed, full or left: each is one ordinary error or none, never a fault of ours and never silence."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from assay.cli.streams import Watched, drop

CODE = "import sys; from assay.cli import main; main({words!r})"


def shell(redirection: str, *words: str, unbuffered: str = "") -> subprocess.CompletedProcess[str]:
    """What a shell's redirections make of `assay WORDS`."""
    command = ["/bin/sh", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, CODE.format(words=list(words))]
    env = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env, timeout=60)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["list"], ["list", "--json"], ["list", "--help"]])
@pytest.mark.parametrize(
    ("redirection", "why"),
    [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device"), ("<&- >&-", "Bad file descriptor")],
)
def test_a_stdout_that_takes_nothing_is_one_error_of_the_users(redirection, why, words, unbuffered) -> None:
    done = shell(redirection, *words, unbuffered=unbuffered)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: standard output can't be written: {why}\nhint: ")
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_the_other_streams_do_not_matter_to_what_needs_only_stdout(redirection) -> None:
    done = shell(redirection, "list")
    assert done.returncode == 0
    assert "basics" in done.stdout


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- >&- 2>&-"])
def test_a_stderr_that_takes_nothing_does_not_change_the_exit_status(redirection) -> None:
    assert shell(redirection).returncode == 2
    assert shell(redirection, "judge", "/nowhere", "/nowhere", "-o", "run").returncode == 2


def test_samples_out_of_a_closed_stdin_are_one_error_of_the_users() -> None:
    done = shell("<&-", "judge", "basics", "-", "-o", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: -: Bad file descriptor\nhint: ")


def test_a_help_page_whose_reader_has_left_ends_quietly() -> None:
    done = shell("| :", "list", "--help")
    assert done.stderr == ""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", CODE.format(words=["list", "--help"])]
    left = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (left.returncode, left.stderr) == (141, "")


class Refusing(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_watched_stream_remembers_the_error_and_hands_it_on() -> None:
    watched = Watched(Refusing())
    with pytest.raises(OSError, match="No space") as caught:
        print("x", file=watched)
    assert watched.refusal is caught.value


def test_a_watched_stream_is_otherwise_the_stream_itself() -> None:
    stream = io.StringIO()
    watched = Watched(stream)
    print("x", file=watched)
    watched.flush()
    assert (stream.getvalue(), watched.isatty(), watched.refusal) == ("x\n", False, None)


def test_a_stream_without_a_file_can_be_dropped_too() -> None:
    drop(io.StringIO())
