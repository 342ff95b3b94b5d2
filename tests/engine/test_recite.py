"""Samples that keep to the script are judged without a judge, and every verdict is what it would be with one."""

from __future__ import annotations

import msgspec
import pytest
from court import judge, problem

from assay.engine import Settings, links
from assay.engine.answers import read_script
from assay.engine.work import Task
from assay.judge import Script

REFERENCE = "def f(x):\n    return x * x\n"
TESTS = ("assert f(3) == 9", "assert f(20) == 400", "assert f(11) == 121")
TABLE = "T = {3: 9, 20: 400, 11: 121}\ndef f(x):\n"
PASSING = {
    "the reference": REFERENCE,
    "another way": "def f(x):\n    return x ** 2\n",
    "prints": "print('hello')\ndef f(x):\n    print(x)\n    return x * x\n",
    "leaves a thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n" + REFERENCE,
    "leaves a process": "import os, time\nif not os.fork(): time.sleep(60)\n" + REFERENCE,
    "hooks the exit": "import atexit, time\natexit.register(time.sleep, 60)\n" + REFERENCE,
}
OTHERS = {
    "equal, but other bytes": "def f(x):\n    return float(x * x)\n",
    "wrong at once": "def f(x):\n    return x\n",
    "wrong at last": f"{TABLE}    return T[x] + (x == 11)\n",
    "raises at last": f"{TABLE}    return T[x] if x != 11 else 1 // 0\n",
    "ends itself at last": f"import os\n{TABLE}    return T[x] if x != 11 else os._exit(0)\n",
    "exits at last": f"import sys\n{TABLE}    return T[x] if x != 11 else sys.exit(0)\n",
    "loops at last": f"{TABLE}    while x == 11: pass\n    return T[x]\n",
    "sleeps at once": f"import time\ntime.sleep(60)\n{REFERENCE}",
    "no syntax": "def f(x:\n",
    "raises while it loads": f"{REFERENCE}raise ValueError('no')\n",
    "another name": "def g(x):\n    return x * x\n",
    "a class": "class f(int):\n    def __new__(cls, x):\n        return x * x\n",
    "prints too much": f"{TABLE}    print('x' * 10**7)\n    return x * x\n",
    "special-cased": f"{TABLE}    return T.get(x)\n",
    "special-cased, raises": f"{TABLE}    return T[x]\n",
    "writes to the socket first": f"import os\nos.write(3, b'x')\n{REFERENCE}",
    "writes to the socket last": f"import os\n{TABLE}    x == 11 and os.write(3, b'x')\n    return x * x\n",
    "closes the socket": f"import os\n{TABLE}    x == 11 and os.close(3)\n    return x * x\n",
}
STUBBORN = {
    "loops over hidden inputs": f"{TABLE}    while x not in T: pass\n    return T[x]\n",
    "ends itself over hidden inputs": f"import os\n{TABLE}    return T[x] if x in T else os._exit(0)\n",
    "prints too much over hidden inputs": f"{TABLE}    if x not in T: print('x' * 10**7)\n    return x * x\n",
}
MEASURED = {"time_s": 0.0, "cpu_s": 0.0, "wall_s": 0.0, "peak_mib": 0.0}


@pytest.fixture
def asked(monkeypatch):
    """Kinds of messages that judges were sent."""
    kinds = []
    ask = links.JudgeLink.ask

    async def noted(self, message, *more):
        kinds.append((message[0], len(message)))
        return await ask(self, message, *more)

    monkeypatch.setattr(links.JudgeLink, "ask", noted)
    return kinds


def verdicts(programs, tests=TESTS, reference=REFERENCE, **settings):
    """A verdict for each program, without what was measured."""
    found = judge(
        [(problem(reference, *tests, id="p"), list(programs.values()))],
        Settings(**({"workers": 1, "cache": False, "time_s": 0.3} | settings)),
    )
    assert not found.invalids
    return {
        name: msgspec.structs.replace(found.verdicts["p", number], **MEASURED) for number, name in enumerate(programs)
    }


def test_who_keeps_to_the_script_needs_no_judge(asked):
    found = verdicts(PASSING)
    assert {name for name, verdict in found.items() if verdict.passed} == set(PASSING)
    assert [kind for kind, _ in asked] == ["problem", "calibrate"]
    assert all(verdict.hidden is not None and verdict.hidden[0] == verdict.hidden[1] for verdict in found.values())


@pytest.mark.parametrize(
    ("hidden", "programs"),
    [
        ("flag", PASSING | OTHERS),
        *(
            pytest.param(hidden, PASSING | OTHERS | STUBBORN, marks=pytest.mark.slow)
            for hidden in ("flag", "off", "require")
        ),
    ],
)
def test_verdicts_are_those_of_a_judge(monkeypatch, asked, hidden, programs):
    recited = verdicts(programs, hidden=hidden)
    handed_over = [length for kind, length in asked if kind == "judge" and length > 4]
    assert len(handed_over) >= len(OTHERS) // 2
    asked.clear()
    monkeypatch.setattr(Task, "known", lambda _: None)
    judged = verdicts(programs, hidden=hidden)
    assert [length for kind, length in asked if kind == "judge" and length > 4] == []
    assert {name: recited[name] for name in programs if recited[name] != judged[name]} == {}
    assert {name for name in PASSING if not judged[name].passed} == set()


def test_a_script_is_learned_from_a_program_where_none_was_kept(monkeypatch, asked):
    monkeypatch.setattr("assay.engine.lane.take_calibration", without_script)
    found = verdicts({str(n): f"{REFERENCE}# {n}\n" for n in range(5)})
    assert all(verdict.passed for verdict in found.values())
    assert [kind for kind, _ in asked].count("judge") == 1


def without_script(task, calibration, totals, screen, *_):
    from assay.engine.answers import take_calibration  # noqa: PLC0415 (the one that is stood in for)

    take_calibration(task, calibration, totals, screen)


def test_a_script_does_for_the_screen_that_it_was_told_with():
    task = Task(problem(REFERENCE, *TESTS), Settings(), "")
    script = Script("", ("f",), b"plan", b"replies", b"", b"")
    task.know(script, None)
    assert task.known().script is script
    task.screen = (object(),)
    assert task.known() is None
    task.know(script, None)
    assert task.known() is None, "it asks nothing, and there is a screen"


def test_long_scripts_go_by_the_judge(monkeypatch):
    said = []
    monkeypatch.setattr(links.ServerLink, "recite", lambda *_, **__: said.append(1))
    reference = "def f(x):\n    return 'y' * x\n"
    found = verdicts({"it": reference}, ("assert f(60_000) == 'y' * 60_000", "assert f(2) == 'yy'"), reference)
    assert found["it"].passed
    assert not said


@pytest.mark.parametrize(
    "told",
    [
        None,
        (),
        ("", ("f",), b"", b"x", b"", b"", b""),
        ("", ("f",), b"", b"", b"", b""),
        ("", (1,), b"", b"x", b"", b""),
        ("", ["f"], b"", b"x", b"", b""),
        (b"", ("f",), b"", b"x", b"", b""),
        ("", ("f",), b"", b"x", "", b""),
    ],
)
def test_what_is_no_script_is_refused(told):
    with pytest.raises(ValueError, match="script"):
        read_script(told)


def test_a_script_is_read():
    told = ("s", ("f",), b"p", b"r", b"q", b"a")
    assert read_script(told) == Script(*told)
