"""Readers of the origin form of EvalPlus's sets (which is also the hub's): the columns of MBPP and HumanEval, and all tests as one text.

The text ends in a loop over two literals, and a helper that compares::

    inputs = [[[1, 2], 3], ...]
    results = [4, ...]
    for i, (inp, exp) in enumerate(zip(inputs, results)):
        assertion(add(*inp), exp, 0)

Keeps true: such a row becomes the calls that the release form of its task has, so both are judged in the same way, by the same oracle,
input by input; nothing of the text is run. Where it is built in another way, it is judged as the text that it is. `results` are not read:
the reference says what is right, as in the release form.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.benchmarks.calls import argument_lists, literal, value_of_literal
from assay.benchmarks.entry import entry_of
from assay.benchmarks.evalplus_tasks import HUMANEVALPLUS_RELEASES, MBPPPLUS_RELEASES, oracle_of, task_name
from assay.benchmarks.fields import UnusableRow, identifier, list_of_texts, optional_text, required_text
from assay.benchmarks.shapes import Shape
from assay.records import AssertTests, CallTests, CheckTests, Problem, Tests
from assay.syntax import UNPARSABLE, parse_python

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ID = "task_id"
_LITERAL_LINE = re.compile(r"^[ \t]*(inputs|results) = (\[.*\])[ \t]*$", re.MULTILINE)
_LOOP_LINE = re.compile(r"^\s*for i, .+ in enumerate\(", re.MULTILINE)


class Loop(NamedTuple):
    """What a test text says: literals of the lists of arguments, the name that it calls, and the tolerance that it gives to its helper."""

    inputs: tuple[str, ...]
    entry_point: str
    atol: float


def read_loop(text: str) -> Loop | None:
    r"""What a test text says, None where it is not built as expected.

    >>> read_loop("inputs = [[1], [2]]\nfor i, inp in enumerate(inputs):\n    assertion(f(*inp), ref_func(*inp), 0)")
    Loop(inputs=('[1]', '[2]'), entry_point='f', atol=0.0)
    """
    literals = dict(_LITERAL_LINE.findall(text))
    tree = parse_python(_LITERAL_LINE.sub("", text))  # without the literals, which are nearly all of the text
    for body in _bodies(tree):
        loop = next((node for node in reversed(body) if isinstance(node, ast.For)), None)
        called = None if loop is None else _called(loop)
        if loop is not None and called is not None and "inputs" in literals:
            try:
                return Loop(argument_lists(literals["inputs"], "test"), called, _tolerance(loop))
            except UnusableRow:
                return None
    return None


def _bodies(tree: ast.Module | None) -> list[list[ast.stmt]]:
    """Where the loop may stand: in the text itself, or in its `check`."""
    if tree is None:
        return []
    checks = [node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    return [tree.body, *checks]


def _called(loop: ast.For) -> str | None:
    """The name that is called with `*inp` first, outer calls before inner ones: the candidate."""
    calls = (node for node in ast.walk(loop) if isinstance(node, ast.Call))
    callees = (call.func for call in calls if [ast.unparse(argument) for argument in call.args] == ["*inp"])
    names = (callee.id for callee in callees if isinstance(callee, ast.Name))
    return next(names, None)


def _tolerance(loop: ast.For) -> float:
    """The third argument of the helper, 0 where there is none."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "assertion":
            last = node.args[-1] if len(node.args) == 3 else None
            if isinstance(last, ast.Constant) and isinstance(last.value, int | float) and last.value >= 0:
                return float(last.value)
    return 0.0


def _read_mbpp(row: Mapping[str, Any]) -> Problem:
    name, reference = identifier(row, _ID), required_text(row, "code")
    text, asserts = required_text(row, "test"), list_of_texts(row, "test_list")
    if not asserts:
        raise UnusableRow("'test_list' is empty")
    loop = read_loop(text)
    entry_point = entry_of(asserts[0], reference)
    tests: tuple[Tests, ...] = (AssertTests(cases=asserts), AssertTests(cases=(text,), group="plus"))
    if loop is not None:
        entry_point = loop.entry_point
        tests = _calls(loop, asserts, task_name(name))
    return Problem(
        id=name,
        prompt=required_text(row, "prompt"),
        tests=tests,
        entry_point=entry_point,
        reference=reference,
        # The imports serve the asserts only; the calls need none, and no candidate gets what the release form does not give it.
        setup="" if loop is not None else "\n".join(list_of_texts(row, "test_imports")),
    )


def _calls(loop: Loop, asserts: Sequence[str], task: str) -> tuple[Tests, ...]:
    """The inputs in their groups: `base` are those of the asserts. An assert whose input can't be found by its text stands for the first
    one that is left, for the texts begin with the base inputs.
    """
    oracle = oracle_of(task, loop.entry_point, loop.atol)
    named = {call for text in asserts for call in _literal_calls(text, loop.entry_point)}
    base = {number for number, arguments in enumerate(loop.inputs) if arguments in named}
    rest = (number for number in range(len(loop.inputs)) if number not in base)
    base |= {number for number, _ in zip(rest, range(len(asserts) - len(base)), strict=False)}
    groups = {
        "base": tuple(arguments for number, arguments in enumerate(loop.inputs) if number in base),
        "plus": tuple(arguments for number, arguments in enumerate(loop.inputs) if number not in base),
    }
    return tuple(CallTests(inputs=calls, group=group, oracle=oracle) for group, calls in groups.items() if calls)


def _literal_calls(text: str, entry_point: str) -> list[str]:
    tree = parse_python(text)
    found: list[str] = []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry_point:
            try:
                found.append(literal([value_of_literal(argument) for argument in node.args]))
            except (*UNPARSABLE, TypeError):
                continue
    return found


def _read_humaneval(row: Mapping[str, Any]) -> Problem:
    name, prompt = identifier(row, _ID), required_text(row, "prompt")
    text, entry_point = required_text(row, "test"), required_text(row, "entry_point")
    solution = optional_text(row, "canonical_solution")
    loop = read_loop(text)
    tests: Tests = CheckTests(source=text, group="plus")
    if loop is not None and solution is not None:
        tests = CallTests(inputs=loop.inputs, group="plus", oracle=oracle_of(name, entry_point, loop.atol))
    return Problem(
        id=name,
        prompt=prompt,
        tests=(tests,),
        entry_point=entry_point,
        reference=None if solution is None else prompt + solution,
        prompt_is_code=True,
    )


def _has_loop(row: Mapping[str, Any]) -> bool:
    text = row.get("test")
    return isinstance(text, str) and bool(_LITERAL_LINE.search(text) and _LOOP_LINE.search(text))


_MBPP = frozenset({_ID, "prompt", "code", "test_list", "test"})
_HUMANEVAL = frozenset({_ID, "prompt", "entry_point", "test"})

MBPPPLUS_ORIGIN = Shape(
    "the origin form of mbppplus", _ID, (_MBPP,), _MBPP | {"test_imports"}, _read_mbpp, releases=MBPPPLUS_RELEASES
)
"""MBPP+ as rows of sanitized MBPP, with base and plus tests in `test`."""

HUMANEVALPLUS_ORIGIN = Shape(
    "the origin form of humanevalplus",
    _ID,
    (_HUMANEVAL,),
    _HUMANEVAL | {"canonical_solution"},
    _read_humaneval,
    _has_loop,
    HUMANEVALPLUS_RELEASES,
)
"""HumanEval+ as rows of HumanEval. Nothing tells its base tests from the others: all are `plus`."""
