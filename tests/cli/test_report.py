"""`assay report`: which files it reads, what it says of those that are gone, what it writes and what it refuses."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest


@pytest.fixture
def judged(folder):
    """A run over two problems: right, weak and wrong samples."""
    folder.samples(("a", "right"), ("a", "weak"), ("b", "wrong"), ("b", "right"))
    folder.judge()
    return folder


def test_a_report_goes_into_the_file_that_is_named_and_says_how_large_it_is(judged) -> None:
    status, out, err = judged.assay("report", "run", "-o", "some.html")
    assert (status, out) == (0, "")
    assert re.search(r"some.html: 2 problems, 4 samples, \d+ kB", err)
    html = Path("some.html").read_text()
    assert html.startswith("<!doctype html>")
    assert "assert f(1) == 1" in html
    assert ">weak\n" in html


def test_unnamed_it_is_report_html_which_is_made_anew_without_asking(judged) -> None:
    assert judged.assay("report", "run")[0] == 0
    first = Path("report.html").stat().st_ino
    assert judged.assay("report", "run")[0] == 0
    assert Path("report.html").stat().st_ino != first


def test_a_file_that_is_no_report_is_replaced_only_if_told_to(judged) -> None:
    Path("page.html").write_text("<h1>mine</h1>")
    status, _, err = judged.assay("report", "run", "-o", "page.html")
    assert status == 2
    assert "page.html is there already, and is no report of assay" in err
    assert Path("page.html").read_text() == "<h1>mine</h1>"
    assert judged.assay("report", "run", "-o", "page.html", "--overwrite")[0] == 0
    assert judged.assay("report", "run", "-o", ".")[0] == 2


def test_stdout_takes_it_too(judged) -> None:
    status, out, _ = judged.assay("report", "run", "-o", "-")
    assert status == 0
    assert out.startswith("<!doctype html>")
    assert out.rstrip().endswith("</html>")


def test_files_that_are_gone_are_told_in_the_report_and_on_stderr(judged) -> None:
    Path("problems.jsonl").unlink()
    Path("samples.jsonl").unlink()
    status, _, err = judged.assay("report", "run")
    html = Path("report.html").read_text()
    assert status == 0
    for told in (err, html):
        assert "prompts and tests are not shown" in told
        assert "programs are not shown" in told
    assert "f(1)" in html


def test_other_problems_or_samples_than_those_judged_are_not_shown(judged) -> None:
    rows = Path("samples.jsonl").read_text().replace("weak", "sparrow")
    Path("samples.jsonl").write_text(rows)
    _, _, err = judged.assay("report", "run")
    assert "does not hold the samples that run has judged" in err
    assert "sparrow" not in Path("report.html").read_text()


def test_moved_files_are_found_where_they_are_named(judged) -> None:
    Path("problems.jsonl").rename("p.jsonl")
    Path("samples.jsonl").rename("s.jsonl")
    status, _, err = judged.assay("report", "run", "--data", "p.jsonl", "--samples", "s.jsonl")
    assert status == 0
    assert "not shown" not in err
    Path("p.jsonl").write_text(json.dumps({"id": "a", "prompt": "!", "tests": ["assert g(1) == 2"]}) + "\n")
    status, _, err = judged.assay("report", "run", "--data", "p.jsonl", "--samples", "s.jsonl")
    assert status == 2
    assert "p.jsonl" in err


def test_samples_are_found_beside_the_run_from_another_folder(judged) -> None:
    Path("elsewhere").mkdir()
    os.chdir("elsewhere")
    _, _, err = judged.assay("report", "../run", "--data", "../problems.jsonl")
    assert "not shown" not in err


def test_several_runs_are_compared(judged) -> None:
    judged.assay("judge", "problems.jsonl", "samples.jsonl", "-o", "two")
    status, _, _ = judged.assay("report", "run", "two", "-o", "both.html")
    html = Path("both.html").read_text()
    assert status == 0
    assert "2 runs compared" in html
    assert "No difference shown" in html


def test_a_sample_without_a_verdict_makes_the_exit_status_1_and_is_told_first(folder) -> None:
    folder.samples(("a", "broken"), ("b", "right"))
    folder.judge()
    status, _, _ = folder.assay("report", "run")
    assert status == 1
    assert "1 sample could not be judged" in Path("report.html").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "run"), "run is named twice"),
        (("nowhere",), "nowhere holds no run"),
        (("run", "-k", "x"), "is not a positive whole number"),
        (("run", "--samples", "a", "--samples", "b"), "--samples names 2 files for 1 run"),
    ],
)
def test_what_can_not_be_is_refused_in_words(judged, words, told) -> None:
    status, _, err = judged.assay("report", *words)
    assert status == 2
    assert told in err
    assert "hint:" in err
    assert not Path("report.html").exists()


def test_a_folder_of_runs_names_the_runs_in_it(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    for name in ("sw/t10", "sw/t0.2"):
        folder.assay("judge", "problems.jsonl", "samples.jsonl", "-o", name)
    status, _, err = folder.assay("report", "sw")
    assert (status, err) == (
        2,
        "error: sw holds no run (run.json is missing)\nhint: there are runs in it: sw/t0.2, sw/t10\n",
    )


def test_the_size_of_a_report_is_told_in_a_unit_that_shows_it(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    _, _, err = folder.assay("report", "run")
    assert err.endswith(" kB\n")
