"""The figure of width against n: a file of its own that a browser and an XML parser read."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from assay.metrics import MOST_SAMPLES, Outlook, precision, precision_curve
from assay.report import WIDTHS_MARK, Widths, draw_widths

SVG = "{http://www.w3.org/2000/svg}"


def widths(most=200, difference=None, told="pass@1 over 974 problems", **outlook):
    seen = Outlook(p=0.4, **outlook)
    rows = tuple(precision(seen, 974, n) for n in sorted({seen.k, most}))
    return Widths(told, precision_curve(seen, 974, most), rows, precision(seen, 974, MOST_SAMPLES), difference)


def read(text):
    assert text.startswith(WIDTHS_MARK)
    return ET.fromstring(text)


def test_both_widths_are_drawn_with_a_dot_for_each_number_that_was_asked_about():
    drawn = read(draw_widths(widths()))
    lines = [each.get("class") for each in drawn.iter(f"{SVG}path")]
    assert lines == ["line least interval", "line interval", "line least shown", "line shown"]
    dots = list(drawn.iter(f"{SVG}circle"))
    assert [each.get("class") for each in dots] == ["dot interval"] * 2 + ["dot shown"] * 2
    assert [each.find(f"{SVG}title").text for each in dots[:2]] == ["n = 1: 3.07%", "n = 200: 2.51%"]
    assert float(dots[0].get("cy")) < float(dots[1].get("cy")), "it is narrower with more samples, so lower"


def test_the_difference_that_was_asked_about_is_a_line_within_the_plot():
    for difference in (0.001, 0.02, 0.6):
        drawn = read(draw_widths(widths(difference=difference)))
        (line,) = [each for each in drawn.iter(f"{SVG}line") if each.get("class") == "asked"]
        assert 14 < float(line.get("y1")) < 232
    assert "asked" not in draw_widths(widths()).replace(".asked", "")


@pytest.mark.parametrize(("most", "k"), [(1, 1), (500, 500), (3, 2), (10_000, 1)])
def test_it_can_be_drawn_for_one_number_of_samples_and_for_many(most, k):
    drawn = read(draw_widths(widths(most, k=k)))
    assert "NaN" not in ET.tostring(drawn, encoding="unicode")
    names = [each.text for each in drawn.iter(f"{SVG}text")]
    assert "samples of each problem, n" in names


def test_it_holds_no_script_no_link_and_no_text_that_is_not_escaped():
    text = draw_widths(widths(told="<script>x</script>\nsecond\nthird"))
    assert "<script" not in text
    assert "third" not in [each.text for each in read(text).iter(f"{SVG}text")]
    assert text.count("http") == 1, "the name of the format, which nobody fetches"
