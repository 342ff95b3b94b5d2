"""What stands in a report's file, without a browser."""

import base64
import contextlib
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser

import msgspec
import pytest
from report_room import DEEP, SOME, Judged, wrong

from assay.records import Failure, InvalidProblem, Isolation, Outcome, Trust
from assay.report import MARK, Options, Source, render_report
from assay.report.document import _spread
from assay.report.words import repeat_command
from assay.store import read_run

MANY = tuple(Judged(each.problem, f"{each.text}# {i}\n", each.outcome, each.fields) for i in range(20) for each in SOME)


class Elements(HTMLParser):
    """Every element with its attributes, and the text of some."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def text_of(html):
    """The words of the page, without markup."""
    bare = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    for code, char in (("&lt;", "<"), ("&gt;", ">"), ("&#34;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        bare = bare.replace(code, char)
    return " ".join(bare.split())


def unpacked(html):
    """The pages of a report that packs them, as the script sees them."""
    blocks = re.findall(r'class="block" data-keys="([^"]*)">([^<]*)<', html)
    pages = {}
    for keys, data in blocks:
        pages |= dict(zip(keys.split(), zlib.decompress(base64.b64decode(data)).decode().split("\0"), strict=True))
    return pages


def test_a_page_shows_prompt_tests_failing_case_and_code_with_its_line_marked(report):
    html = report(SOME)
    page = html.split('id="p2"')[1].split("</article>")[0]
    words = text_of(page)
    for told in (
        "Halve a number.",
        "assert h(4) == 2",
        "h(2)",
        "ZeroDivisionError: division by zero (line 2)",
        "0 of 3 right",
    ):
        assert told in words
    assert re.search(r"<b> *return n / 0\n</b>", page)
    assert "expected 4" in text_of(html.split('id="p0"')[1].split("</article>")[0])


def test_a_page_shows_the_traceback_with_its_lines_marked_and_all_times(report):
    page = report(DEEP).split('id="p2"')[1].split("</article>")[0]
    assert "line 2 in h, line 5 in k" in text_of(page)
    assert "10 ms, processor 250 ms, clock 2.5 s, 0.5 MiB" in text_of(page)
    assert re.findall(r"<em>(.*)\n</em>", page) == ["    return k(n)"]
    assert re.findall(r"<b>(.*)\n</b>", page) == ["    return n / 0"]


def test_samples_of_equal_code_stand_together(report):
    page = report(SOME).split('id="p0"')[1].split("</article>")[0]
    assert "\u00d72" in page
    assert page.count('<details class="answer"') == 2
    assert "1 of 3 right" in text_of(report((*SOME[3:], Judged("t/1"), wrong("t/1"), wrong("t/1"))))


def test_the_policy_names_this_script_and_this_style_and_nothing_else(report):
    html = report(SOME)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)[1].replace("&#39;", "'")
    script, style = (re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1] for tag in ("script", "style"))
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digests[0]}'; style-src 'sha256-{digests[1]}'; " in policy
    assert "unsafe" not in policy


def test_nothing_is_fetched_and_no_attribute_holds_script_or_style(report):
    for tag, attributes in Elements(report(SOME, SOME[:5])).found:
        assert not {"src", "style", "srcset", "action", "background"} & attributes.keys()
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("href", "#").startswith("#"), (tag, attributes)
    assert "@import" not in report(SOME)
    assert "url(" not in report(SOME)


HOSTILE = "</script><script>bad()</script><img src=x onerror=bad()>\"'><svg/onload=bad()>&{{7*7}}"


def test_what_candidates_and_data_sets_wrote_is_escaped_wherever_it_stands(room):
    problem = {
        "id": HOSTILE,
        "prompt": HOSTILE,
        "tests": [f"assert f() == {HOSTILE!r}"],
        "tags": [HOSTILE],
        "split": HOSTILE,
        "setup": f"# {HOSTILE}",
        "reference": f"def f():\n    return {HOSTILE!r}\n",
    }
    failure = Failure(
        case=0,
        group="base",
        outcome=Outcome.RUNTIME_ERROR,
        call=HOSTILE,
        expected=HOSTILE,
        got=HOSTILE,
        message=HOSTILE,
    )
    sample = Judged(
        HOSTILE, f"# {HOSTILE}\n", Outcome.RUNTIME_ERROR, {"first_failure": failure, "message": HOSTILE, "flaky": True}
    )
    folder = room.run(
        "run",
        [sample],
        [problem],
        invalid=(InvalidProblem(id=f"z{HOSTILE}", reason=HOSTILE),),
        benchmark_version=HOSTILE,
        isolation=Isolation(level="L4", layers=(HOSTILE,), missing=(HOSTILE,)),
        interpreter=HOSTILE,
        versions={HOSTILE: HOSTILE},
        settings={HOSTILE: HOSTILE},
    )
    with contextlib.ExitStack() as stack:
        source = room.source(folder, stack)._replace(name=HOSTILE, gaps=(HOSTILE,))
        html = render_report([source], "2026-11-30").text
    assert html.count("<script") == 1
    assert "<img" not in html
    assert "<svg/onload" not in html
    assert "49" not in re.findall(r"&amp;(..)", html)
    assert [tag for tag, _ in Elements(html).found if tag in ("img", "iframe", "object")] == []


def test_what_can_not_be_seen_is_shown(report):
    html = report([*SOME[1:], Judged("t/1", "x = 1 # \x1b[31m \u202e\u2066 \x00\x9b \ud800\n")])
    assert "␛[31m" in html
    assert "⟦U+202E⟧⟦U+2066⟧" in html
    assert "␀⟦U+009B⟧ ⟦U+D800⟧" in html
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html)


def test_a_large_report_packs_its_pages_and_they_are_the_same(report, monkeypatch):
    plain = report(SOME)
    monkeypatch.setattr("assay.report.packing.PLAIN_CHARACTERS", 10)
    packed = report(SOME)
    pages = unpacked(packed)
    assert pages.keys() == {"p0", "p1", "p2"}
    assert "Halve a number." in pages["p2"]
    assert text_of(pages["p2"]) in text_of(plain)
    assert "JavaScript" in packed.split("<noscript>")[1]


def test_a_report_that_would_be_too_large_shows_fewer_programs_then_fewer_problems_and_says_so(report, monkeypatch):
    monkeypatch.setattr("assay.report.packing.PLAIN_CHARACTERS", 10)
    monkeypatch.setattr("assay.report.document.LEAST_BYTES", 2500)
    fewer = report(MANY, options=Options(size_bytes=1))
    assert len(unpacked(fewer)) == 3
    assert "programs of a problem and count the others" in fewer
    monkeypatch.setattr("assay.report.packing.BLOCK_CHARACTERS", 10)
    monkeypatch.setattr("assay.report.document.LEAST_BYTES", 600)
    fewest = report(MANY, options=Options(size_bytes=1))
    assert len(unpacked(fewest)) < 3
    assert "of them have a page in this file" in fewest
    assert len(re.findall(r"<tr data-k", fewest)) == 3


def test_a_run_of_many_problems_lists_an_even_sample_and_says_so(report, monkeypatch):
    monkeypatch.setattr("assay.report.document.MOST_ROWS", 2)
    html = report(SOME)
    assert "2 of 3 problems are listed" in html
    assert len(re.findall(r"<tr data-k", html)) == 2


def test_pages_come_in_an_order_of_which_every_beginning_is_an_even_sample():
    assert _spread(range(9))[:5] == [0, 8, 4, 2, 6]
    assert sorted(_spread(range(100))) == list(range(100))
    assert _spread([]) == []
    assert _spread(["only"]) == ["only"]


def test_what_must_be_known_stands_before_the_numbers(report):
    broken = Judged("t/1", "x = 1\n", Outcome.SYSTEM_ERROR)
    html = report(
        [broken, *SOME[1:]],
        invalid=(InvalidProblem(id="t/99", reason="it lies"),),
        isolation=Isolation(level="L1", layers=("resource limits",)),
    )
    alert = text_of(html.split('class="alert"')[1].split('id="numbers"')[0])
    assert "1 sample could not be judged through a failure of assay's own" in alert
    assert "t/99" in alert
    assert "Isolation was L1" in alert
    assert "undefined: no verdict for t/1" in text_of(html).lower()


def test_an_error_that_many_samples_share_is_told_as_a_doubt_of_the_set_up(report):
    error = {"message": "AttributeError: module 'signal' has no attribute 'setitimer' (line 7)"}
    same = [Judged(f"t/{(1, 2, 10)[i % 3]}", f"x = {i}\n", Outcome.RUNTIME_ERROR, error) for i in range(30)]
    assert "100% of the samples share one error" in report(same)
    assert "share one error" not in report(SOME)


def test_verdicts_that_can_be_forged_are_told(report):
    samples = [Judged("t/1", fields={"trust": Trust.CO_RESIDENT}), *SOME[1:]]
    html = report(samples)
    assert "1 verdict can be forged" in html
    assert "8 of 9 verdicts are anchored" in html


def test_a_run_whose_files_are_gone_still_has_a_report_that_says_so(room):
    run = read_run(room.run("run", SOME))
    report = render_report([Source("run", run, gaps=("programs are not shown: samples.jsonl is gone",))], "2026-11-30")
    words = text_of(report.text)
    assert "samples.jsonl is gone" in words
    assert "The code is not at hand" in words
    assert "f(2)" in words
    assert report.problems == report.pages == 3


def test_several_runs_are_compared_in_pairs(report):
    better = [Judged(each.problem, each.text) for each in SOME]
    html = report(SOME, better)
    words = text_of(html)
    assert "B against A pass@1, 3 problems in common" in words
    assert "+66.67 points" in words
    assert "No difference shown" in words
    assert "Who wins where" in words
    page = html.split('id="p2"')[1].split("</article>")[0]
    assert "0 of 3 right" in text_of(page)
    assert "3 of 3 right" in text_of(page)


def test_runs_over_other_data_or_conditions_are_told_apart(room):
    other = [{"id": "t/1", "prompt": "Something else.", "tests": ["assert f(1) == 1", "assert f(2) == 2"]}]
    with contextlib.ExitStack() as stack:
        sources = [
            room.source(folder, stack)
            for folder in (room.run("one", SOME), room.run("two", SOME[:3], other, interpreter="CPython 3.12.0"))
        ]
        words = text_of(render_report(sources, "2026-11-30").text)
    assert "Judged on other data than run A" in words
    assert "other conditions than run A: interpreter" in words


def test_a_sweep_over_temperatures_is_drawn(room):
    with contextlib.ExitStack() as stack:
        sources = []
        for name, temperature in (("cold", 0.2), ("hot", 1.0)):
            folder = room.run(name, SOME)
            file = room.folder / f"{name}.samples.jsonl"
            rows = [json.loads(line) | {"temperature": temperature} for line in file.read_text().splitlines()]
            file.write_text("".join(json.dumps(row) + "\n" for row in rows))
            sources.append(room.source(folder, stack))
        html = render_report(sources, "2026-11-30").text
    assert "pass@k against temperature" in html


def test_everything_that_decides_the_numbers_is_told_with_a_command(report):
    html = report(SOME, settings={"time_s": 2.5, "memory_mib": 256, "trials": 3, "challenge": True}, split=None)
    words = text_of(html)
    assert re.search(
        r"assay judge \S+run0.problems.jsonl \S+ -o RUN --timeout 2.5 --memory 256 --trials 3 --challenge", words
    )
    for told in ("CPython 3.11.7", "samples digest", "time_s 2.5"):
        assert told in words


@pytest.mark.parametrize(
    ("benchmark", "data", "told"),
    [
        ("mbpp", "d/mbpp.jsonl", "assay judge mbpp s.jsonl -o RUN --data d/mbpp.jsonl"),
        ("p.jsonl", "d/p.jsonl", "assay judge d/p.jsonl s.jsonl -o RUN"),
        ("mbpp", None, "assay judge mbpp s.jsonl -o RUN"),
    ],
)
def test_the_command_names_the_file_of_the_problems_as_it_was_named(room, benchmark, data, told):
    manifest = read_run(room.run("run", SOME)).manifest
    named = msgspec.structs.replace(manifest, benchmark=benchmark, data=data, samples="s.jsonl", settings={})
    assert repeat_command(named) == told


def test_each_report_can_be_told_from_other_files(report):
    assert MARK in report(SOME)[:4096]


def test_figures_have_their_numbers_beside_them_for_who_can_not_see_them(report):
    html = report(SOME)
    figures = html.count("<figure class")
    assert figures >= 4
    assert html.count("<summary>The numbers</summary>") == figures
    assert html.count('role="img"') >= figures


@pytest.mark.parametrize("count", [1, 3])
def test_one_sample_a_problem_draws_no_curve_and_several_do(report, count):
    samples = [each for i, each in enumerate(SOME) if i % 3 < count]
    assert ("pass@k against k" in report(samples)) is (count > 1)


def test_where_no_figure_can_be_drawn_there_is_no_section_for_them(report):
    one_each = [each for i, each in enumerate(SOME) if i % 3 < 1]
    html = report(one_each, one_each)
    assert "<h2" in html
    assert "figures" not in re.findall(r'(?:id=|href=)"#?([\w-]+)"', html)
    assert "figures" in re.findall(r'(?:id=|href=)"#?([\w-]+)"', report(SOME))


def test_time_limits_that_are_not_confirmed_are_told_before_the_numbers_with_what_to_do(report):
    slow = Judged("t/1", "def f(n): ...\n", Outcome.TIME_LIMIT, {"confirmed": False})
    told = "1 time limit may be due to other work on the machine: judge again on a less busy one, into a new folder."
    assert told in text_of(report((*SOME, slow)).split('id="numbers"')[0])
    assert "less busy" not in report(SOME)


def test_one_of_a_thing_is_no_plural(report):
    words = text_of(report((SOME[0],)))
    assert not re.findall(r"\b1 (?:problems|samples|verdicts|cases|programs)\b", words)
    assert "The 1 verdict is anchored" in words


def test_the_last_label_of_an_axis_ends_with_the_drawing(report):
    large = [Judged("t/1", f"def f(n): return {n}\n", fields={"peak_mib": size}) for n, size in enumerate((0.1, 990.0))]
    labels = re.findall(r'<text x="([^"]*)" y="249" class="([^"]*)">([^<]* MiB)</text>', report(large))
    assert labels[-1] == ("460", "t end", "1,000 MiB")
    assert {class_ for _, class_, _ in labels[:-1]} == {"t mid"}
