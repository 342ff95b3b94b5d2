"""Figures as SVG text, by a few lines of our own: what a report needs, small enough to stand in the page hundreds of times.

Keeps true: colours are classes of the page's style sheet (so that figures follow light and dark), never attributes of style, which the
page's security policy forbids; every text goes through `escape`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Table(NamedTuple):
    """The numbers of a figure for who can't see it, or wants to copy them."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Figure(NamedTuple):
    """A figure of the page: what it shows (`title`), how to read it (`caption`), the drawing, its numbers.

    `wide` figures take the whole width; `kind` names a figure for the style sheet and the script.
    """

    title: str
    caption: str
    drawing: Markup
    table: Table
    kind: str = ""
    wide: bool = False
    legend: tuple[tuple[str, str], ...] = ()


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element; `class_` is written `class`, other underscores as hyphens, None is left out.

    >>> tag("text", "a < b", x=1.50, class_="t")
    Markup('<text x="1.5" class="t">a &lt; b</text>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = Markup("").join(escape(each) for each in inside)
    return Markup(f"<{name}{written}>{content}</{name}>" if inside else f"<{name}{written}/>")  # noqa: S704 (both parts are escaped)


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(escape(value))


def number(value: float) -> str:
    """A coordinate in as few characters as do.

    >>> number(1.0), number(0.249), number(-0.004)
    ('1', '.25', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    text = "0" if text in ("-0", "") else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def drawing(width: float, height: float, parts: Iterable[str], *, label: str, class_: str = "plot") -> Markup:
    """An SVG element that screen readers read as one image."""
    inside = (tag("title", label), *parts)
    return tag("svg", *inside, viewBox=f"0 0 {number(width)} {number(height)}", role="img", class_=class_)


class Scale(NamedTuple):
    """Values from `low` to `high` on a line from `start` to `end`; by logarithm where `log` says so."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where the value stands; beyond the ends it stands at the end."""
        low, high, at = (math.log(v) if self.log else v for v in (self.low, self.high, max(value, self.low)))
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def path(points: Iterable[tuple[float, float]], *, closed: bool = False) -> str:
    """The `d` of a line through the points."""
    joined = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{joined}{'Z' if closed else ''}" if joined else ""


def nice_steps(low: float, high: float, about: int = 5) -> list[float]:
    """Round values from `low` to `high`, some `about` of them.

    >>> nice_steps(0, 1), nice_steps(0, 0.34)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 0.1, 0.2, 0.3])
    """
    if high <= low:
        return [low]
    raw = (high - low) / about
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


HALF_LETTER = 4.2
"""Half the width of a letter, as large as narrow screens show it, in the units of a drawing."""


class Plot:
    """A plot with two axes; parts are added in the order of drawing.

    Args:
        x: Scale across, in the units of the drawing.
        y: Scale upwards (its start is the bottom).
    """

    WIDTH, HEIGHT = 460.0, 270.0
    LEFT, RIGHT, TOP, BOTTOM = 46.0, 446.0, 14.0, 232.0

    def __init__(self, x: Scale, y: Scale) -> None:
        self.x, self.y = x, y
        self.parts: list[str] = []

    def add(self, *parts: str) -> None:
        """Draws on top of what is there."""
        self.parts.extend(parts)

    def across(self, steps: Sequence[float], written: Callable[[float], str], name: str) -> None:
        """Ticks of the horizontal axis, and its name."""
        for step in steps:
            at, text = self.x(step), written(step)
            # On a narrow screen what stands out of the drawing is cut off: such a label ends with it.
            out = at + HALF_LETTER * len(text) > self.WIDTH
            self.add(
                tag("line", x1=at, x2=at, y1=self.BOTTOM, y2=self.BOTTOM + 4, class_="tick"),
                tag("text", text, x=self.WIDTH if out else at, y=self.BOTTOM + 17, class_="t end" if out else "t mid"),
            )
        self.add(tag("line", x1=self.LEFT, x2=self.RIGHT, y1=self.BOTTOM, y2=self.BOTTOM, class_="axis"))
        self.add(tag("text", name, x=self.RIGHT, y=self.BOTTOM + 33, class_="t end name"))

    def upwards(self, steps: Sequence[float], written: Callable[[float], str]) -> None:
        """Ticks of the vertical axis, with lines across."""
        for step in steps:
            at = self.y(step)
            self.add(
                tag("line", x1=self.LEFT, x2=self.RIGHT, y1=at, y2=at, class_="grid"),
                tag("text", written(step), x=self.LEFT - 7, y=at + 4, class_="t end"),
            )

    def line(self, points: Sequence[tuple[float, float]], class_: str) -> None:
        """A line through values."""
        self.add(tag("path", d=path((self.x(a), self.y(b)) for a, b in points), class_=f"line {class_}"))

    def band(self, points: Sequence[tuple[float, float, float]], class_: str) -> None:
        """The area between a lower and an upper value at each place."""
        upper = [(self.x(a), self.y(high)) for a, _, high in points]
        lower = [(self.x(a), self.y(low)) for a, low, _ in reversed(points)]
        self.add(tag("path", d=path([*upper, *lower], closed=True), class_=f"band {class_}"))

    def drawn(self, label: str) -> Markup:
        """The finished drawing."""
        return drawing(self.WIDTH, self.HEIGHT, self.parts, label=label)


def percent(value: float) -> str:
    """A share as people read it.

    >>> percent(0.25), percent(1), percent(0.025)
    ('25%', '100%', '2.5%')
    """
    return f"{100 * value:.3g}%"
