import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest

from assay.errors import StoreError
from assay.records import Estimate, InvalidProblem, Isolation, Manifest, Outcome, Trust, Verdict, digest
from assay.store import open_run, read_run, write_estimates
from assay.store.rows import encode_row

PASSED, WRONG, BROKEN = Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.SYSTEM_ERROR
EXPECTED = {f"r/{i}": 2 for i in range(6)}


def verdict(problem="r/0", index=0, outcome=PASSED, job="c1", message=""):
    return Verdict(
        problem_id=problem,
        sample_index=index,
        outcome=outcome,
        passed_cases=int(outcome is PASSED),
        total_cases=1,
        groups={"base": (int(outcome is PASSED), 1)},
        cases="1" if outcome is PASSED else "0",
        trust=Trust.ANCHORED,
        time_s=0.01,
        peak_mib=1.0,
        message=message,
        job_digest=digest(job, problem, str(index)),
    )


def manifest(**fields):
    given = {
        "created": "first",
        "benchmark": "r",
        "benchmark_version": None,
        "benchmark_digest": "d1",
        "split": None,
        "limit": None,
        "problems": 6,
        "invalid": (),
        "samples": "samples.jsonl",
        "samples_digest": "s1",
        "settings": {"time_s": 5.0},
        "isolation": Isolation(level="L4", layers=()),
        "interpreter": "CPython 3.11.7",
        "versions": {"assay": "0.1.0"},
        "seed": 0,
        "expected": EXPECTED,
    }
    return Manifest(**(given | fields))


def judge_all(run, job="c1", samples=None):
    """What the engine does: reuses a verdict of the same job, else judges. s0 passes always, s1 for r/0 only."""
    ran = []
    for problem, count in (samples or EXPECTED).items():
        for index in range(count):
            row = verdict(problem, index, PASSED if index == 0 or problem == "r/0" else WRONG, job)
            if run.done(problem, index) != row.job_digest:
                run.append(row)
                ran.append((problem, index))
    return ran


def solved(run):
    rows = list(run.verdicts())
    assert len({(row.problem_id, row.sample_index) for row in rows}) == len(rows)
    return sum(row.passed for row in rows), len(rows)


def test_a_verdict_is_in_the_file_when_append_returns(tmp_path):
    run = open_run(tmp_path / "deep" / "run", manifest())
    for index in range(2):
        run.append(verdict(index=index))
        lines = (tmp_path / "deep" / "run" / "verdicts.jsonl").read_bytes().splitlines(keepends=True)
        assert lines == [encode_row(verdict(index=i)) for i in range(index + 1)]
    run.close()


def test_a_run_that_is_taken_up_again_judges_only_what_is_left(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict())
        run.append(verdict("r/1", 1, WRONG))
    with open_run(tmp_path, manifest(created="second", versions={"assay": "0.2.0"})) as run:
        assert run.notes == ()
        assert run.manifest.created == "first"
        assert len(judge_all(run)) == 10
        assert solved(run) == (7, 12)
    assert solved(read_run(tmp_path)) == (7, 12)


def test_other_conditions_are_refused_and_nothing_is_touched(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict())
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(StoreError) as caught:
        open_run(tmp_path, manifest(benchmark_digest="d2", settings={"time_s": 9.0}))
    assert "benchmark_digest: 'd1' there, 'd2' now" in str(caught.value)
    assert "settings.time_s: 5.0 there, 9.0 now" in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    open_run(tmp_path, manifest()).close()  # the refusal has let go of the lock


def test_fresh_begins_again_and_keeps_the_old_verdicts_beside(tmp_path):
    with open_run(tmp_path, manifest(), fresh=True) as run:  # there is nothing yet: a new run
        run.append(verdict())
        run.write_estimates((), {}, {})
    with open_run(tmp_path, manifest(created="second", seed=7), fresh=True) as run:
        assert run.done("r/0", 0) is None
        assert (run.manifest.created, run.manifest.seed) == ("second", 7)
        assert len(judge_all(run)) == 12
        with pytest.raises(StoreError, match="another process"):
            open_run(tmp_path, manifest(seed=7))
    assert (tmp_path / "verdicts.previous.jsonl").read_bytes() == encode_row(verdict())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json", "verdicts.jsonl", "verdicts.previous.jsonl"]


def test_two_processes_can_not_write_one_run(tmp_path):
    with open_run(tmp_path, manifest()):
        with pytest.raises(StoreError, match="another process of assay is writing this run"):
            open_run(tmp_path, manifest())
        assert read_run(tmp_path).manifest == manifest()
    open_run(tmp_path, manifest()).close()


def test_system_errors_are_judged_again_and_other_verdicts_are_not(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict(outcome=BROKEN))
        run.append(verdict(index=1))
    with open_run(tmp_path, manifest()) as run:
        assert run.done("r/0", 0) is None
        assert run.done("r/0", 1) == verdict(index=1).job_digest
        run.append(verdict())
        assert [row.outcome for row in run.verdicts()] == [PASSED, PASSED]


def test_a_sample_with_a_new_text_is_judged_again_and_counts_once(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        judge_all(run)
    with open_run(tmp_path, manifest(samples_digest="s2")) as run:
        changed = verdict("r/1", 1, PASSED, job="n + n")
        assert run.done("r/1", 1) != changed.job_digest
        run.append(changed)
        assert run.done("r/1", 1) == changed.job_digest
        assert solved(run) == (8, 12)
        assert run.notes == ()


def test_a_changed_sample_file_casts_doubt_on_the_run_until_it_has_finished(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        judge_all(run)
    open_run(tmp_path, manifest()).close()
    assert not read_run(tmp_path).manifest.samples_changed
    open_run(tmp_path, manifest(samples_digest="s2")).close()  # killed before it judged anything
    assert read_run(tmp_path).manifest.samples_changed
    with open_run(tmp_path, manifest(samples_digest="s2")) as run:
        assert run.manifest.samples_changed
        run.finish()
        assert not run.manifest.samples_changed
    assert not read_run(tmp_path).manifest.samples_changed


def test_a_sample_file_with_fewer_rows_leaves_the_surplus_verdicts_out(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        judge_all(run)
    fewer = EXPECTED | {"r/5": 1}
    with open_run(tmp_path, manifest(samples_digest="s2", expected=fewer)) as run:
        assert "r/5 sample 1" in run.notes[0]
        assert solved(run) == (7, 11)


def sample_file(path, digest="s1"):
    return {"samples": path, "samples_path": f"/there/{path}", "samples_digest": digest}


def test_other_samples_from_elsewhere_do_not_take_a_run_over(tmp_path):
    with open_run(tmp_path, manifest(**sample_file("one.jsonl"))) as run:
        judge_all(run)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(StoreError) as caught:
        open_run(tmp_path, manifest(**sample_file("two.jsonl", "s2")))
    assert "holds a run of other samples: of /there/one.jsonl, and /there/two.jsonl holds others" in str(caught.value)
    assert "name another folder, or give --fresh" in str(caught.value)
    with pytest.raises(StoreError, match="and - holds others"):
        open_run(tmp_path, manifest(samples="-", samples_digest="s2"))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    with open_run(tmp_path, manifest(**sample_file("two.jsonl", "s2")), fresh=True) as run:
        assert run.done("r/0", 0) is None


def test_a_run_of_an_earlier_release_is_held_to_the_path_that_it_knows(tmp_path):
    with open_run(tmp_path, manifest(samples="one.jsonl")) as run:
        judge_all(run)
    open_run(tmp_path, manifest(samples="./one.jsonl", samples_digest="s2")).close()
    with pytest.raises(StoreError, match="holds a run of other samples"):
        open_run(tmp_path, manifest(samples="two.jsonl"))


def test_samples_may_move_as_they_are_and_change_where_they_lie(tmp_path):
    with open_run(tmp_path / "run", manifest(**sample_file("one.jsonl"))) as run:
        judge_all(run)
    for fields in (
        sample_file("moved.jsonl"),  # the same bytes
        sample_file("moved.jsonl", "grown"),
        {
            "samples": "r/samples.jsonl",
            "samples_path": str(tmp_path / "run" / "samples.jsonl"),
            "samples_digest": "own",
        },
    ):
        with open_run(tmp_path / "run", manifest(**fields)) as run:
            assert solved(run) == (7, 12)
            assert run.notes == ()


@pytest.mark.parametrize("path", ["-", "/dev/fd/63", "/proc/self/fd/9"])
def test_what_comes_through_a_pipe_has_no_place_that_could_differ(tmp_path, path):
    with open_run(tmp_path, manifest(samples="-")) as run:
        judge_all(run)
    with open_run(tmp_path, manifest(samples=path, samples_digest="s2")) as run:
        assert solved(run) == (7, 12)


def test_a_run_of_which_no_sample_is_left_is_not_taken_over_though_the_path_is_the_same(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict("r/0", 1))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(StoreError, match=r"1 verdict, none of a sample of samples\.jsonl"):
        open_run(tmp_path, manifest(samples_digest="s2", expected=EXPECTED | {"r/0": 1}))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_invalid_problems_reach_the_manifest(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.mark_invalid(InvalidProblem(id="r/3", reason="its reference fails"))
        run.finish()
        assert [problem.id for problem in run.manifest.invalid] == ["r/3"]
    assert [problem.id for problem in read_run(tmp_path).manifest.invalid] == ["r/3"]


def test_estimates_are_written_and_vanish_when_the_run_goes_on(tmp_path):
    estimate = Estimate(
        name="pass@1",
        tests="all",
        value=None,
        low=None,
        high=None,
        level=0.95,
        problems=1,
        samples=1,
        method="m",
        reason="r",
    )
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict())
        run.write_estimates((estimate,), {PASSED: 1}, {Trust.ANCHORED: 1})
    content = json.loads((tmp_path / "estimates.json").read_text())
    assert content["schema"] == 1
    assert content["outcomes"] == {"passed": 1}
    assert content["trust"] == {"anchored": 1}
    assert content["estimates"][0]["reason"] == "r"
    write_estimates(tmp_path, (estimate,), {}, {})
    with open_run(tmp_path, manifest()) as run:
        assert (tmp_path / "estimates.json").exists()
        run.append(verdict(index=1))
        assert not (tmp_path / "estimates.json").exists()


@pytest.mark.parametrize("name", ["run.json", "verdicts.jsonl", "estimates.json"])
def test_a_link_in_the_place_of_a_file_of_the_run_is_refused(tmp_path, name):
    precious = tmp_path / "precious"
    precious.write_bytes(b"")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).symlink_to(precious)
    with pytest.raises(StoreError, match="is a symbolic link"), open_run(tmp_path / "run", manifest()) as run:
        run.write_estimates((), {}, {})
    assert precious.read_bytes() == b""


def test_verdicts_without_a_manifest_are_not_continued(tmp_path):
    (tmp_path / "verdicts.jsonl").write_bytes(encode_row(verdict()))
    with pytest.raises(StoreError, match=r"has verdicts but no run\.json"):
        open_run(tmp_path, manifest())


def test_a_folder_that_is_no_run_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"holds no run \(run\.json is missing\)"):
        read_run(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file is a file, and a folder is wanted there"):
        open_run(tmp_path / "file", manifest())


def test_a_wrong_digest_is_refused_before_anything_is_written(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        with pytest.raises(ValueError):
            run.append(msgspec.structs.replace(verdict(), job_digest="c1"))
        assert list(run.verdicts()) == []
    assert (tmp_path / "verdicts.jsonl").read_bytes() == b""


def test_a_last_row_without_its_line_end_is_kept_and_mended(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict())
    os.truncate(tmp_path / "verdicts.jsonl", len(encode_row(verdict())) - 1)
    with open_run(tmp_path, manifest()) as run:
        run.append(verdict(index=1))
    assert solved(read_run(tmp_path)) == (2, 2)


# --- the scenes of corpus/resume -------------------------------------------------------------------------------------

OUTCOMES = {"passed": PASSED, "failed": WRONG, "harness_error": BROKEN}


def lay_out(shared, folder, scene):
    """The corpus' rows in our form; a torn row is torn here as well."""
    open_run(folder, manifest()).close()
    data = b""
    for line in (shared / "corpus" / "resume" / f"results-{scene}.jsonl").read_text().split("\n"):
        try:
            row = json.loads(line) if line else None
        except json.JSONDecodeError:
            data += encode_row(verdict())[: len(line)]
            break
        if row:
            data += encode_row(verdict(row["task_id"], row["sample_id"], OUTCOMES[row["status"]], row["config"]))
    (folder / "verdicts.jsonl").write_bytes(data)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("scene", "runs", "note"),
    [
        ("killed", 6, "verdicts.jsonl:7: the last row was cut while it was written, and is left out"),
        ("duplicate", 8, "rows of one sample disagree, the last one counts: r/0 sample 1"),
        ("infra-error", 7, None),
        ("other-config", 12, None),
    ],
)
def test_the_scenes_of_the_corpus_end_as_an_unbroken_run_does(shared, tmp_path, scene, runs, note):
    lay_out(shared, tmp_path, scene)
    with open_run(tmp_path, manifest()) as run:
        assert len(judge_all(run)) == runs
        assert solved(run) == (7, 12)
        assert len(run.notes) == (note is not None)
        assert note is None or note in run.notes[0]
    stored = read_run(tmp_path)
    assert solved(stored) == (7, 12)
    unbroken = open_run(tmp_path / "unbroken", manifest())
    judge_all(unbroken)
    assert sorted(map(encode_row, stored.verdicts())) == sorted(map(encode_row, unbroken.verdicts()))
    unbroken.close()


def test_a_row_of_an_unknown_task_is_not_counted(tmp_path):
    with open_run(tmp_path, manifest()) as run:
        judge_all(run)
    with (tmp_path / "verdicts.jsonl").open("ab") as file:
        file.write(encode_row(verdict("r/77")))
    with open_run(tmp_path, manifest()) as run:
        assert judge_all(run) == []
        assert solved(run) == (7, 12)
        assert "r/77 sample 0" in run.notes[0]


# --- kills and full disks --------------------------------------------------------------------------------------------

CHILD = textwrap.dedent("""
    import sys
    sys.path.insert(0, {tests!r})
    from test_run import manifest, verdict
    from assay.errors import StoreError
    from assay.store import open_run
    run = open_run({folder!r}, manifest(expected={{"r/0": 1_000_000}}))
    index = int(sys.argv[1])
    try:
        while index < 100_000:
            run.append(verdict(index=index, message="x" * (index * 37 % 5000)))
            sys.stdout.write(f"{{index}}\\n")
            sys.stdout.flush()
            index += 1
    except StoreError as error:
        print("ERROR", error, flush=True)
        run.close()
""")


def child(folder, first=0, before=(), **options):
    code = CHILD.format(tests=str(Path(__file__).parent), folder=str(folder))
    return subprocess.Popen(
        [*before, sys.executable, "-c", code, str(first)], stdout=subprocess.PIPE, text=True, **options
    )


def test_a_kill_at_any_moment_loses_no_verdict_that_was_shown(tmp_path):
    shown = -1
    for after in (1, 57, 400):
        with child(tmp_path, shown + 1) as process:
            for line in process.stdout:
                shown = int(line)
                if shown >= after:
                    process.send_signal(signal.SIGKILL)
                    break
            shown = max([shown, *(int(line) for line in process.stdout if line.endswith("\n"))])
        big = manifest(expected={"r/0": 1_000_000})
        with open_run(tmp_path, big) as run:
            rows = [row.sample_index for row in run.verdicts()]
            assert rows[: shown + 1] == list(range(shown + 1))
            assert len(rows) - shown <= 2
        shown = len(rows) - 1


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def check_full(folder, output):
    """The child ended with a message, the file holds exactly the rows that it showed, and the run can be taken up."""
    *shown, error = [line for line in output.splitlines() if line.startswith("ERROR") or line.isdecimal()]
    assert error.startswith("ERROR")
    assert "can't write a verdict" in error
    data = (folder / "verdicts.jsonl").read_bytes()
    assert data.endswith(b"\n")
    assert data.count(b"\n") == len(shown)
    assert [row.sample_index for row in read_run(folder).verdicts()] == [int(line) for line in shown]
    assert len(shown) > 5


def test_a_file_that_may_not_grow_stops_the_run_with_a_message_and_stays_readable(tmp_path):
    with child(tmp_path, preexec_fn=limit_file_size) as process:
        output, _ = process.communicate()
    check_full(tmp_path, output)
    with open_run(tmp_path, manifest(expected={"r/0": 1_000_000})) as run:
        assert run.notes == ()
        run.append(verdict(index=999))


def test_a_full_disk_stops_the_run_with_a_message_and_stays_readable(tmp_path):
    mount = 'mount -t tmpfs -o size=256k tmpfs {0} && "$@"; cp -r {0} {1}'.format(tmp_path / "disk", tmp_path / "copy")
    (tmp_path / "disk").mkdir()
    unshare = shutil.which("unshare") or "false"
    if subprocess.run([unshare, "-m", "true"], check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a small file system (root)")
    with child(tmp_path / "disk", before=["unshare", "-m", "sh", "-c", mount, "sh"]) as process:
        output, _ = process.communicate()
    check_full(tmp_path / "copy", output)
    with open_run(tmp_path / "copy", manifest(expected={"r/0": 1_000_000})) as run:
        run.append(verdict(index=999))
