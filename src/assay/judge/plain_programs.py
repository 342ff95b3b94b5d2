"""Which references leave no trace in the process that runs them, so that one agent may run several references in turn.

A reference is data-set code and runs in a sandbox; nothing it does can harm more than the data set's own verdicts. But a reference that
changed a module, a builtin or a setting of the interpreter would change what the next one does. A program is *plain* when its syntax tree
holds nothing that could: it imports well-known modules only, names no builtin that reaches a namespace, a file or the interpreter, uses no
attribute that begins with an underscore, and assigns to no attribute but its own `self`'s. Anything else gets an agent of its own, and so
does a plain reference whose run in company ends in anything but a pass.
"""

from __future__ import annotations

import ast
import re
import sys

from assay.judge.plainness import nodes_of
from assay.syntax import UNPARSABLE

MODULES = frozenset(
    (
        "bisect cmath collections copy datetime decimal fractions functools heapq itertools math operator re statistics string sys "
        "typing"
    ).split()
)
"""Modules of functions and types: none holds state that their public functions change, but for `_SETTERS` and most of `sys`."""

_SETTERS = frozenset("register setcontext getcontext localcontext seed purge cache_clear".split())
_OTHER_MODULES = frozenset((*sys.stdlib_module_names, *sys.builtin_module_names)) - MODULES - {"time"} | {"sys"}
"""Names under which a module may hold another that it imports (`re.enum`); `datetime.time` is a class."""

_OF_SYS = frozenset(("maxsize", "float_info", "byteorder"))
_REACHING = frozenset(
    (
        "__import__ breakpoint compile delattr eval exec exit getattr globals help input locals memoryview open quit setattr super "
        "type vars"
    ).split()
)
_CLOCK = re.compile(r"\bdatetime\b")
_REFUSED = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await, ast.With)


def is_plain_program(source: str) -> bool:
    """Whether a program leaves no trace where it runs, for sure.

    >>> is_plain_program("from math import sqrt; f = lambda n: sqrt(n)"), is_plain_program("import math; math.pi = 3")
    (True, False)
    """
    try:
        tree = ast.parse(source)
    except UNPARSABLE:
        return False
    nodes = nodes_of(tree)
    spared = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and _is_of_sys(n)}
    return all(_is_plain(node) for node in nodes if id(node) not in spared)


def is_repeatable(source: str) -> bool:
    """Whether a *plain* program says the same another day: one that names `datetime`, the only clock in reach, may ask for today's date.

    >>> is_repeatable("from datetime import date; f = lambda: date.today()")
    False
    """
    return _CLOCK.search(source) is None


def _is_of_sys(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "sys" and node.attr in _OF_SYS


def _is_plain(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="__name__", ctx=ast.Load()):
            return True
        case ast.Name(id=name):
            return name not in _REACHING and name != "sys" and not name.startswith("__")
        case ast.Attribute():
            return _is_of_sys(node) or _is_plain_attribute(node)
        case ast.Import(names=names):
            return all(alias.name in MODULES and (alias.name != "sys" or alias.asname is None) for alias in names)
        case ast.ImportFrom(module=module, names=names, level=0):
            return module in MODULES and all(_may_be_taken(module or "", alias.name) for alias in names)
        case ast.ImportFrom():
            return False
        case ast.ClassDef(keywords=keywords, decorator_list=decorators):
            return not keywords and not decorators
        case ast.Constant(value=str(text)):
            return "__" not in text or text == "__main__"
        case _:
            return not isinstance(node, _REFUSED)


def _is_plain_attribute(node: ast.Attribute) -> bool:
    if not _may_be_used(node.attr):
        return False
    return isinstance(node.ctx, ast.Load) or (isinstance(node.value, ast.Name) and node.value.id == "self")


def _may_be_taken(module: str, name: str) -> bool:
    return name in _OF_SYS if module == "sys" else _may_be_used(name)


def _may_be_used(name: str) -> bool:
    return not name.startswith("_") and name not in _SETTERS and name not in _OTHER_MODULES
