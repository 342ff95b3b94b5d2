"""A report in a real browser: what a reader does with it, and that nothing in it that others wrote ever runs.

Needs Chromium on the path and the group `browser` (playwright); without them the tests say what to install.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from report_room import DEEP, SOME, TEXT_OF_DEEP, Judged, wrong

from assay.records import Failure, InvalidProblem, Isolation, Outcome
from assay.report import render_report

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

MARK = "window.ran=1"
PAYLOADS = (
    "<script>{}</script>",
    "</script><script>{}</script>",
    "<img src=x onerror={}>",
    '"><img src=x onerror={}>',
    "'><img src=x onerror={}>",
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<svg><animate onbegin={} attributeName=x dur=1s>",
    "<body onload={}>",
    "<iframe srcdoc='<script>parent.{}</script>'>",
    "<iframe src=javascript:parent.{}>",
    '<a href="javascript:{}" autofocus onfocus={} id=x>x</a>',
    "<details open ontoggle={}><summary>x</summary></details>",
    "<input autofocus onfocus={}>",
    "<video><source onerror={}></video>",
    "<audio src=x onerror={}>",
    "<object data='data:text/html,<script>{}</script>'>",
    "<embed src='javascript:{}'>",
    "<marquee onstart={}>x</marquee>",
    "<style>*{{background:url(javascript:{})}}</style>",
    "</style><script>{}</script>",
    "</title><script>{}</script>",
    "</textarea><script>{}</script>",
    "</noscript><script>{}</script>",
    "</template><script>{}</script>",
    "<!--><script>{}</script>-->",
    "--><script>{}</script><!--",
    "]]><script>{}</script>",
    "<math><mtext></p><img src=x onerror={}></math>",
    "<form><button formaction=javascript:{}>x</button></form>",
    "<meta http-equiv=refresh content='0;url=javascript:{}'>",
    "<base href='javascript:{}//'>",
    "<link rel=stylesheet href='data:text/css,*{{}}' onload={}>",
    "&lt;script&gt;{}&lt;/script&gt;",
    "&#60;script&#62;{}&#60;/script&#62;",
    "\\u003cscript\\u003e{}\\u003c/script\\u003e",
    "\\x3cscript\\x3e{}\\x3c/script\\x3e",
    "{{{{constructor.constructor('{}')()}}}}",
    "{{% print({}) %}}",
    "${{{}}}",
    "`${{{}}}`",
    "';{};'",
    '";{};"',
    "\u2028{}//",
    "\0<script>{}</script>",
    "<scr\0ipt>{}</scr\0ipt>",
    "\uff1cscript\uff1e{}\uff1c/script\uff1e",
    '" onmouseover={} x="',
    "' style='animation:x' onanimationstart={} '",
    "data:text/html,<script>{}</script>",
    "x\x1b]8;;javascript:{}\x07click\x1b]8;;\x07",
    "<div popover id=p onbeforetoggle={}>x</div>",
)
"""Fifty-two ways in which text becomes a program, `{}` being what would run."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install -r requirements/browser.txt")
    if CHROMIUM is None:
        pytest.skip("no Chromium is on the path: apt-get install chromium")
    with playwright.sync_playwright() as running:
        # A container's root may not make Chromium's own sandbox; the pages are ours and load nothing.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = running.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens HTML from the disk; what went wrong in the page, and what it asked for, stand in `page.odd`."""
    with contextlib.ExitStack() as stack:

        def show(html: str, *, fragment: str = "", **how: Any) -> Any:
            file = tmp_path / "report.html"
            file.write_text(html, "utf-8")
            context = browser.new_context(viewport={"width": how.pop("width", 1280), "height": 900}, **how)
            stack.callback(context.close)
            page = context.new_page()
            page.odd = []
            page.on("console", lambda message: page.odd.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: page.odd.append(f"error: {error}"))
            page.on("dialog", lambda dialog: (page.odd.append("dialog"), dialog.dismiss()))
            page.on("request", lambda asked: page.odd.append(asked.url) if not asked.url.startswith("file:") else None)
            page.goto(f"file://{file}#{fragment}")
            return page

        yield show


def rows(page: Any) -> list[str]:
    """The problems that the table shows, in its order."""
    return [row.locator("th a").inner_text() for row in page.locator("#table tbody tr:visible").all()]


def wait_for_page_of(page, name):
    """Waits until that problem's page is open. A function, since the page forbids what a text that is looked at again would need."""
    page.wait_for_function("(name) => document.querySelector('#page h2')?.textContent === name", arg=name)


def open_problem(page: Any, name: str) -> None:
    page.locator(f"#table th a:text-is('{name}')").click()
    page.wait_for_selector("html.open #page .problem")


def test_the_table_sorts_by_every_column_and_says_how(report, opened) -> None:
    page = opened(report(SOME))
    assert rows(page) == ["t/1", "t/2", "t/10"]
    head = page.locator("#table thead th", has_text="problem")
    head.locator("button").click()
    head.locator("button").click()
    assert rows(page) == ["t/10", "t/2", "t/1"]
    assert head.get_attribute("aria-sort") == "descending"
    page.locator("#table thead th button", has_text="right").click()
    assert rows(page)[0] == "t/1"
    assert page.locator("#table thead [aria-sort]").count() == 1
    assert page.odd == []


def test_words_and_marks_filter_the_table_and_the_count_is_told(report, opened) -> None:
    page = opened(report(SOME))
    page.locator("#find").fill("halve")
    assert rows(page) == ["t/10"]
    assert page.locator("#shown").inner_text() == "1 of 3"
    page.locator("#find").fill("nothing like it")
    assert page.locator("#none").is_visible()
    page.locator("#find").fill("")
    page.locator("#filters button", has_text="never solved").click()
    assert rows(page) == ["t/10"]
    assert page.locator("#filters [aria-pressed=true]").inner_text().startswith("never solved")
    page.locator("#filters button", has_text="never solved").click()
    assert len(rows(page)) == 3
    page.locator("a[data-show=runtime_error]").click()
    assert rows(page) == ["t/10"]


def test_a_problem_opens_turns_to_the_next_and_goes_back_by_mouse_and_by_keys(report, opened) -> None:
    page = opened(report(SOME))
    open_problem(page, "t/2")
    assert page.locator("#page h2").inner_text() == "t/2"
    assert not page.locator("#overview").is_visible()
    assert page.evaluate("document.activeElement.className") == "problem"
    page.locator("#next").click()
    wait_for_page_of(page, "t/10")
    assert page.locator("#next").is_disabled()
    page.keyboard.press("k")
    wait_for_page_of(page, "t/2")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview", state="visible")
    assert page.evaluate("document.activeElement.textContent") == "t/2"
    page.go_back()
    page.wait_for_selector("html.open")
    assert page.odd == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_page_shows_code_with_numbers_colours_and_the_marked_line(report, opened, monkeypatch, packed) -> None:
    if packed:
        monkeypatch.setattr("assay.report.packing.PLAIN_CHARACTERS", 10)
    page = opened(report(SOME), fragment="p2")
    code = page.locator("#page .answer pre.code", has_text="return n / 0")
    page.locator("#page .answer", has_text="runtime error").evaluate("each => { each.open = true }")
    assert code.locator("i, b").all_inner_texts() == ["def h(n):\n", "    return n / 0\n"]
    assert code.locator("b").inner_text().strip() == "return n / 0"
    assert code.locator(".kw").all_inner_texts() == ["def", "return"]
    assert page.odd == []


def test_the_lines_that_an_error_came_through_are_marked_and_the_last_one_most(report, opened) -> None:
    page = opened(report(DEEP), fragment="p2")
    code = page.locator("#page .answer pre.code")
    assert code.locator("i, em, b").all_inner_texts() == TEXT_OF_DEEP.splitlines(keepends=True)
    assert code.locator("em").all_inner_texts() == ["    return k(n)\n"]
    assert code.locator("b").all_inner_texts() == ["    return n / 0\n"]
    look = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).boxShadow]"
    plain, through, last = (code.locator(name).first.evaluate(look) for name in ("i", "em", "b"))
    assert plain[1] == "none"
    assert "inset" in through[1]
    assert last[0] not in (plain[0], through[0])
    assert page.odd == []


def test_the_map_leads_to_the_problem_under_the_pointer(report, opened) -> None:
    page = opened(report(SOME))
    box = page.locator("svg.map").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 20)
    page.wait_for_selector("html.open")
    assert page.locator("#page h2").inner_text() == "t/10"


def test_light_and_dark_follow_the_system_and_the_button(report, opened) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page = opened(report(SOME), color_scheme="dark")
    assert page.evaluate(ground) == "rgb(18, 21, 26)"
    page.locator("#theme").click()
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page = opened(report(SOME), color_scheme="light")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"


CONTRASTS = """() => {
  const seen = new Map();
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const under = (node) => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  for (const node of document.querySelectorAll("p, a, td, th, h1, h2, h3, small, summary, button, li, dt, dd, code, span")) {
    if (!node.checkVisibility() || !node.innerText || !node.innerText.trim()) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(under(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) seen.set(`${node.localName}.${node.className}`, ratio.toFixed(2));
  }
  return [...seen];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["", "p2"])
def test_every_text_stands_out_from_its_ground(report, opened, scheme, fragment) -> None:
    page = opened(report(SOME, SOME), color_scheme=scheme, fragment=fragment)
    page.wait_for_timeout(100)
    assert page.evaluate(CONTRASTS) == []


@pytest.mark.parametrize("fragment", ["", "p2"])
@pytest.mark.parametrize("runs", [1, 3])
def test_a_telephone_shows_it_without_scrolling_sideways(room, opened, fragment, runs) -> None:
    plus = {"groups": {"base": (1, 1), "plus": (1, 1)}}
    long = [
        wrong("t/10", f"def h(n):\n    return {'x' * 300}\n", call=f"h({'9' * 200})"),
        Judged("t/1", fields=plus),
        *SOME,
    ]
    with contextlib.ExitStack() as stack:
        sources = [room.source(room.run(f"{'run' * 20}{i}", long), stack) for i in range(runs)]
        html = render_report(sources, "2026-11-30").text
    page = opened(html, width=390, fragment=fragment, has_touch=True, is_mobile=True)
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("visualViewport.scale") == 1


def test_without_a_script_tables_figures_and_pages_are_all_there(report, opened) -> None:
    page = opened(report(SOME), java_script_enabled=False)
    words = page.locator("body").inner_text()
    for told in ("33.3", "wrong answer", "Halve a number.", "ZeroDivisionError: division by zero", "assay judge"):
        assert told in words
    assert page.locator("svg.map").is_visible()
    assert not page.locator("#filters").is_visible()
    page.locator("#table th a").first.click()
    assert page.locator("#p0").is_visible()


def test_a_print_holds_the_numbers_and_not_the_controls(report, opened) -> None:
    page = opened(report(SOME))
    page.emulate_media(media="print")
    assert not page.locator("#filters").is_visible()
    assert page.locator("#table").is_visible()
    assert len(page.pdf()) > 20_000


def test_a_screen_reader_finds_headings_landmarks_and_names(report, opened) -> None:
    page = opened(report(SOME))
    levels = page.evaluate(
        "[...document.querySelectorAll('#overview h1, #overview h2, #overview h3')].map(h => +h.localName[1])"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    nameless = page.evaluate(
        "[...document.querySelectorAll('button, a, input, svg[role=img]')].filter(e => e.checkVisibility() && "
        "!(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.querySelector('title'))).map(e => e.outerHTML)"
    )
    assert nameless == []
    assert page.locator("main").count() == page.locator("h1").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the report"


def programs() -> list[str]:
    """The payloads, each as what would set `window.ran`."""
    return [text.replace("{{", "{").replace("}}", "}").replace("{}", MARK) for text in PAYLOADS]


def hostile_problem(payload: str, number: int) -> tuple[dict[str, Any], list[Judged]]:
    """A problem with two samples, in which every text is the payload."""
    id_ = f"{''.join(filter(str.isprintable, payload))}/{number}"  # a data set with other ids is refused
    problem = {
        "id": id_,
        "prompt": payload,
        "tests": [f"assert f() == {payload!r}"],
        "tags": [payload],
        "split": payload,
        "setup": f"# {payload!r}",
        "reference": f"def f():\n    return {payload!r}\n",
    }
    told = {
        "call": payload,
        "expected": payload,
        "got": payload,
        "message": f"{payload} (line 1)",
        "group": payload,
        "frames": ((1, payload),),
    }
    failure = Failure(case=0, outcome=Outcome.RUNTIME_ERROR, **told)
    fields = {
        "first_failure": failure,
        "message": payload,
        "flaky": True,
        "groups": {payload: (0, 1)},
        "isolation": payload,
    }
    samples = [
        Judged(id_, f"# {payload!r}\n", Outcome.RUNTIME_ERROR, fields),
        Judged(id_, f"{payload}\n```python\n# {payload!r}\n```", Outcome.TIME_LIMIT, {"message": payload}, "text"),
    ]
    return problem, samples


def hostile_words(payload: str) -> dict[str, Any]:
    """A run's own texts, all of them the payload."""
    return {
        "invalid": (InvalidProblem(id=f"z{payload}", reason=payload),),
        "benchmark_version": payload,
        "created": payload,
        "isolation": Isolation(level=payload, layers=(payload,), missing=(payload,)),
        "interpreter": payload,
        "versions": {payload: payload, "assay": payload},
        "settings": {payload: payload},
    }


def hostile_report(room: Any, number: int, payloads: list[str], words: str) -> str:
    """A report of a run with a problem for each payload, whose own texts are `words`."""
    made = [hostile_problem(payload, i) for i, payload in enumerate(payloads)]
    problems, samples = [problem for problem, _ in made], [each for _, found in made for each in found]
    with contextlib.ExitStack() as stack:
        source = room.source(room.run(f"run{number}", samples, problems, **hostile_words(words)), stack)
        return render_report([source._replace(name=words, gaps=(words,))], "2026-11-30").text


def unguarded(html: str) -> str:
    """The same without its security policy, so that escaping alone is left."""
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)


def harm(page: Any) -> list[Any]:
    """What has run, been asked for or become an element that could run."""
    odd = [*page.odd, page.locator("img, iframe, object, embed, video, form:not(#filters)").count() or None]
    return [each for each in (*odd, page.evaluate("window.ran ?? null")) if each is not None]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("guarded", [True, False], ids=["as it is", "without its security policy"])
def test_no_injection_in_any_field_of_a_problem_or_sample_runs(room, opened, guarded) -> None:
    assert len(PAYLOADS) >= 50
    html = hostile_report(room, 0, programs(), "plain")
    page = opened(html if guarded else unguarded(html))
    for number in range(len(PAYLOADS)):
        page.evaluate(f"location.hash = document.querySelectorAll('#table tbody a')[{number}].hash")
        name = page.evaluate(f"document.querySelectorAll('#table tbody a')[{number}].textContent")
        wait_for_page_of(page, name)
        page.evaluate("document.querySelectorAll('#page details').forEach((each) => { each.open = true })")
        assert harm(page) == [], name
    page.mouse.move(300, 300)
    page.wait_for_timeout(200)
    assert harm(page) == []


@pytest.mark.timeout(1800)
def test_no_injection_in_any_word_about_a_run_runs(room, opened) -> None:
    page = opened(unguarded(hostile_report(room, 0, ["x"], "plain")))
    for number, payload in enumerate(programs(), 1):
        html = unguarded(hostile_report(room, number, [payload], payload))
        (room.folder / "report.html").write_text(html, "utf-8")
        page.reload()
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert harm(page) == [], payload


def test_the_security_policy_stops_what_would_get_past_escaping(report, opened) -> None:
    html = report(SOME).replace("<main", f"<img src=x onerror={MARK}><script>{MARK}</script><main", 1)
    page = opened(html)
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in line for line in page.odd)


def test_on_a_narrow_screen_nothing_is_cut_off_without_a_sign(report, opened) -> None:
    large = [Judged("t/1", f"def f(n): return {n}\n", fields={"peak_mib": size}) for n, size in enumerate((0.1, 990.0))]
    for runs in ((SOME,), (SOME, SOME), (large,)):
        page = opened(report(*runs), width=400)
        assert page.evaluate("(nav => nav.scrollWidth <= nav.clientWidth)(document.querySelector('nav'))")
        ends = page.evaluate(
            "[...document.querySelectorAll('svg.plot text')].map(t => t.getBoundingClientRect().right)"
        )
        assert max(ends) <= 400
        shades = page.evaluate(
            "[...document.querySelectorAll('.scroll')].map(s => getComputedStyle(s).backgroundAttachment)"
        )
        assert set(shades) == {"local, local, scroll, scroll"}
