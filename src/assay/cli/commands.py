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
    "demo": Command("run_demo", "judge the recorded samples of the embedded problems: no network, no model"),
    "list": Command("list_parts", "benchmarks, sandboxes and metrics that this installation knows"),
    "judge": Command("judge_file", "judge a file of samples; the same command again resumes"),
    "score": Command("score_run", "pass@k with intervals, from a run folder"),
    "check": Command("check_benchmark", "judge a benchmark's own references: failing, vacuous and invalid problems"),
    "doctor": Command("show_doctor", "which sandbox layers this machine gives, and how to get the missing ones"),
}
