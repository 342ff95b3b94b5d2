"""Samples with verdicts, as exports get them."""

from assay.records import Isolation, Manifest, Mode, Outcome, Problem, Sample, Trust, Verdict
from assay.store import Judged

PROMPT = "def f():\n"


def judged(problem, index, outcome=Outcome.PASSED, *, mode=Mode.COMPLETION, text=None, **fields):
    """A sample of two cases, of which one passes where it is wrong."""
    text = f"    return {index}\n" if text is None else text
    passed = 2 if outcome is Outcome.PASSED else 1
    row = {
        "problem_id": problem,
        "sample_index": index,
        "outcome": outcome,
        "passed_cases": passed,
        "total_cases": 2,
        "groups": {"base": (passed, 2)},
        "cases": "1" * passed + "0" * (2 - passed),
        "trust": Trust.ANCHORED,
        "time_s": 0.25,
        "peak_mib": 1.5,
        "message": "",
        "job_digest": "0" * 32,
    }
    sample = Sample(problem_id=problem, index=index, text=text, mode=mode)
    asked = Problem(id=problem, prompt=PROMPT, tests=(), entry_point="f", prompt_is_code=True)
    return Judged(sample, Verdict(**(row | fields)), text if mode is Mode.SOLUTION else None, asked)


def manifest(**fields):
    given = {
        "created": "2026-11-30T08:00:00+00:00",
        "benchmark": "mbpp",
        "benchmark_version": None,
        "benchmark_digest": "d1",
        "split": None,
        "limit": None,
        "problems": 1,
        "invalid": (),
        "samples": "samples.jsonl",
        "samples_digest": "s1",
        "settings": {},
        "isolation": Isolation(level="L4", layers=()),
        "interpreter": "CPython 3.11.7",
        "versions": {},
        "seed": 0,
    }
    return Manifest(**(given | fields))
