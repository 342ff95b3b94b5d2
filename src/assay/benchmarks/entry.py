"""Which name of a program is on trial, found by reading code and never by running it: data-set code is foreign."""

from __future__ import annotations

import ast
import builtins

from assay.syntax import parse_python

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def entry_of(test: str, reference: str) -> str | None:
    r"""The name that `test` calls first among those that `reference` defines, else the last that it defines.

    Outer calls come before inner ones.

    >>> entry_of("assert set(shared([1], [2])) == set()", "def helper(x): ...\ndef shared(a, b): ...")
    'shared'
    """
    defined = defined_names(reference)
    called = _called_names(test)
    return next((name for name in called if name in defined), defined[-1] if defined else None)


def entry_of_test(test: str, setup: str) -> str | None:
    """Without a reference: the name that `test` calls first and that neither Python nor the setup provides.

    >>> entry_of_test("assert math.isclose(half(abs(-1)), 0.5)", "import math")
    'half'
    """
    provided = {*dir(builtins), *_bound_names(setup)}
    return next((name for name in _called_names(test) if name not in provided), None)


def defined_names(source: str) -> list[str]:
    """Names of the functions and classes at the top level of `source`, in order; none where it does not parse."""
    tree = parse_python(source)
    return [] if tree is None else [node.name for node in tree.body if isinstance(node, _Definition)]


def begins_program(prompt: str, entry_point: str | None) -> bool:
    r"""Whether the prompt begins a program that defines the entry point, if need be with a body put after it.

    >>> begins_program("def f(n):\n", "f"), begins_program("Write f(n).", "f")
    (True, False)
    """
    if entry_point is None:
        return False
    name = entry_point.partition(".")[0]
    head = prompt if prompt.endswith("\n") else prompt + "\n"
    return any(name in defined_names(head + body) for body in ("", "    pass\n", "\tpass\n"))


def parses(source: str) -> bool:
    """Whether `source` is Python, by its grammar."""
    return parse_python(source) is not None


def _called_names(test: str) -> list[str]:
    tree = parse_python(test)
    if tree is None:
        return []
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [function.id for function in calls if isinstance(function, ast.Name)]


def _bound_names(source: str) -> set[str]:
    tree = parse_python(source)
    if tree is None:
        return set()
    nodes = list(ast.walk(tree))
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return imported | stored | {node.name for node in nodes if isinstance(node, _Definition)}
