"""A run folder that somebody has changed by hand, or that comes from elsewhere: each change is noticed, or can do no harm.

What can't be noticed is a whole row that is in order and false: who may write the folder may write that. `docs/internals/verdicts.md`
says so, and this file shows what `assay judge` does about it: a row counts only for the very job that it names.
"""

from __future__ import annotations

import json
import os
import shutil
import stat

import pytest

from assay.errors import StoreError
from assay.metrics import Tally, score
from assay.records import Failure, Isolation, Manifest, Outcome, Trust, Verdict, digest
from assay.store import open_run, read_run
from assay.store.rows import contradiction, encode_row

IDS = ("p/0", "p/1", "p/2")


def row(problem="p/0", index=0, *, passed=True, job="job") -> Verdict:
    return Verdict(
        problem_id=problem,
        sample_index=index,
        outcome=Outcome.PASSED if passed else Outcome.WRONG_ANSWER,
        passed_cases=2 if passed else 1,
        total_cases=2,
        groups={"base": (1, 1), "plus": (int(passed), 1)},
        cases="11" if passed else "10",
        trust=Trust.ANCHORED,
        time_s=0.01,
        peak_mib=1.0,
        message="" if passed else "f(1): expected 2, got 3",
        job_digest=digest(job, problem, str(index)),
        first_failure=None if passed else Failure(case=0, group="plus", outcome=Outcome.WRONG_ANSWER),
    )


def manifest(**fields) -> Manifest:
    given = {
        "created": "c",
        "benchmark": "b",
        "benchmark_version": None,
        "benchmark_digest": "d",
        "split": None,
        "limit": None,
        "problems": 3,
        "invalid": (),
        "samples": "s.jsonl",
        "samples_digest": "s",
        "settings": {},
        "isolation": Isolation(level="L4", layers=()),
        "interpreter": "CPython 3.11.7",
        "versions": {},
        "seed": 0,
        "expected": dict.fromkeys(IDS, 1),
    }
    return Manifest(**(given | fields))


@pytest.fixture
def run(tmp_path):
    """A finished run of three samples, of which the last is wrong."""
    with open_run(tmp_path / "run", manifest()) as opened:
        for problem in IDS:
            opened.append(row(problem, passed=problem != "p/2"))
        opened.finish()
    return tmp_path / "run"


def lines(run) -> list[dict]:
    return [json.loads(line) for line in (run / "verdicts.jsonl").read_text("utf-8").splitlines()]


def put(run, rows) -> None:
    (run / "verdicts.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")


def refusal(action) -> str | None:
    """What the error says that an action ends with, None where it ends well."""
    try:
        action()
    except StoreError as error:
        return str(error)
    return None


def passes(run) -> tuple[int, tuple[str, ...]]:
    """How many samples pass, and what is said about the file."""
    stored = read_run(run)
    return sum(verdict.passed for verdict in stored.verdicts()), stored.notes


# -- rows


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "passed"},
        {"passed_cases": 2},
        {"passed_cases": -1},
        {"total_cases": 1},
        {"cases": "11"},
        {"cases": "1"},
        {"cases": "1x"},
        {"groups": {"base": [1, 1], "plus": [1, 1]}},
        {"groups": {"base": [1, 1]}},
        {"groups": {"base": [2, 1], "plus": [-1, 1]}},
        {"outcome": "passed", "first_failure": None},
        {"outcome": "passed", "passed_cases": 2, "cases": "11", "groups": {"base": [1, 1], "plus": [1, 1]}},
        {"outcome": "passed", "passed_cases": 0, "total_cases": 0, "cases": "", "groups": {}, "first_failure": None},
    ],
)
def test_a_figure_that_was_changed_alone_is_an_error_that_names_the_line(run, change):
    rows = lines(run)
    put(run, [*rows[:2], rows[2] | change])
    with pytest.raises(StoreError, match=r"verdicts\.jsonl:3: the row contradicts itself") as caught:
        read_run(run)
    assert "remove that line" in caught.value.hint
    with pytest.raises(StoreError, match="contradicts itself"):
        open_run(run, manifest())


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "great"},
        {"trust": "absolute"},
        {"time_s": "soon"},
        {"passed_cases": 10**400},
        {"sample_index": 10**9},
        {"sample_index": -1},
        {"job_digest": "xyz"},
        {"job_digest": 5},
        {"schema": 2},
        {"groups": {"base": [1, 1, 1]}},
        {"problem_id": None},
    ],
)
def test_a_value_that_no_row_can_have_is_an_error(run, change):
    rows = lines(run)
    put(run, [*rows[:2], rows[2] | change])
    with pytest.raises(StoreError, match="hint"):
        list(read_run(run).verdicts())


def test_nothing_that_the_judge_writes_contradicts_itself():
    for verdict in (row(), row(passed=False)):
        assert contradiction(verdict) is None


def test_a_cut_row_is_left_out_and_its_sample_judged_again(run):
    data = (run / "verdicts.jsonl").read_bytes()
    (run / "verdicts.jsonl").write_bytes(data[:-20])
    assert passes(run)[0] == 2
    assert "the last row was cut" in passes(run)[1][0]
    with open_run(run, manifest()) as opened:
        assert opened.done("p/2", 0) is None


def test_a_row_that_was_taken_out_is_missed(run):
    put(run, lines(run)[:2])
    tally = Tally.of_run(read_run(run).manifest)
    for verdict in read_run(run).verdicts():
        tally.add(verdict)
    assert [estimate.value for estimate in score(tally)] == [None] * len(score(tally))


def test_a_doubled_row_counts_once_and_one_that_disagrees_is_told(run):
    rows = lines(run)
    put(run, [*rows, rows[2]])
    assert passes(run) == (2, ())
    better = json.loads(encode_row(row("p/2")))
    put(run, [*rows, better])
    count, notes = passes(run)
    assert count == 3
    assert "rows of one sample disagree, the last one counts: p/2 sample 0 (wrong_answer, then passed)" in notes[0]


def test_rows_of_samples_that_the_run_does_not_have_are_left_out_and_told(run):
    put(run, [*lines(run), json.loads(encode_row(row("p/9"))), json.loads(encode_row(row("p/0", 7)))])
    count, notes = passes(run)
    assert count == 2
    assert "left out, since the run has no such sample: p/9 sample 0, p/0 sample 7" in notes[0]


def test_a_row_of_another_job_is_not_reused(run):
    rows = lines(run)
    forged = json.loads(encode_row(row("p/2", job="another run")))
    put(run, [*rows[:2], forged])
    with open_run(run, manifest()) as opened:
        wanted = row("p/2").job_digest
        assert opened.done("p/2", 0) != wanted, "the engine judges it again"
        opened.append(row("p/2", passed=False))
    assert passes(run)[0] == 2


def test_a_false_row_that_is_in_order_is_believed(run):
    put(run, [*lines(run)[:2], json.loads(encode_row(row("p/2")))])
    assert passes(run) == (3, ()), "this is what can't be noticed: the folder is as trustworthy as who may write it"


@pytest.mark.parametrize(
    "data",
    [b"\0" * 4096, b"\xff\xfe" * 100, b"[" * 200_000 + b"\n", b'{"a":' * 100_000 + b"\n", b"null\n", b"5\n"],
)
def test_anything_else_in_the_place_of_rows_is_an_error_or_nothing(run, data):
    (run / "verdicts.jsonl").write_bytes(data)
    told = refusal(lambda: passes(run))
    assert "verdicts.jsonl:1" in (told or f"verdicts.jsonl:1 {passes(run)}")
    assert told is not None or passes(run)[0] == 0


# -- the manifest


def changed(run, **fields) -> None:
    content = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps(content | fields), "utf-8")


@pytest.mark.parametrize(
    "fields",
    [
        {"problems": "three"},
        {"expected": {"p/0": "many"}},
        {"expected": [1]},
        {"invalid": [{"id": 5}]},
        {"isolation": "L5"},
        {"limits": {"p/0": 5}},
        {"samples_changed": "no"},
        {"schema": 99},
        {"schema": None},
        {"seed": 1.5},
        {"judge_version": 1},
    ],
)
def test_a_manifest_of_other_types_is_one_clear_error(run, fields):
    changed(run, **fields)
    with pytest.raises(StoreError, match=r"run\.json") as caught:
        read_run(run)
    assert caught.value.hint


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", '{"schema": 1}', DEEP, '{"a":' * 100_000),
        *('{"schema": 1' + "0" * 5000 + "}", '{"schema": 1, "settings": ' + DEEP),
    ],
)
def test_a_damaged_or_deeply_nested_manifest_is_one_clear_error(run, text):
    (run / "run.json").write_text(text, "utf-8")
    for read in (read_run, lambda folder: open_run(folder, manifest())):
        with pytest.raises(StoreError, match=r"run\.json"):
            read(run)


def test_conditions_that_were_edited_are_refused_when_the_run_goes_on(run):
    for name, value in {"judge_version": "99", "benchmark_digest": "e", "seed": 1, "interpreter": "CPython 2"}.items():
        kept = (run / "run.json").read_bytes()
        changed(run, **{name: value})
        with pytest.raises(StoreError, match=name):
            open_run(run, manifest())
        (run / "run.json").write_bytes(kept)


@pytest.mark.parametrize("count", [-5, 0, 10**6, 2**62])
def test_absurd_numbers_of_samples_cost_nothing_and_give_no_number(run, count):
    changed(run, expected={"p/0": count, "p/1": 1, "p/2": 1}, problems=count)
    stored = read_run(run)
    tally = Tally.of_run(stored.manifest)
    for verdict in stored.verdicts():
        tally.add(verdict)
    assert all(estimate.value is None for estimate in score(tally))


def test_problems_that_were_declared_invalid_by_hand_are_counted_as_such(run):
    changed(run, invalid=[{"id": "p/2", "reason": "I say so"}])
    tally = Tally.of_run(read_run(run).manifest)
    for verdict in read_run(run).verdicts():
        tally.add(verdict)
    assert "p/2" not in tally.problems
    assert tally.orphans == 1, "and its row is left out: the numbers say that they are over two of three problems"


# -- files that are something else


@pytest.mark.parametrize("name", ["verdicts.jsonl", "run.json"])
@pytest.mark.parametrize("kind", ["link", "dangling", "device", "fifo", "folder"])
def test_a_file_of_the_run_that_is_no_plain_file_is_refused_at_once(run, tmp_path, name, kind):
    place = run / name
    place.unlink()
    precious = tmp_path / "precious"
    precious.write_text("kept", "utf-8")
    match kind:
        case "link":
            place.symlink_to(precious)
        case "dangling":
            place.symlink_to(tmp_path / "made by the link")
        case "device":
            place.symlink_to("/dev/zero")
        case "fifo":
            os.mkfifo(place)
        case _:
            place.mkdir()
    for read in (read_run, lambda folder: open_run(folder, manifest())):
        with pytest.raises(StoreError, match=name):
            read(run)
    if (told := refusal(lambda: open_run(run, manifest(), fresh=True).close())) is not None:
        assert str(run) in told
    else:
        assert stat.S_ISREG((run / name).lstat().st_mode), "it was taken away, not followed"
    assert precious.read_text("utf-8") == "kept"
    assert not (tmp_path / "made by the link").exists()


@pytest.mark.parametrize("name", ["estimates.json", "verdicts.previous.jsonl"])
def test_a_link_under_a_name_that_is_written_anew_is_never_followed(run, tmp_path, name):
    precious = tmp_path / "precious"
    precious.write_text("kept", "utf-8")
    (run / name).symlink_to(precious)

    def begin_again():
        with open_run(run, manifest(), fresh=True) as opened:
            opened.append(row())
            opened.write_estimates((), {}, {})

    assert "symbolic link" in (refusal(begin_again) or "no symbolic link was followed")
    assert precious.read_text("utf-8") == "kept"


def test_a_folder_that_is_reached_by_a_link_is_the_folder_that_it_leads_to(run, tmp_path):
    (tmp_path / "link").symlink_to(run)
    assert passes(tmp_path / "link")[0] == 2
    with open_run(tmp_path / "link", manifest()) as opened:
        opened.append(row("p/2"))
    assert passes(run)[0] == 3
    assert stat.S_ISLNK(os.lstat(tmp_path / "link").st_mode)


def test_other_files_in_the_folder_are_nobodys_business(run):
    for name in ("index", "cache.bin", ".run.json.1", "verdicts.jsonl.idx", "calibration"):
        (run / name).write_bytes(os.urandom(100))
    (run / "__pycache__").mkdir()
    assert passes(run)[0] == 2
    with open_run(run, manifest()) as opened:
        assert opened.done("p/0", 0) == row().job_digest


def test_a_folder_that_was_copied_from_elsewhere_reads_as_it_is(run, tmp_path):
    shutil.copytree(run, tmp_path / "copy")
    assert passes(tmp_path / "copy") == passes(run)


def test_estimates_are_never_read_back(run):
    (run / "estimates.json").write_text('{"estimates": [{"name": "pass@1", "value": 1.0}]}', "utf-8")
    assert passes(run)[0] == 2
