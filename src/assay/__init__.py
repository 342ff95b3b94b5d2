"""assay: how good generated code is, by running it.

The public names are found when they are first asked for (PEP 562): importing this package loads nothing, not even
msgspec, because the sandbox starts interpreters that have no installed packages, some as old as Python 3.9. So this
file keeps to what 3.9 knows, and to no import at all.

    import assay

    problems = assay.load("mbpp", data="mbpp.jsonl")
    result = assay.judge_samples(problems, samples)
    print(result.estimate("pass@1").value, result.verdicts[0].outcome)

    with assay.Judge() as judge:  # workers that stay
        verdict = judge.verdict(problems.problems[0], "def add(a, b): return a + b")

The call is not named `judge`, since `assay.judge` is the package of the judge, and a module replaces a function of its name.
"""

TYPE_CHECKING = (
    False  # type checkers read this name as true; importing it from typing would cost a start of the sandbox 3 ms
)
if TYPE_CHECKING:
    from assay.api import AsyncJudge, Judge, Result, judge_samples
    from assay.benchmarks import load
    from assay.engine import Settings
    from assay.errors import (
        AssayError,
        BadRow,
        DataError,
        InvalidProblemError,
        ModelError,
        PluginError,
        SandboxError,
        SandboxUnavailable,
        SettingsError,
        StoreError,
    )
    from assay.metrics import pass_at_k
    from assay.records import (
        Benchmark,
        Estimate,
        InvalidProblem,
        Limits,
        Mode,
        Outcome,
        Problem,
        Sample,
        Trust,
        Verdict,
    )

__all__ = [
    "AssayError",
    "AsyncJudge",
    "BadRow",
    "Benchmark",
    "DataError",
    "Estimate",
    "InvalidProblem",
    "InvalidProblemError",
    "Judge",
    "Limits",
    "Mode",
    "ModelError",
    "Outcome",
    "PluginError",
    "Problem",
    "Result",
    "Sample",
    "SandboxError",
    "SandboxUnavailable",
    "Settings",
    "SettingsError",
    "StoreError",
    "Trust",
    "Verdict",
    "judge_samples",
    "load",
    "pass_at_k",
]

_HOME = {
    "assay.api": ("AsyncJudge", "Judge", "Result", "judge_samples"),
    "assay.benchmarks": ("load",),
    "assay.engine": ("Settings",),
    "assay.metrics": ("pass_at_k",),
    "assay.records": (
        "Benchmark",
        "Estimate",
        "InvalidProblem",
        "Limits",
        "Mode",
        "Outcome",
        "Problem",
        "Sample",
        "Trust",
        "Verdict",
    ),
    "assay.errors": tuple(name for name in __all__ if name.endswith(("Error", "Unavailable", "Row"))),
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 (25 ms that only who asks for the version should pay)

        return version("assay")
    for module, names in _HOME.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 (see the module docstring: importing assay loads nothing)

            return getattr(import_module(module), name)
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
