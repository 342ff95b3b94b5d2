"""Hammers the decoder or the session with bytes for as long as one likes. Run by hand, never by pytest::

    python tests/fuzz/hammer.py decoder --seconds 1800 --corpus /tmp/hammer
    python tests/fuzz/hammer.py session --seconds 1800 --corpus /tmp/hammer

With atheris installed (it is no dependency of ours) the bytes are guided by what they reach; without it they are honest messages, changed
at random. `decoder`: any bytes decode to a value or are a CodecError, in time and memory bounded by their length, and a value decodes again
to the same bytes. `session`: the first byte chooses a problem, the rest is what its agent says; see `tests/judge/test_session_fuzz.py`.
A finding ends the program with a traceback; atheris then leaves the bytes in the current folder.
"""

# ruff: noqa: PLC0415 (what is imported within functions lies on paths that are set first, or may be missing)
from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import time
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "judge"), str(ROOT / "tests" / "guest")]

if TYPE_CHECKING:
    from collections.abc import Callable

SLOW_S = 5.0
"""No message of a few kilobytes may keep the decoder busy for so long."""

MEMORY_BYTES = 2 << 30
LONGEST_BYTES = 4096


class Count:
    """What has been done so far."""

    def __init__(self) -> None:
        self.runs = self.values = self.slowest_ms = 0
        self.began_s = time.monotonic()

    def tell(self) -> None:
        spent_s = time.monotonic() - self.began_s
        print(
            f"{self.runs} runs, {self.values} with a value or a verdict, {spent_s:.0f} s, slowest {self.slowest_ms} ms",
            flush=True,
        )


COUNT = Count()


def hammer_decoder(data: bytes) -> None:
    """One message."""
    from assay.judge.wire import codec

    for decoder in (codec.Decoder(), _open_decoder(codec)):
        try:
            value = decoder.decode(data)
        except codec.CodecError:
            continue
        COUNT.values += 1
        try:
            again = codec.encode(value)
        except codec.CodecError:
            continue  # it holds something of the hooks'
        assert codec.encode(codec.decode(again)) == again or _has_set(again), "it is another value the second time"


def _has_set(data: bytes) -> bool:
    return b"S" in data or b"Z" in data  # sets may come back in another order


def _open_decoder(codec: Any) -> Any:
    class Instance:
        def method(self) -> None:
            pass

    decoder = codec.Decoder(
        on_handle=lambda number, kind, name, detail: (number, kind, name, detail),
        on_reference=[0, [], {}].__getitem__,
        on_callback=[len].__getitem__,
        on_valued=lambda base, *_: base,
        on_instance=lambda name: {"A": Instance}[name](),
        known=[[], {}],
    )
    decoder.takes_builtins = True
    return decoder


def hammer_session(data: bytes) -> None:
    """One conversation."""
    from test_session_fuzz import NAMES, require_sound

    if data:
        choice = data[0] % (2 * len(NAMES))
        require_sound(NAMES[choice // 2], data[1:], live=bool(choice % 2))
        COUNT.values += 1


def seeds(target: str) -> list[bytes]:
    """Honest messages to begin with."""
    from evil import packed, scene
    from test_session_fuzz import NAMES

    whole = [(2 * n + live, scene(name).honest(live=bool(live))) for n, name in enumerate(NAMES) for live in (0, 1)]
    if target == "session":
        return [bytes([choice]) + b"".join(map(packed, frames)) for choice, frames in whole]
    from assay.judge.wire import codec

    return [frame for _, frames in whole for frame in frames] + [codec.encode(value) for value in _examples()]


def _examples() -> list[object]:
    now = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
    numbers = [
        1 << 200,
        -5,
        0.5,
        1 + 2j,
        True,
        None,
        Decimal("1.5"),
        Fraction(1, 3),
        [1, 2.5, True] * 5,
        list(range(20)),
        [0.5] * 9,
    ]
    texts = [
        "abc",
        "é",
        b"xy",
        bytearray(b"z"),
        ["a", "bc"] * 5,
        ("x",),
        {"k": [1]},
        {1, 2},
        frozenset("ab"),
        {}.keys(),
        {1: 2}.items(),
    ]
    others = [now, now.date(), now.timetz(), timedelta(1, 2, 3), range(3), slice(1, None), int, ..., array("i", [1, 2])]
    boxes = [
        Counter("aab"),
        OrderedDict(a=1),
        deque([1], 3),
        defaultdict(int, {1: 2}),
        np.arange(4.0),
        np.array([1, "a"], object),
        np.int8(3),
    ]
    return [*numbers, *texts, *others, *boxes]


def timed(run: Callable[[bytes], None]) -> Callable[[bytes], None]:
    def once(data: bytes) -> None:
        began_s = time.process_time()
        run(data)
        COUNT.runs += 1
        spent_ms = int(1000 * (time.process_time() - began_s))
        COUNT.slowest_ms = max(COUNT.slowest_ms, spent_ms)
        assert spent_ms < 1000 * SLOW_S, f"{spent_ms} ms"
        if COUNT.runs % 100_000 == 0:
            COUNT.tell()

    return once


def guided(run: Callable[[bytes], None], corpus: Path, seconds: int, longest: int) -> None:
    """Lets atheris choose the bytes, by the branches of our own code that they reach."""
    import atheris

    names = (
        "codec.py",
        "session.py",
        "values.py",
        "proxies.py",
        "trial.py",
        "plan.py",
        "wire.py",
        "equality.py",
        "loading.py",
        "probing.py",
    )
    for o in gc.get_objects():
        if isinstance(o, FunctionType) and o.__code__.co_filename.endswith(names) and "assay" in o.__code__.co_filename:
            atheris.instrument_func(o)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={longest}",
        "-rss_limit_mb=3000",
        "-print_final_stats=1",
        "-timeout=20",
    ]
    atheris.Setup([sys.argv[0], str(corpus), *options], run, enable_python_coverage=True)
    atheris.Fuzz()


def blind(run: Callable[[bytes], None], given: list[bytes], seconds: int, longest: int) -> None:
    """Changes honest messages at random."""
    chance = random.Random(1)
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        data = bytearray(chance.choice(given))
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(data) + 1)
            other = chance.choice(given)
            start = chance.randrange(len(other) + 1)
            match chance.randrange(4):
                case 0:
                    data[at : at + chance.randrange(9)] = b""
                case 1:
                    data[at:at] = other[start : start + chance.randrange(40)]
                case 2:
                    data[at : at + 1] = bytes([chance.randrange(256)])
                case _:
                    data[at : at + 4] = chance.choice([0, 1, 2, 3, 255, 1 << 31]).to_bytes(4, "little")
        run(bytes(data[:longest]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=("decoder", "session"))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, default=Path("hammer-corpus"))
    parser.add_argument("--blind", action="store_true", help="do without atheris")
    given = parser.parse_args()
    corpus = given.corpus / given.target
    corpus.mkdir(parents=True, exist_ok=True)
    begin = seeds(given.target)
    for number, data in enumerate(begin):
        (corpus / f"seed-{number}").write_bytes(data)
    run = timed({"decoder": hammer_decoder, "session": hammer_session}[given.target])
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        if given.blind:
            blind(run, begin, given.seconds, 4 * LONGEST_BYTES)
        else:
            guided(run, corpus, given.seconds, LONGEST_BYTES)
    finally:
        COUNT.tell()


if __name__ == "__main__":
    main()
