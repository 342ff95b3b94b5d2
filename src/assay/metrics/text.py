"""How like a reference a text is: for tasks that can't be run, and to show why likeness misleads where they can.

Keeps true: every function is of (candidate, reference), gives 0 to 1 and 1 for equal texts, and needs no library; BLEU and chrF
give sacrebleu's figures (divided by 100). None of them says that code works: `docs/metrics.md` shows right code that scores low
and wrong code that scores high.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TOKEN = re.compile(r"\w+|[^\w\s]")
_BLEU_ORDER, _CHRF_ORDER, _CHRF_BETA = 4, 6, 2


def tokens(text: str) -> list[str]:
    """Words and single signs, blanks left out.

    >>> tokens("return n+1")
    ['return', 'n', '+', '1']
    """
    return _TOKEN.findall(text)


def exact_match(candidate: str, reference: str) -> float:
    """1 where both texts are equal but for blanks at the ends, otherwise 0.

    >>> exact_match(" 42", "42"), exact_match("42.0", "42")
    (1.0, 0.0)
    """
    return float(candidate.strip() == reference.strip())


def token_f1(candidate: str, reference: str) -> float:
    """Harmonic mean of the share of the candidate's tokens that the reference has, and the other way round; order is not looked at.

    Source: Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text", section 6.1.

    >>> token_f1("a - b", "b - a")  # the wrong subtraction is a perfect match
    1.0
    """
    mine, theirs = Counter(tokens(candidate)), Counter(tokens(reference))
    return _f_score((mine & theirs).total(), mine.total(), theirs.total(), 1)


def bleu(candidate: str, reference: str) -> float:
    """BLEU of one sentence: geometric mean of the precision of runs of 1 to 4 tokens, less for texts shorter than the reference.

    As sacrebleu's `sentence_bleu`: tokens of mteval-13a, effective order, exponential smoothing. Source: Papineni et al. 2002,
    "BLEU: a Method for Automatic Evaluation of Machine Translation"; Post 2018, "A Call for Clarity in Reporting BLEU
    Scores".

    >>> round(bleu("the cat sat on a mat", "the cat sat on the mat"), 4)
    0.5373
    """
    mine, theirs = _tokens_13a(candidate), _tokens_13a(reference)
    logs, smooth = [], 1.0
    for size in range(1, _BLEU_ORDER + 1):
        runs = _runs(mine, size)
        if not runs:
            break
        hits = (runs & _runs(theirs, size)).total()
        smooth = smooth if hits else smooth * 2
        logs.append(math.log((hits or 1 / smooth) / runs.total()))
    # Like sacrebleu, a text without one common token gets nothing: smoothing is for longer runs.
    if not logs or not Counter(mine) & Counter(theirs):
        return float(not mine and not theirs)
    brevity = min(0.0, 1 - len(theirs) / len(mine))
    return min(1.0, math.exp(math.fsum(logs) / len(logs) + brevity))


def chrf(candidate: str, reference: str) -> float:
    """Mean F score of runs of 1 to 6 characters, blanks left out, recall counting twice as much as precision.

    As sacrebleu's `sentence_chrf` (chrF2). Source: Popovic 2015, "chrF: character n-gram F-score for automatic MT
    evaluation".

    >>> round(chrf("the cat sat on a mat", "the cat sat on the mat"), 4)
    0.6598
    """
    mine, theirs = "".join(candidate.split()), "".join(reference.split())
    if not mine or not theirs:
        return float(mine == theirs)
    precisions, recalls = [], []
    for size in range(1, _CHRF_ORDER + 1):
        own, other = _runs(mine, size), _runs(theirs, size)
        if own and other:
            hits = (own & other).total()
            precisions.append(hits / own.total())
            recalls.append(hits / other.total())
    precision, recall = (sum(each) / len(each) for each in (precisions, recalls))
    weight = _CHRF_BETA**2
    return (1 + weight) * precision * recall / (weight * precision + recall) if precision + recall else 0.0


def rouge_l(candidate: str, reference: str) -> float:
    """F score of the longest common subsequence of tokens: order counts, gaps don't.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", section 3 (with precision and recall alike).

    >>> rouge_l("a b c d", "a x b d")
    0.75
    """
    mine, theirs = tokens(candidate), tokens(reference)
    return _f_score(longest_common(mine, theirs), len(mine), len(theirs), 1)


def edit_similarity(candidate: str, reference: str) -> float:
    """1 minus the edits of single characters (insert, delete, replace) that lead from one to the other, by the longer length.

    Source: Levenshtein 1966; computed by the bit vectors of Myers 1999, "A fast bit-vector algorithm for approximate string
    matching based on dynamic programming", J. ACM 46.

    >>> edit_similarity("kitten", "sitting")  # 3 edits of 7
    0.5714285714285714
    """
    longest = max(len(candidate), len(reference))
    return 1 - edits(candidate, reference) / longest if longest else 1.0


def syntax_match(candidate: str, reference: str) -> float:
    """Share of the reference's syntax subtrees that the candidate has too, names and constants aside; 0 where it is no Python.

    Source: Ren et al. 2020, "CodeBLEU: a Method for Automatic Evaluation of Code Synthesis", section 3.2, on Python's own trees.

    >>> syntax_match("def f(x): return x + 1", "def g(y): return y + 2")
    1.0
    """
    mine, theirs = _subtrees(candidate), _subtrees(reference)
    return (mine & theirs).total() / theirs.total() if theirs else 0.0


TEXT_METRICS: dict[str, Callable[[str, str], float]] = {
    "exact_match": exact_match,
    "token_f1": token_f1,
    "bleu": bleu,
    "chrf": chrf,
    "rouge_l": rouge_l,
    "edit_similarity": edit_similarity,
    "syntax_match": syntax_match,
}
"""Every text metric by its name."""


def longest_common(one: Sequence[str], two: Sequence[str]) -> int:
    """Length of the longest common subsequence, by bit vectors (Hyyro 2004).

    >>> longest_common("abcd", "axbd")
    3
    """
    places = _places(one)
    full = (1 << len(one)) - 1
    row = full
    for item in two:
        met = row & places.get(item, 0)
        row = ((row + met) | (row - met)) & full
    return len(one) - row.bit_count()


def edits(one: str, two: str) -> int:
    """Levenshtein distance.

    >>> edits("flaw", "lawn")
    2
    """
    if not one:
        return len(two)
    places, full, last = _places(one), (1 << len(one)) - 1, 1 << (len(one) - 1)
    up, down, distance = full, 0, len(one)
    for item in two:
        same = places.get(item, 0)
        across = (((same & up) + up) ^ up) | same
        rise, fall = down | ~(across | up) & full, up & across
        distance += bool(rise & last) - bool(fall & last)
        rise, fall = (rise << 1) | 1, fall << 1
        up, down = (fall | ~(same | down | rise)) & full, rise & (same | down) & full
    return distance


def _places(items: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, item in enumerate(items):
        found[item] = found.get(item, 0) | 1 << place
    return found


def _runs(items: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(items[i : i + size]) for i in range(len(items) - size + 1))


def _f_score(hits: int, mine: int, theirs: int, beta: float) -> float:
    if not mine or not theirs:
        return float(mine == theirs)
    weight = beta * beta
    return (1 + weight) * hits / (mine + weight * theirs)


def _tokens_13a(text: str) -> list[str]:
    """The tokens of mteval-v13a: signs apart from words, but points and commas within numbers left in them."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for name, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(name, sign)
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()


def _subtrees(source: str) -> Counter[int]:
    tree = parse_python(source)
    if tree is None:
        return Counter()
    found: Counter[int] = Counter()
    shapes: dict[ast.AST, int] = {}
    for node in reversed(list(ast.walk(tree))):  # children stand after their parents, so that no recursion is needed
        children = tuple(shapes[child] for child in ast.iter_child_nodes(node))
        # A number stands for the whole subtree: the text of a deep one would be as long as its depth squared.
        shapes[node] = hash((type(node).__name__, children))
        if children:
            found[shapes[node]] += 1
    return found
