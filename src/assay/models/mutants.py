"""Wrong answers without a model: references that are changed in one place, as mutation testing does.

What holds: the same seed, problem and draw give the same answer, whatever else is asked, and the changed answers to one problem differ as
long as there are ways to change its reference. A changed program is another program, but not always a wrong one (`<` for `<=` may never
matter): only judging tells, which is what they are for.
"""

from __future__ import annotations

import ast
import random
from itertools import islice
from typing import TYPE_CHECKING

from assay.errors import SettingsError
from assay.models.asking import Answer, Reply, draw_seed
from assay.models.canned import FINISHED, reference_of
from assay.records import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.models.asking import Question
    from assay.models.catalogue import ModelSettings

USUAL_RATE = 0.5
"""Share of changed answers where the user names none."""

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.FloorDiv,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""What an operator is changed to."""


class Mutants:
    """Answers with references and changed references; see `Model`.

    Args:
        name: The share of changed answers, 0 to 1; empty for `USUAL_RATE`.
        settings: Its seed decides which answers are changed, and how.

    Raises:
        SettingsError: The share is none.
    """

    server: str | None = None
    needs_prompt = False

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._rate = _rate(name)
        self._seed = settings.sampling.seed or 0
        self.label = f"mutants:{self._rate:g}"
        self._deck: _Deck | None = None

    async def ask(self, question: Question) -> Reply:
        """An answer for each draw.

        Raises:
            ModelError: The problem has no reference.
        """
        return Reply(answers=tuple(self._answer(question, draw) for draw in question.draws))

    def _answer(self, question: Question, draw: int) -> Answer:
        problem_id, source = question.problem.id, reference_of(question.problem)
        if self._deck is None or (self._deck.problem_id, self._deck.source) != (problem_id, source):
            self._deck = _Deck(problem_id, source, self._seed, self._rate)
        changed = self._deck.changed(draw)
        note = {"changed": changed is not None}
        return Answer(text=changed or source, mode=Mode.SOLUTION, finish_reason=FINISHED, fields=note)

    async def close(self) -> None:
        """Holds nothing."""


class _Deck:
    """The changed answers to one problem: the one asked last is kept, since draws may be asked for one by one."""

    def __init__(self, problem_id: str, source: str, seed: int, rate: float) -> None:
        self.problem_id, self.source = problem_id, source
        self._seed, self._rate = seed, rate
        self._ranks: list[int | None] = []
        self._more = mutants(source, _dice(draw_seed(seed, problem_id, -1)))
        self._found: list[str] = []

    def changed(self, draw: int) -> str | None:
        """The changed program of a draw; None where it is not changed, or nothing can be."""
        while len(self._ranks) <= draw:
            at = len(self._ranks)
            is_changed = _dice(draw_seed(self._seed, self.problem_id, at)).random() < self._rate
            self._ranks.append(at - self._ranks.count(None) if is_changed else None)
        rank = self._ranks[draw]
        if rank is None:
            return None
        self._found.extend(islice(self._more, max(0, rank + 1 - len(self._found))))
        return self._found[rank % len(self._found)] if self._found else None


def _dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 (a draw to be repeated, no secret)


def _rate(name: str) -> float:
    try:
        rate = float(name or USUAL_RATE)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise SettingsError(f"mutants:{name} names no share of changed answers", hint="for example mutants:0.3")
    return rate


def mutants(source: str, rng: random.Random) -> Iterator[str]:
    r"""The different programs that a change in one place makes of this one, in a drawn order and in Python's own layout.

    >>> sorted(mutants("def f(a, b):\n    return a < b\n", random.Random(0)))
    ['def f(a, b):\n    return None\n', 'def f(a, b):\n    return a <= b\n']
    """
    try:
        count = len(list(_changes(ast.parse(source))))
        seen = {ast.unparse(ast.parse(source))}
    except (SyntaxError, ValueError, RecursionError):
        return
    for at in rng.sample(range(count), count):
        tree = ast.parse(source)
        list(_changes(tree))[at]()
        changed = ast.unparse(ast.fix_missing_locations(tree))
        if changed not in seen:
            seen.add(changed)
            yield changed + "\n"


def _changes(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Everything that may be changed in a program, each as a call that does it; always in the same order."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=ops):
                yield from (_put(ops, at, _SWAPS[type(op)]()) for at, op in enumerate(ops) if type(op) in _SWAPS)
            case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in _SWAPS:
                yield _set(node, "op", _SWAPS[type(op)]())
            case ast.Constant(value=bool(value)):
                yield _set(node, "value", not value)
            case ast.Constant(value=int(value)):
                yield _set(node, "value", value + 1)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield _set(node, "test", ast.UnaryOp(ast.Not(), test))
            case ast.Return(value=ast.expr()):
                yield _set(node, "value", ast.Constant(None))


def _set(node: ast.AST, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, field, value)


def _put(items: list[ast.cmpop], at: int, value: ast.AST) -> Callable[[], None]:
    def change() -> None:
        assert isinstance(value, ast.cmpop)
        items[at] = value

    return change
