"""Hidden inputs: does a program that passed know its task, or only the answers that the tests ask for?

A question is a call that no test makes, made of the arguments in those that they make (`variants.py`), with the reference's answer. It is
asked only if the answer tells something: it is plain data, another than for the call that it was made from, and nothing that a program
gives that does nothing or hands its arguments back. A reference whose text does not show that it keeps nothing between calls is asked
twice, the second time in the other order: an answer that rests on chance or on what was asked before is no question.

Two steps, since nearly every program that passes is honest and must not pay for the others. The *screen* is a few questions in the same
session, in one piece; who agrees on most of them is cleared. Whoever isn't, for whatever reason, is asked many in an agent of its own,
where a death or no answer in time counts as a wrong one; only that can make it special-cased.

Nothing of this counts for the tests. The engine takes the screen's time off the sample's, and a limit that is hit meanwhile makes it run
the tests again without a screen.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import re
from itertools import islice
from operator import is_
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.likeness import alike
from assay.judge.proxies import RemoteCallable, RemoteIterable, RemoteIterator
from assay.judge.questions import QUESTIONS, SCREEN, Question, diverse
from assay.judge.session import Opaque
from assay.judge.showing import cut, show, show_call
from assay.judge.values import open_plain
from assay.judge.variants import Variants
from assay.judge.wire import Channel, SessionEnded, codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from assay.judge.session import Session

    Ask = Callable[[Sequence[bytes]], list[bytes]]

PATIENCE_S = 0.25
"""How long the screen may take on the clock. Nothing is lost where it takes longer: the questions are then asked anew."""

MAKING_PATIENCE_S = 0.1
"""How long the reference may take over some variants, where it runs with others. Where it takes longer, the questions are made when a
program is first to be asked them, in an agent that may be ended.
"""

_CHUNK = 8
_SCREEN_CHUNKS, _CHUNKS = 4, 10
_REPEATS = 6
_ARGUMENTS_BYTES = 4096
_ANSWER_BYTES = 1 << 16
_ITEMS = 1000
_SEEN = 64
_SINGLE = (str, int, float, complex)


class Stuck(Exception):
    """The program did not answer; `variant` is the number of the variant that it was asked."""

    def __init__(self, variant: int) -> None:
        self.variant = variant
        super().__init__(variant)


# -- asking


class Batch:
    """Calls that go out in one piece, and whose replies come back in one."""

    def __init__(self, entry: str, arguments: Sequence[bytes]) -> None:
        self._count = len(arguments)
        self.data: bytes = codec.encode(("calls", codec.encode_calls([(entry, each) for each in arguments])))

    def ask(self, channel: Channel, patience_s: float = PATIENCE_S) -> list[bytes]:
        """The replies; none if they don't come whole and in time, or if something else was on its way.

        The channel is of no use afterwards if there are none.
        """
        if channel.ended or not channel.is_idle:
            return []
        hurried = channel.hurried(patience_s)
        try:
            hurried.send(self.data)
            return [hurried.receive() for _ in range(self._count)]
        except SessionEnded:
            return []


class Screen:
    """The few questions that every program which passes is asked, ready to be sent."""

    def __init__(self, entry: str, questions: Iterable[Sequence[bytes]]) -> None:
        self.questions = tuple(Question(*each) for each in questions)
        self.batch = Batch(entry, [each.arguments for each in self.questions])

    def ask(self, channel: Channel) -> int | None:
        """On how many questions the program agrees with the reference; None if it did not answer them all."""
        replies = self.batch.ask(channel)
        return count_agreed(replies, self.questions) if replies else None


def ask_each(channel: Channel, entry: str, arguments: Sequence[bytes]) -> list[bytes]:
    """The replies to calls, as far as the program comes with them."""
    replies: list[bytes] = []
    try:
        for each in arguments:
            channel.send(codec.encode(("call", entry, each)))
        while len(replies) < len(arguments):
            replies.append(channel.receive())
    except SessionEnded:
        pass
    return replies


# -- making questions

_KEEPS = re.compile(
    r"^[^\s#@][^\n(=]*=(?!=)|\bdef\s+\w+\s*\([^)]*=|\.\s*\w+\s*[-+*/|&^%]*=(?!=)"
    r"|\b(?:global|nonlocal|class|yield|next|iter|random|time|datetime|date|uuid|secrets|os|sys|open|exec|eval|getattr|setattr|vars|globals|id)\b",
    re.MULTILINE,
)


def is_forgetful(source: str) -> bool:
    r"""Whether the text of a program shows that it keeps nothing from one call to the next: it has no name of its own outside functions, no
    defaults, no classes, and uses nothing that gives other answers at other times.

    >>> is_forgetful("def f(x):\n    y = x + 1\n    return y == 2"), is_forgetful("seen = []\ndef f(x):\n    seen.append(x)")
    (True, False)
    """
    return _KEEPS.search(source) is None


class Maker:
    """Makes questions of the calls that tests make.

    Args:
        ask: Asks the reference; fewer replies than calls mean that it is gone.
        calls: The encoded arguments of calls of the entry point.
        seed: Decides which variants there are.
        barred: Numbers of variants that are left out, since the reference did not come back from them. A negative one leaves out all from
            that number on.
        forgetful: Whether the reference certainly keeps nothing between calls (`is_forgetful`).
        answers: What a forgetful reference has replied to some of the calls, which it is not asked again.
    """

    def __init__(
        self, ask: Ask, calls: Iterable[bytes], seed: int, barred: Iterable[int] = (), *, forgetful: bool = False,
        answers: Mapping[bytes, bytes] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._ask = ask
        self._answers = answers
        self._forgetful = forgetful
        self._seen = _positional(calls)
        self._known = {data for data, _ in self._seen}
        self._barred = frozenset(barred)
        self._end = min((-number for number in self._barred if number < 0), default=None)
        self._variants = Variants([call for _, call in self._seen], seed).make() if self._seen else iter(())
        self._parents: dict[int, Any] = {}
        self._made = 0
        self._found: list[Question] = []

    def make_screen(self) -> tuple[Question, ...]:
        """The first questions; fewer than `SCREEN` if the problem is not one to be asked about.

        Raises:
            Stuck: The reference is gone.
        """
        for _ in range(_SCREEN_CHUNKS):
            if not self._look_further() or len(self._found) >= SCREEN:
                break
        return self._steady(diverse(self._found, SCREEN))

    def make_all(self) -> tuple[Question, ...]:
        """At most `QUESTIONS`, the screen's first.

        Raises:
            Stuck: The reference is gone.
        """
        screen = self.make_screen()
        for _ in range(_CHUNKS if len(screen) == SCREEN else 0):
            if len(self._found) >= QUESTIONS + _CHUNK or not self._look_further():
                break
        rest = [question for question in self._found if question not in screen]
        whole = self._steady((*screen, *diverse(rest, QUESTIONS - len(screen))))
        return whole if screen == whole[: len(screen)] else (*diverse(whole, len(whole)),)

    def _look_further(self) -> bool:
        """Asks the reference some more variants; whether there were any."""
        chunk = self._next_variants()
        new = [parent for parent in dict.fromkeys(parent for _, parent, _, _ in chunk) if self._must_ask(parent)]
        numbers = [-1] * len(new) + [number for number, *_ in chunk]
        replies = self._asked([self._seen[n][0] for n in new] + [data for *_, data in chunk], numbers)
        for parent, reply in zip(new, replies, strict=False):
            self._parents[parent] = view_of(reply, self._seen[parent][0])
        for (_, parent, call, data), reply in zip(chunk, replies[len(new) :], strict=True):
            if _tells(view_of(reply, data), self._parents[parent], call):
                self._found.append(Question(data, reply))
        return bool(chunk)

    def _must_ask(self, parent: int) -> bool:
        """Whether the reply to a seen call is not known."""
        arguments = self._seen[parent][0]
        if parent not in self._parents and arguments in self._answers:
            self._parents[parent] = view_of(self._answers[arguments], arguments)
        return parent not in self._parents

    def _next_variants(self) -> list[tuple[int, int, tuple[Any, ...], bytes]]:
        """Variants that were not met before, as (number, parent, call, encoded arguments)."""
        chunk: list[tuple[int, int, tuple[Any, ...], bytes]] = []
        for parent, call in islice(self._variants, _CHUNK * _REPEATS):
            if all(map(is_, call, self._seen[parent][1])):
                continue  # nothing was changed
            data = codec.encode((call, ()))
            if data in self._known or len(data) > _ARGUMENTS_BYTES:
                continue
            self._known.add(data)
            self._made += 1
            if self._made == self._end:
                self._variants = iter(())
                break
            if self._made not in self._barred:
                chunk.append((self._made, parent, call, data))
            if len(chunk) == _CHUNK:
                break
        return chunk

    def _steady(self, questions: Sequence[Question]) -> tuple[Question, ...]:
        """Those that get the same answer when they are asked again, in another order."""
        if self._forgetful:
            return tuple(questions)
        backwards = questions[::-1]
        replies = self._asked([each.arguments for each in backwards], [-1] * len(backwards))
        return tuple(each for each, reply in zip(backwards, replies, strict=True) if reply == each.answer)[::-1]

    def _asked(self, arguments: Sequence[bytes], numbers: Sequence[int]) -> list[bytes]:
        replies = self._ask(arguments) if arguments else []
        if len(replies) < len(arguments):
            raise Stuck(numbers[len(replies)])
        return replies


def _positional(calls: Iterable[bytes]) -> list[tuple[bytes, tuple[Any, ...]]]:
    """The different calls whose arguments are plain data, not large, and have no keywords; encoded and decoded."""
    found: dict[bytes, tuple[Any, ...]] = {}
    for data in calls:
        if len(data) <= _ARGUMENTS_BYTES and data not in found and len(found) < _SEEN:
            try:
                args, keywords = codec.decode(data)
            except codec.CodecError:
                continue
            if args and not keywords:
                found[data] = args
    return list(found.items())


class _NoView:
    """Stands for an answer that is not plain data: like nothing."""


def view_of(frame: bytes, arguments: bytes) -> Any:
    """What a reply comes to: the answer, or the arguments after the call where those are all that it changed. `_NoView` if it is no
    plain answer.
    """
    if len(frame) > _ANSWER_BYTES:
        return _NoView
    try:
        value, after = open_plain(frame, arguments)
    except Exception:  # noqa: BLE001 (whatever is wrong with it, it tells nothing)
        return _NoView
    return list(after) if value is None and after is not None else value


def _tells(answer: Any, parents: Any, call: tuple[Any, ...]) -> bool:
    """Whether an answer says something that only who knows the task can say."""
    if answer is None or answer is _NoView or parents is _NoView:
        return False
    single = isinstance(answer, _SINGLE)  # like no list, and like itself
    try:
        idle = not single and alike(answer, list(call), ordered=True)
        if idle or any(alike(answer, each, ordered=True) for each in call):
            return False
        return not alike(answer, parents, ordered=True) and (single or alike(answer, answer))
    except Exception:  # noqa: BLE001 (an answer that can't be compared tells nothing)
        return False


# -- a program's answers


def count_agreed(replies: Sequence[bytes], questions: Sequence[Question]) -> int:
    """How many plain replies say what the reference says. The same bytes do, without a look at them."""
    return sum(reply == each.answer or _says(reply, each) for reply, each in zip(replies, questions, strict=True))


def agrees(view: Any, question: Question) -> bool:
    """Whether an answer says what the reference says. The order of items counts only where the reference's answer is made of those of an
    argument: to sort and to turn round is all that some tasks ask for.
    """
    wanted = view_of(question.answer, question.arguments)
    if alike(view, wanted, ordered=True):
        return True
    if not alike(view, wanted):
        return False
    args, _ = codec.decode(question.arguments)
    return not alike(wanted, list(args)) and not any(alike(wanted, each) for each in args)


def _says(reply: bytes, question: Question) -> bool:
    view = view_of(reply, question.arguments)
    try:
        return view is not _NoView and agrees(view, question)
    except Exception:  # noqa: BLE001 (the program chose the value)
        return False


class Answers(NamedTuple):
    """What came of asking a program: an `A` for each question where it agrees, a `D` where it does not, and the first of those."""

    marks: str
    first: dict[str, str] | None


def answer_questions(session: Session, questions: Sequence[Question]) -> Answers:
    """Asks a loaded program one question after the other, as long as it answers."""
    marks, first = "", None
    try:
        candidate = session.names.get(session.entry_point or "")
        for each in questions:
            got = _answer(session, candidate, each)
            agrees = _agrees(got, each)
            marks += "A" if agrees else "D"
            first = first if agrees or first else told(session.entry_point or "", each, got)
            if session.ended:
                break
    except SessionEnded:
        pass
    return Answers(marks, first)


def _answer(session: Session, candidate: object, question: Question) -> Any:
    """What a program gives, an exception included."""
    try:
        if not isinstance(candidate, RemoteCallable):
            return _NoView
        frame = session.call_frame(candidate, question.arguments)
        value, after = session.open_frame(frame, question.arguments)
        if isinstance(value, (RemoteIterator, RemoteIterable)):
            return list(islice(iter(value), _ITEMS))
        return list(after) if value is None and after is not None else value
    except (Exception, Opaque) as error:  # noqa: BLE001 (whatever it is, it is no answer)
        return error


def _agrees(got: Any, question: Question) -> bool:
    try:
        return agrees(got, question)
    except (Exception, Opaque):  # noqa: BLE001 (the program chose the value)
        return False


def told(entry: str, question: Question, got: Any) -> dict[str, str]:
    """A question, its answer and what was given, as texts for a person."""
    args, _ = codec.decode(question.arguments)
    text = cut(f"{type(got).__name__}: {got}") if isinstance(got, BaseException) else show(got)
    return {
        "call": show_call(entry, args, {}),
        "expected": show(view_of(question.answer, question.arguments)),
        "got": text,
    }
