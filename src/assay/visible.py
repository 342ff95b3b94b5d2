r"""Foreign text made harmless for where it is shown: a terminal, a page, a spreadsheet, Markdown.

Ids, messages and programs come from candidates and data sets. Keeps true: nothing in them moves a cursor, recolours a screen, turns
the direction of writing, runs as a formula or becomes markup; what was hidden is shown, so that a reader sees that it is there.
"""

from __future__ import annotations

import json
import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Control characters but line end and tab, marks of direction, what has no width, halves of characters."""

_FORMULA = re.compile("\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212|%]")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>()#|$~!&+\-]")
_LINK = re.compile(r"(:)(?=//)|(?<=www)(\.)|(@)", re.IGNORECASE)


def visible(text: str) -> str:
    r"""The text with each character that can't be seen written as a sign for it.

    Line ends and tabs stay; `\r\n` is one line end.

    >>> visible("\x1b[31mred\x7f, \u202eback")
    '␛[31mred␡, ⟦U+202E⟧back'
    """
    return _HIDDEN.sub(_sign, text.replace("\r\n", "\n"))


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"⟦U+{code:04X}⟧"


def escaped_json(text: str) -> str:
    r"""A JSON document with each character that can't be seen written as an escape: the same value, and nothing acts on a terminal.

    >>> print(escaped_json('["\x9b2J", "\u202e"]'))
    ["\u009b2J", "\u202e"]
    """
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def on_one_line(text: str) -> str:
    r"""`visible` text without line ends and tabs, which are shown as signs too.

    >>> on_one_line("a\n\tb")
    'a␊␉b'
    """
    return visible(text).replace("\n", "\u240a").replace("\t", "\u2409")


def spreadsheet_cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: an apostrophe stands before what begins like one.

    >>> spreadsheet_cell("=HYPERLINK(0)"), spreadsheet_cell("pass@1")
    ("'=HYPERLINK(0)", 'pass@1')
    """
    shown = on_one_line(text)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def markdown_cell(text: str) -> str:
    r"""The text as a cell of a Markdown table: no markup, no formula of LaTeX, no link, no mention of anybody.

    >>> print(markdown_cell("a|b $x$ <b> @you"))
    a\|b \$x\$ \<b\> &#64;you
    """
    escaped = _MARKDOWN.sub(lambda found: f"\\{found[0]}", on_one_line(text))
    return _LINK.sub(lambda found: f"&#{ord(found[0])};", escaped)
