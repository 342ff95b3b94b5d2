"""Cross-examination of objects whose own `==` the tests rest on.

Where tests compare objects of the candidate's, its word is all there is. So each of them is asked about the others' partners too, and must
answer as the reference's did. A program that only pretends knows which comparisons the tests make and in which order, so it could count
objects or questions, or take over what an object is first compared with. Three things are against that: the comparisons that are looked at
are spread over all of the test's; the questions come in an order that nobody can foresee; and for two of three questions one of the objects
is made anew, by the request that made it, so that it has never been compared with anything.

What is left: a program that keeps, for each visible input, what its object was compared with. That is a table of visible answers, as any
program may hold one; the verdict's trust says `delegated` for such reasons.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from assay.judge.proxies import Remote
    from assay.judge.session import Session

PROBED = 5
"""Comparisons of the test's, and objects that it saw, that are asked about crosswise."""

_T = TypeVar("_T")


class _Question(NamedTuple):
    """Are these two equal? Either may have to be made anew."""

    left: Remote
    right: object
    anew_left: bool = False
    anew_right: bool = False

    def ask(self, session: Session) -> tuple[bool, bool]:
        """What is said to `==` and to `!=`. An exception is no yes: a class need not know what to say of a stranger."""
        try:
            left = session.ask_again(self.left) if self.anew_left else self.left
            right = session.ask_again(self.right) if self.anew_right else self.right
        except Exception:  # noqa: BLE001 (it can't be made again: an answer like any other)
            return False, False
        return _says(lambda: left == right, otherwise=False), _says(lambda: left != right, otherwise=True)


def probe(session: Session, chance: Random | None = None) -> tuple[tuple[bool, bool], ...]:
    """The answers to all questions, in an order of their own whatever the order in which they are asked. Empty where the tests delegate
    no comparison.

    Args:
        session: A session whose tests have been run.
        chance: Decides the order of asking; None asks in the order of the answers.

    Raises:
        SessionEnded: If the agent is gone.
    """
    if not session.operations & {"eq", "ne"}:
        return ()
    questions = list(_questions(session))
    order = list(range(len(questions)))
    if chance is not None:
        chance.shuffle(order)
    policy, session.policy = session.policy, None
    try:
        answers = {number: questions[number].ask(session) for number in order}
    finally:
        session.policy = policy
    return tuple(answers[number] for number in range(len(questions)))


def _questions(session: Session) -> Iterator[_Question]:
    compared = spread(session.compared, PROBED)
    for left, _ in compared:
        for _, right in compared:
            yield _Question(left, right)
            if session.can_ask_again(left):
                yield _Question(left, right, anew_left=True)
            if session.can_ask_again(right):
                yield _Question(left, right, anew_right=True)
    seen = spread(session.seen, PROBED)
    yield from (_Question(left, right) for left in seen for right in seen)


def spread(items: Sequence[_T], count: int) -> list[_T]:
    """So many of the items, the first and the last among them.

    >>> spread("abcdefg", 3), spread("ab", 3)
    (['a', 'd', 'g'], ['a', 'b'])
    """
    if len(items) <= count:
        return list(items)
    return [items[number * (len(items) - 1) // (count - 1)] for number in range(count)]


def _says(compare: Callable[[], object], *, otherwise: bool) -> bool:
    try:
        return bool(compare())
    except Exception:  # noqa: BLE001 (see `ask`)
        return otherwise
