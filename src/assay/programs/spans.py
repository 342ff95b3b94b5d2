"""Code in the smaller places of an answer: between back-ticks on a line, and in a field of a JSON object."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING

from assay.programs.grammar import defines

if TYPE_CHECKING:
    from assay.programs.grammar import Grammar

FIELDS = ("code", "solution", "program")
"""Fields of a JSON object that hold code, the first that does."""

_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)(?:python[ \t]+)?([^`\n]++)\1(?!`)")
_SPANS = 2_000


def inline_code(text: str, entry_point: str | None, grammar: Grammar) -> str | None:
    r"""The last span between back-ticks that is Python and provides the entry point; None where none does.

    >>> from assay.programs.grammar import Grammar
    >>> inline_code("Use `f = lambda n: n * n` for it.", "f", Grammar())
    'f = lambda n: n * n\n'
    """
    if entry_point is None:
        return None
    name = entry_point.partition(".")[0]
    if name not in text or "`" not in text:
        return None
    spans = [span[2].strip() for span in islice(_SPAN.finditer(text), _SPANS) if name in span[2]]
    trees = ((span, grammar.tree(span)) for span in reversed(spans))
    return next((f"{span}\n" for span, tree in trees if tree is not None and defines(tree, entry_point)), None)


def field_code(text: str) -> str | None:
    """The text of the first field of `FIELDS` in a JSON object that the text is; None where it is none or has no such field.

    >>> field_code('{"reasoning": "square", "code": "f = len"}')
    'f = len'
    """
    bare = text.strip()
    if not (bare.startswith("{") and bare.endswith("}")):
        return None
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    texts = [found.get(field) for field in FIELDS] if isinstance(found, dict) else []
    return next((text for text in texts if isinstance(text, str)), None)
