"""The report as one HTML file: views are drawn, pages packed, and all of it put into the template.

Keeps true: everything that a candidate or a data set wrote passes `visible` and the template's escaping; the file asks the network for
nothing, and its security policy names the one script and the one style sheet by their digests, so that no other can run.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from assay.counts import count_of
from assay.order import natural_key
from assay.records import Outcome
from assay.report import rows, shares, words
from assay.report.contents import chips, contents
from assay.report.numbers import view_run
from assay.report.packing import pack, packed_bytes
from assay.report.pages import PageMaker, within_reach
from assay.report.sources import USUAL_OPTIONS
from assay.report.survey import Survey
from assay.visible import on_one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import jinja2
    from markupsafe import Markup

    from assay.report.numbers import View
    from assay.report.packing import Packed
    from assay.report.sources import Options, Source

MARK = '<meta name="generator" content="assay report">'
"""Stands near the beginning of every report, so that one can be told from a file of somebody else."""

MOST_ROWS = 1_500
"""Problems that the table lists; of more, so many at even distances from the easiest to the hardest."""

PROGRAMS = (20, 14, 10, 7, 5, 3)
"""Different programs of a run that a page shows: as many as let every problem have its page."""
PROBE = 24

FRAME_BYTES, ROW_BYTES, CELL_BYTES, LEAST_BYTES = 100_000, 330, 170, 200_000
"""About what the report takes up without its pages, a row of the table, and a run's cells of it; what pages get in any case."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Report(NamedTuple):
    """A finished report: the HTML, and what is to be told of it. `unjudged` samples have no verdict."""

    text: str
    problems: int
    pages: int
    samples: int
    unjudged: int


def render_report(sources: Sequence[Source], made: str, options: Options = USUAL_OPTIONS) -> Report:
    """The report of one run, or of several that are compared.

    Args:
        sources: The runs, at least one; with several the first is the measure.
        made: The date that the report carries.
        options: How numbers are computed, and how large the file may grow.

    Raises:
        SettingsError: A k is no whole number of at least 1.
        StoreError: A run can't be read.
    """
    views = [
        view_run(_letter(i), source, Survey(source.run, strict=options.strict), options)
        for i, source in enumerate(sources)
    ]
    ids = sorted({id_ for view in views for id_ in view.survey.problems}, key=natural_key)
    keys = {id_: f"p{i}" for i, id_ in enumerate(ids)}
    ordered = _hardest_last(views)
    listed = set(shares.thinned(ordered, MOST_ROWS))
    listed |= {id_ for id_ in ids if len(ids) <= MOST_ROWS}
    environment = _environment()
    rest = FRAME_BYTES + len(listed) * (ROW_BYTES + CELL_BYTES * len(views))
    within = within_reach(_spread([id_ for id_ in ordered if id_ in listed]), views)
    packed, programs = _packed(environment, within, keys, views, max(options.size_bytes - rest, LEAST_BYTES))
    pages = {id_: key for id_, key in keys.items() if key in packed.keys}
    table = rows.problem_rows([id_ for id_ in ids if id_ in listed], pages, views)
    script, style = (_part(name) for name in ("report.js", "report.css"))
    told = contents(views, options, pages) | {
        "script": script,
        "style": style,
        "policy": _policy(script, style),
        "made": made,
        "packed": packed,
        "rows": table,
        "all_problems": len(ids),
        "programs": programs,
        "kept_pages": sum(1 for row in table if row.page),
        "chips": chips(table),
        "tags": any(row.tags for row in table),
    }
    return Report(
        text=environment.get_template("report.html").render(told),
        problems=len(ids),
        pages=len(packed.keys),
        samples=sum(view.survey.samples for view in views),
        unjudged=sum(view.survey.unjudged for view in views),
    )


def _letter(i: int) -> str:
    return LETTERS[i] if i < len(LETTERS) else f"#{i + 1}"


def _hardest_last(views: Sequence[View]) -> list[str]:
    found: dict[str, None] = {}
    for view in views:
        found |= dict.fromkeys(shares.by_difficulty_order(view.survey.problems))
    return [*found, *sorted({id_ for view in views for id_ in view.survey.problems} - found.keys(), key=natural_key)]


def _spread(ordered: Sequence[str]) -> list[str]:
    """The same in an order of which every beginning is an even sample: the middle, then the quarters, and so on.

    >>> _spread("abcde")
    ['a', 'e', 'c', 'b', 'd']
    """
    places = range(len(ordered))
    width = max(len(ordered) - 1, 1).bit_length()
    turned = sorted(places, key=lambda place: (place != len(ordered) - 1, int(f"{place:0{width}b}"[::-1], 2)))
    found = [ordered[place] for place in turned]
    return [*found[1:2], *found[:1], *found[2:]]


def _packed(
    environment: jinja2.Environment,
    ids: Sequence[str],
    keys: Mapping[str, str],
    views: Sequence[View],
    most_bytes: int,
) -> tuple[Packed, int]:
    """The pages as far as they fit, and how many programs of a run each shows at most."""
    template, maker = environment.get_template("problem.html"), PageMaker(ids, keys, views)

    def made(id_: str, programs: int) -> str:
        return template.render(page=maker.page(id_, programs), several=len(views) > 1)

    programs = next((most for most in PROGRAMS if _is_small(most, ids, made, most_bytes)), PROGRAMS[-1])
    packed = pack(((keys[id_], made(id_, programs)) for id_ in ids), most_bytes)
    in_order = sorted(packed.plain, key=lambda each: int(each[0][1:]))
    return packed._replace(plain=tuple(in_order)), programs


def _is_small(programs: int, ids: Sequence[str], made: Callable[[str, int], str], most_bytes: int) -> bool:
    """Whether all pages fit with so many programs on each, as far as the first few tell."""
    probe = [made(id_, programs) for id_ in ids[:PROBE]]
    return packed_bytes(probe) * len(ids) < 0.95 * most_bytes


def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 (50 ms that only a report needs)

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["seen"] = visible
    environment.globals |= {
        "over": words.over,
        "count_of": count_of,
        "trust": words.trust_sentences,
        "isolation": lambda view: words.isolation_sentence(view.source.run.manifest),
        "command": lambda view: words.repeat_command(view.source.run.manifest),
        "settings": lambda view: words.settings_rows(view.source.run.manifest),
        "begun": lambda view: on_one_line(view.source.run.manifest.created[:10]),
        "share": _share_bar,
    }
    return environment


def _share_bar(passed: int, samples: int) -> Markup:
    return shares.small_bar(Counter({Outcome.PASSED: passed, Outcome.WRONG_ANSWER: samples - passed}))


def _part(name: str) -> Markup:
    from markupsafe import Markup  # noqa: PLC0415 (comes with jinja2)

    text = resources.files("assay.report").joinpath("templates", name).read_text("utf-8")
    return Markup(text.strip())  # noqa: S704 (a file of ours)


def _policy(script: str, style: str) -> str:
    """The page's own security policy: this script and this style sheet, and nothing else from anywhere."""
    digests = (
        base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") for text in (script, style)
    )
    allowed = "script-src 'sha256-{}'; style-src 'sha256-{}'".format(*digests)
    rest = "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types assay"
    return f"default-src 'none'; {allowed}; {rest}"
