"""Whole programs end here as they end under an interpreter of their own: each is run both ways, and what comes out is the same."""

from __future__ import annotations

import ast
import atexit
import importlib.util
import os
import resource
import socket
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from assay.judge.pump import pump
from assay.judge.wire import codec

EXIT = os._exit
PLENTY = 1 << 28


class Ended(NamedTuple):
    """How a run ended: its exit status (negative: a signal), what it printed, what it printed on stderr."""

    status: int
    out: bytes
    err: str


class StillClock:
    def start(self) -> None:
        """Nobody watches."""

    def stop(self) -> None:
        """Nobody watches."""


def load(folder: Path):
    """The module, with its files below a folder of the test's own."""
    path = Path(codec.__file__).with_name("stdio.py")
    spec = importlib.util.spec_from_file_location("assay_stdio_under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.INPUT, module.OUTPUT, module.PROGRAM = (str(folder / name) for name in ("in", "out", "solution.py"))
    return module


def be_the_program(folder: Path, fd: int, error_fd: int, source: str, input_bytes: int) -> None:
    """What the agent does when it is asked to run a program; never returns."""
    try:
        atexit._clear()  # what the tests' own process wants done at its end is not the child's to do
        os.dup2(error_fd, 2)
        sys.stderr = sys.__stderr__ = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115 (as long as it lives)
        stdio = load(folder)
        stage = stdio.Stage(fd, source, input_bytes)
        stage.send(repr(stage.answer).encode())
        stage.play()
    finally:
        EXIT(99)


class Play:
    """A run in a forked child, seen from the judge's side."""

    def __init__(self, folder: Path, source: str, given: bytes = b"") -> None:
        self._errors, error_fd = os.pipe()
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            os.close(self._errors)
            be_the_program(folder, theirs.detach(), error_fd, source, len(given))
        theirs.close()
        os.close(error_fd)
        with ours:
            if given:
                ours.sendall(given)
            answer, self.fds, _, _ = socket.recv_fds(ours, 65536, 2)
            self.hung_up = ours.recv(1) == b""
        self.answer = ast.literal_eval(answer.decode())
        self._given = given

    def end(self) -> Ended:
        out = b""
        if self.answer == ("ready",):
            drain, *feed = self.fds
            out = pump(feed[0] if feed else None, drain, self._given, PLENTY, StillClock()).output
        with os.fdopen(self._errors, encoding="utf-8") as errors:
            told = errors.read()
        return Ended(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), out, told)


def run(folder: Path, source: str, given: bytes = b"") -> Ended:
    return Play(folder, textwrap.dedent(source), given).end()


def run_plainly(folder: Path, source: str, given: bytes = b"") -> Ended:
    """The same program under an interpreter of its own, with its input redirected from a file."""
    (folder / "given").write_bytes(given)
    (folder / "plain.py").write_text(textwrap.dedent(source), "utf-8")
    with (folder / "given").open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, folder / "plain.py"],
            stdin=stdin,
            capture_output=True,
            check=False,
            env={"LANG": "C.UTF-8"},
        )
    return Ended(done.returncode, done.stdout, done.stderr.decode())


PROGRAMS = {
    # name: (program, input)
    "nothing": ("", b""),
    "input": ("a, b = map(int, input().split())\nprint(a + b)", b"3 4\n"),
    "input with a prompt": ("n = int(input('n? '))\nprint(n * 2)", b"4\n"),
    "input without a last newline": ("print(input() + '!')", b"abc"),
    "input at the end": ("input()\ninput()", b"1\n"),
    "carriage returns stay": ("print(repr(input()))\nimport sys\nprint(repr(sys.stdin.read()))", b"abc\r\nd\re\r\n"),
    "lines of stdin": ("import sys\nfor line in sys.stdin:\n    print(len(line), end=';')", b"a\nbb\n\nccc"),
    "bytes of stdin": ("import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])", bytes(range(256))),
    "text and bytes mixed": (
        "import sys\nprint(input())\nsys.stdout.flush()\nsys.stdout.buffer.write(sys.stdin.buffer.read())",
        b"1\n2\n3\n",
    ),
    "readline and readlines": (
        "import sys\nn = int(sys.stdin.readline())\nprint(n, sys.stdin.readlines())",
        b"2\na\nb\n",
    ),
    "descriptor 0 opened": ("print(open(0).read().split())", b"1 2\n3\n"),
    "descriptors read and written": ("import os\nos.write(1, os.read(0, 100).upper())", b"abc"),
    "input by its size": (
        "import io, os\ninput = io.BytesIO(os.read(0, os.fstat(0).st_size)).readline\nprint(input(), input())",
        b"5\n7 8\n",
    ),
    "input mapped": ("import mmap\nprint(mmap.mmap(0, 0, prot=mmap.PROT_READ).readline())", b"5\n7 8\n"),
    "input twice": ("import sys\na = sys.stdin.read()\nsys.stdin.seek(0)\nprint(a == sys.stdin.read())", b"5\n7 8\n"),
    "output opened and left open": ("out = open(1, 'w')\nout.write('kept back')", b""),
    "output opened, used in a function": (
        "out = open(1, 'w')\ndef say(t):\n    out.write(t)\nsay('x')\nprint('y')",
        b"",
    ),
    "output replaced": (
        """
        import io, os, sys
        class Writer:
            def __init__(self):
                self.kept = io.StringIO()
                self.write = self.kept.write
            def flush(self):
                os.write(1, self.kept.getvalue().encode())
                self.kept.truncate(0)
        sys.stdout = Writer()
        print("held until the end")
        """,
        b"",
    ),
    "output detached": ("import sys\nout = sys.stdout.detach()\nout.write(b'x')", b""),
    "output closed": ("import sys\nprint('x')\nsys.stdout.close()", b""),
    "descriptor 1 closed": ("import os\nprint('lost')\nos.close(1)", b""),
    "exit status": ("import sys\nprint(1)\nsys.exit(7)", b""),
    "exit status beyond a byte": ("import sys\nsys.exit(256 + 3)", b""),
    "exit with a text": ("import sys\nsys.exit('why')", b""),
    "exit with None and True": ("import sys\nsys.exit(True)", b""),
    "exit by the builtin": ("print(2)\nexit()\nprint(3)", b""),
    "quit with a number": ("quit(4)", b""),
    "os._exit loses what is held back": ("import os\nprint('lost')\nos._exit(3)", b""),
    "an exception": ("print('first')\nraise ValueError('late')", b""),
    "an exception in a function": ("def f(n):\n    return 1 // n\nprint('x')\nf(0)", b""),
    "an exception of its own": ("class Odd(Exception):\n    pass\nraise Odd('text')", b""),
    "a chain of exceptions": ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    [][1]", b""),
    "endless recursion": ("def f():\n    return f()\nf()", b""),
    "a hook for exceptions": ("import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\n1 / 0", b""),
    "a hook that fails": ("import sys\nsys.excepthook = lambda *a: 1 / 0\nraise KeyError", b""),
    "exit functions": ("import atexit\natexit.register(print, 'last')\nprint('first')", b""),
    "exit functions after an exception": ("import atexit\natexit.register(print, 'last')\n1 / 0", b""),
    "an exit function that fails": ("import atexit\natexit.register(lambda: 1 / 0)\nprint('x')", b""),
    "a thread that is waited for": (
        "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()\nprint('main')",
        b"",
    ),
    "a daemon thread that is not": (
        "import threading, time\nthreading.Thread(target=lambda: (time.sleep(60), print('no')), daemon=True).start()",
        b"",
    ),
    "a main guard in a thread": (
        """
        import sys, threading
        sys.setrecursionlimit(10**6)
        threading.stack_size(64 << 20)
        def main():
            print(input())
        if __name__ == "__main__":
            t = threading.Thread(target=main)
            t.start()
            t.join()
        """,
        b"7\n",
    ),
    "objects go at the end": ("class A:\n    def __del__(self):\n        print('gone')\na = A()\nprint('here')", b""),
    "objects in a circle go at the end": (
        "class A:\n    def __del__(self):\n        print('gone', K)\nK = 3\na = A()\na.a = a\ndef f():\n    return a",
        b"",
    ),
    "functions see the names of the module": (
        "K = 3\ndef f(x):\n    return [x * K + i for i in range(2)]\nprint(*f(2))",
        b"",
    ),
    "its own names": ("print(__name__, __doc__, __spec__, __package__, type(__builtins__).__name__)", b""),
    "its arguments": ("import sys\nprint(len(sys.argv), sys.argv[0] == __file__)", b""),
    "itself as a module": ("import __main__\nX = 5\nprint(__main__.X, __main__.__dict__ is globals())", b""),
    "its own source": (
        "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f), len(open(__file__).read()))",
        b"",
    ),
    "pickles of its classes": (
        "import pickle\nclass P:\n    x = 1\nprint(pickle.loads(pickle.dumps(P())).x, P.__module__, P.__qualname__)",
        b"",
    ),
    "annotations": ("x: int = 3\nprint(__annotations__)", b""),
    "standard streams": (
        """
        import sys
        for s in (sys.stdin, sys.stdout):
            print(s.name, s.mode, s.encoding, s.errors != "", s.newlines, s.isatty(), s.line_buffering, s.fileno())
        """,
        b"",
    ),
    "text beyond ASCII": ("print(input() + 'na\u00efve \u2603 \U0001f600')", "\u00e4\n".encode()),
    "a lone surrogate": ("print('\\ud83d')", b""),
    "a child of its own": ("import os\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nprint('both', pid > 0)", b""),
    "stderr is no answer": ("import sys\nprint('x', file=sys.stderr)\nprint('y')", b""),
    "stdin left alone": ("print('no input wanted')", b"x" * 100_000),
    "much both ways": (
        "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line[::-1])",
        b"0123456789\n" * 200_000,
    ),
    "builtins patched": (
        "import builtins\nbuiltins.len = None\nbuiltins.isinstance = None\nprint('x')\nraise SystemExit(5)",
        b"",
    ),
    "files of its own": ("open('note.tmp', 'w').write('z')\nprint(open('note.tmp').read())", b""),
    "fileinput": (
        "import fileinput\nprint(sum(int(x) for line in fileinput.input() for x in line.split()))",
        b"3 4\n5\n",
    ),
    "warnings": ("import warnings\nwarnings.simplefilter('error')\nprint(1)", b""),
    "a syntax error": ("print('never'\n", b""),
    "a future import": (
        "from __future__ import annotations\ndef f(x: nowhere) -> None: ...\nprint(f.__annotations__)",
        b"",
    ),
}


QUIET = ("a syntax error", "an exit function that fails", "descriptor 1 closed", "a lone surrogate")
"""What is told elsewhere than on stderr, or in other words."""


def last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2].strip()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_ends_as_under_an_interpreter_of_its_own(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, given = PROGRAMS[name]
    wanted, got = run_plainly(tmp_path, source, given), run(tmp_path, source, given)
    assert (got.status, got.out) == (wanted.status, wanted.out)
    if name not in QUIET:
        assert last_line(got.err) == last_line(wanted.err)


def test_nothing_but_the_three_streams_is_open_when_the_program_runs(tmp_path):
    source = """
        import os, stat
        for fd in range(64):
            try:
                print(fd, stat.filemode(os.fstat(fd).st_mode)[0])
            except OSError:
                pass
        """
    of_the_tests_own_process = {f"{fd} s" for fd in range(64) if is_socket(fd)}
    out = run(tmp_path, source).out.decode().split("\n")
    assert {line for line in out if line[:1] in "012" and line[1:2] == " "} == {"0 -", "1 p", "2 p"}
    assert {line for line in out if line.endswith(" s")} <= of_the_tests_own_process, "no socket"


def is_socket(fd):
    try:
        return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError:
        return False


def test_the_judge_is_told_before_the_program_runs_and_then_hung_up_on(tmp_path):
    play = Play(tmp_path, "import time\ntime.sleep(0.3)\nprint('x')\n")
    assert (play.answer, len(play.fds), play.hung_up) == (("ready",), 1, True)
    assert play.end() == (0, b"x\n", "")


def test_a_program_that_is_no_python_is_told_and_never_runs(tmp_path):
    play = Play(tmp_path, "print(\n")
    word, text, line = play.answer
    assert (word, line) == ("syntax", 1)
    assert text.startswith("SyntaxError: '(' was never closed")
    assert play.end().status == 1


@pytest.mark.parametrize("source", ["\0", "x = '\ud83d'", "(" * 5000, "x = " + "-" * 200_000 + "1"])
def test_text_that_the_compiler_refuses_is_no_python_whatever_it_raises(source, tmp_path):
    play = Play(tmp_path, source)
    play.end()
    assert play.answer[0] == "syntax"


def test_the_streams_have_names(tmp_path):
    source = f"data = open({str(tmp_path / 'in')!r}).read()\nopen({str(tmp_path / 'out')!r}, 'w').write(data[::-1])\n"
    assert run(tmp_path, source, b"abc").out == b"cba"


def test_where_no_file_can_be_made_both_streams_are_pipes(tmp_path):
    nowhere = tmp_path / "nowhere"
    given = b"0123456789\n" * 100_000
    source = """
        import os, stat, sys
        print(stat.filemode(os.fstat(0).st_mode)[0], __file__)
        sys.stdout.write(sys.stdin.read())
        """
    assert run(nowhere, source, given) == (0, b"p <solution>\n" + given, "")
    play = Play(nowhere, "")
    play.end()
    assert len(play.fds) == 2


def test_without_a_file_a_traceback_still_shows_the_line(tmp_path):
    ended = run(tmp_path / "nowhere", "def f():\n    return 1 / 0  # here\nf()\n")
    assert 'File "<solution>", line 2, in f' in ended.err
    assert ended.status == 1


def test_an_input_that_does_not_fit_on_the_disk_comes_through_a_pipe(tmp_path):
    given = b"0123456789" * 100_000
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, limit[1]))
    try:
        ended = run(tmp_path, "import sys\nprint(len(sys.stdin.read()))\n", given)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert ended.out == b"1000000\n"


def test_at_most_ten_frames_lie_below_the_program(tmp_path):
    source = """
        import sys
        n, frame = 0, sys._getframe()
        while frame.f_code.co_name != "be_the_program":
            n, frame = n + 1, frame.f_back
        print(n)
        """
    assert int(run(tmp_path, source).out) <= 5  # five more are the zygote's and the agent's


def test_a_hard_end_in_an_exit_function_is_an_end(tmp_path):
    ended = run(tmp_path, "import atexit, os\natexit.register(os._exit, 9)\nprint('x', flush=True)\n")
    assert (ended.status, ended.out) == (9, b"x\n")
