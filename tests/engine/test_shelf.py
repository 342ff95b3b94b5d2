"""What references told is kept for later runs: with the same verdicts, without running them, and only where that is safe."""

from __future__ import annotations

import pytest
from court import Found, judge, problem

from assay.engine import Settings, shelf
from assay.engine.shelf import Shelf
from assay.judge.wire import codec
from assay.records import CallTests, Isolation, Outcome
from assay.store import Cache

SETTINGS = Settings(workers=1, cache=True)
L4, L1 = Isolation(level="L4", layers=()), Isolation(level="L1", layers=())
DOUBLE = "def f(x):\n    return [2 * x]\n"
TESTS = (CallTests(inputs=tuple(f"[{n}]" for n in range(12))),)
PROBLEM = problem(DOUBLE, tests=TESTS, id="double")
CASES = [(PROBLEM, [DOUBLE, "def f(x):\n    return [x + 2]\n", "def f(x):\n    return [x][x]\n"])]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def calibrated(monkeypatch):
    """The problems whose reference was run, in the order in which that was done."""
    from assay.engine.lane import Lane  # noqa: PLC0415 (the module is patched)

    ran, run = [], Lane._run_reference

    async def counted(self, task):
        ran.append(task.problem.id)
        await run(self, task)

    monkeypatch.setattr(Lane, "_run_reference", counted)
    return ran


def told(found):
    return {key: (v.outcome, v.cases, v.message, v.first_failure, v.trust) for key, v in found.verdicts.items()}


def kept_files(folder):
    return sorted(folder.glob("??/*"))


def test_a_later_run_gives_the_same_verdicts_without_the_reference(folder, calibrated):
    first, again = judge(CASES, SETTINGS), judge(CASES, SETTINGS)
    assert calibrated == ["double"]
    assert len(kept_files(folder)) == 1
    assert told(first) == told(again) == told(judge(CASES, Settings(workers=1)))
    assert [v.outcome for v in again.verdicts.values()] == [Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR]


@pytest.mark.usefixtures("folder")
def test_nothing_is_kept_or_read_unless_it_is_asked_for(calibrated):
    judge(CASES, SETTINGS)
    judge(CASES, Settings(workers=1))
    assert calibrated == ["double", "double"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("changed", [{"hash_seed": 1}, {"memory_mib": 512}, {"trials": 2}])
def test_under_other_settings_the_reference_runs_again(calibrated, changed):
    judge(CASES, SETTINGS)
    del calibrated[:]
    judge(CASES, Settings(workers=1, cache=True, **changed))
    assert set(calibrated) == {"double"}


@pytest.mark.usefixtures("folder")
def test_another_reference_of_the_same_id_runs(calibrated):
    judge(CASES, SETTINGS)
    other = problem("def f(x):\n    return [x + 2]\n", tests=TESTS, id="double")
    found = judge([(other, CASES[0][1])], SETTINGS)
    assert calibrated == ["double", "double"]
    assert [v.outcome for v in found.verdicts.values()][:2] == [Outcome.WRONG_ANSWER, Outcome.PASSED]


@pytest.mark.usefixtures("folder")
def test_other_code_of_ours_does_not_read_it(calibrated, monkeypatch):
    judge(CASES, SETTINGS)
    monkeypatch.setattr(shelf, "_machine", lambda: "another release")
    judge(CASES, SETTINGS)
    assert calibrated == ["double", "double"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        codec.encode("odd"),
        codec.encode((b"odd", (12,), None, None)),
        codec.encode((codec.encode({"arguments": ()}), (12,), None, "odd")),
    ],
)
def test_what_can_not_be_read_is_found_out_anew(folder, calibrated, content):
    first = judge(CASES, SETTINGS)
    (path,) = kept_files(folder)
    Cache(folder).put(path.parent.name + path.stem, content)
    assert told(judge(CASES, SETTINGS)) == told(first)
    assert calibrated == ["double", "double"]
    judge(CASES, SETTINGS)
    assert calibrated == ["double", "double"]  # and the third run reads what the second has kept


@pytest.mark.parametrize(
    ("reference", "setup"),
    [
        ("import datetime\ndef f(x):\n    return str(datetime.date.today())\n", ""),
        ("def f(x):\n    return open('/proc/uptime').read()\n", ""),
        ("def f(x):\n    return str(date.today())\n", "from datetime import date\n"),
    ],
)
def test_a_reference_that_may_say_something_else_tomorrow_is_not_kept(folder, reference, setup):
    judge([(problem(reference, tests=TESTS, setup=setup), [DOUBLE])], SETTINGS)
    assert kept_files(folder) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("settings", "isolation"),
    [
        (Settings(cache=True), L1),
        (Settings(cache=True, python="/usr/bin/python3"), L4),
        (Settings(), L4),
    ],
)
def test_there_is_no_shelf_where_candidates_or_packages_could_change_it(settings, isolation):
    assert Shelf.open(settings, isolation, lambda _: None) is None


def test_there_is_none_where_the_user_wants_none(monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", "off")
    assert Shelf.open(SETTINGS, L4, lambda _: None) is None


def test_a_folder_that_can_not_be_used_is_told_and_costs_nothing_else(folder):
    folder.mkdir()
    folder.chmod(0o777)
    notes = []
    assert Shelf.open(SETTINGS, L4, notes.append) is None
    assert "may be written in by others" in notes[0]
    assert len(judge(CASES, SETTINGS).verdicts) == 3


@pytest.mark.usefixtures("folder")
def test_a_disk_that_takes_nothing_more_is_told_once(monkeypatch):
    class Noted(Found):
        notes: list[str] = []  # noqa: RUF012 (one run, one list)

        def note(self, text):
            self.notes.append(text)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("court.Found", Noted)
    monkeypatch.setattr("assay.store.cache._write", full)
    other = problem(DOUBLE, tests=TESTS[:1], id="other", prompt="!")
    found = judge([*CASES, (other, [DOUBLE])], SETTINGS)
    assert len(found.verdicts) == 4
    assert [note for note in Noted.notes if "No space left" in note] == Noted.notes[:1]
