from __future__ import annotations

import gzip
import json
import warnings

import pytest

from assay.programs import assemble
from assay.records import Mode, Problem, Sample

CODE_PROMPT = 'from typing import List\n\ndef helper(n):\n    return n\n\ndef f(n: List[int]):\n    """Return n."""\n'
HEAD = "from typing import List\ndef helper(n):\n    return n\n\n"


def program(text: str, mode: Mode, prompt: str = CODE_PROMPT, *, is_code: bool = True):
    problem = Problem(id="p", prompt=prompt, tests=(), entry_point="f", prompt_is_code=is_code)
    return assemble(problem, Sample(problem_id="p", index=3, text=text, mode=mode))


def source(text: str, mode: Mode, prompt: str = CODE_PROMPT, *, is_code: bool = True) -> str:
    return program(text, mode, prompt, is_code=is_code).source


def test_a_completion_is_the_prompt_and_the_text_byte_for_byte():
    for text in ("    return n\n", "    return '\ud800'\r\n", "x\u2028\n", "#"):
        assert source(text, Mode.COMPLETION) == CODE_PROMPT + text


@pytest.mark.parametrize("prompt", ["Write a function.", "Sort", '"""\nDouble n.\n"""\n'])
def test_a_completion_of_a_prose_prompt_stands_alone(prompt):
    assert source("def f(n): ...", Mode.COMPLETION, prompt, is_code=False) == "def f(n): ..."


def test_a_completion_of_code_that_is_not_the_entry_point_continues_it():
    assert source("def f(n): ...", Mode.COMPLETION, "import re\n", is_code=False) == "import re\ndef f(n): ..."


def test_a_solution_gets_the_imports_and_helpers_of_a_code_prompt():
    text = "def f(n: List[int]):\r\n\treturn helper(n)\r\n"
    assert source(text, Mode.SOLUTION) == HEAD + text


def test_a_solution_that_has_them_itself_is_left_alone():
    text = "from typing import List\ndef helper(n): ...\ndef f(n): ...\n"
    assert source(text, Mode.SOLUTION) == text


def test_a_solution_for_a_prose_prompt_is_left_alone():
    for text in ("def f(n): ...\r\n", "    return n", "x = 1\n\ufeff", "'\ud800'"):
        assert source(text, Mode.SOLUTION, "Write f.", is_code=False) == text


@pytest.mark.parametrize("text", ["    return n\n", "\n\n# note\n    # note\n\treturn n", "  # note\r\n  return n"])
def test_a_solution_that_begins_indented_continues_the_prompt(text):
    assert source(text, Mode.SOLUTION) == CODE_PROMPT + text


@pytest.mark.parametrize("text", ["def f(n): ...", "# note\ndef f(n): ...", "   # note\ndef f(n): ...", "# only"])
def test_a_solution_that_begins_at_the_margin_does_not(text):
    assert source(text, Mode.SOLUTION) == HEAD + text


def test_future_imports_of_a_solution_stay_first():
    text = '"""Doc."""\nfrom __future__ import annotations\ndef f(n: Missing): ...\n'
    assembled = source(text, Mode.SOLUTION)
    compile(assembled, "program", "exec")
    assert assembled.index("__future__") < assembled.index("typing")


@pytest.mark.parametrize("is_code", [True, False])
@pytest.mark.parametrize(
    ("mode", "text"),
    [
        (Mode.SOLUTION, "\ufeffdef f(n): ..."),
        (Mode.SOLUTION, "\ufeff    return n"),
        (Mode.COMPLETION, "    return n"),
        (Mode.CHAT, "```python\n\ufeffdef f(n): ...\n```"),
    ],
)
def test_a_byte_order_mark_at_the_beginning_of_text_or_prompt_is_dropped_as_in_a_file(mode, text, is_code):
    prompt = f"\ufeff{CODE_PROMPT}" if is_code or mode is Mode.COMPLETION else "Write f."
    assembled = source(text, mode, prompt, is_code=is_code)
    assert "\ufeff" not in assembled
    if is_code or mode is not Mode.SOLUTION or text[1] == "d":
        compile(assembled, "program", "exec")


def test_a_completion_of_a_prose_prompt_may_begin_with_a_byte_order_mark():
    assert source("\ufeffx = 1", Mode.COMPLETION, "Write f.", is_code=False) == "x = 1"


def test_only_one_byte_order_mark_is_dropped_and_only_at_the_beginning():
    for text in ("\ufeff\ufeffx = 1", "\ufeffx = 1\n\ufeffy = 2"):
        assert source(text, Mode.SOLUTION, "Write f.", is_code=False) == text[1:]
    assert source("\ufeff    return n", Mode.COMPLETION) == CODE_PROMPT + "\ufeff    return n"


def test_a_byte_order_mark_alone_is_no_code():
    assert program("\ufeff\n", Mode.SOLUTION).no_code == "the answer holds only blanks"


def test_a_prompt_that_does_not_parse_gives_nothing():
    assert source("def f(n): ...", Mode.SOLUTION, "import typing\ndef f(n\n") == "def f(n): ..."


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("text", ["", "  \n\t\r\n"])
def test_blank_text_is_no_code_in_every_mode(mode, text):
    made = program(text, mode)
    assert made.source == ""
    assert made.no_code in {"the answer is empty", "the answer holds only blanks"}


def test_comments_are_code():
    assert program("# nothing", Mode.SOLUTION).no_code is None


def test_a_chat_answer_is_extracted_and_then_a_solution():
    made = program("Here:\n```python\ndef f(n: List[int]): ...\n```\n", Mode.CHAT)
    assert made.source == HEAD + "def f(n: List[int]): ...\n"
    assert made.how_extracted == "fence + prompt imports"


def test_a_chat_answer_that_holds_a_body_continues_the_prompt():
    assert source("```python\n    return n\n```", Mode.CHAT) == CODE_PROMPT + "    return n\n"


def test_a_chat_answer_without_python_is_no_code_with_the_reason():
    assert program("```js\nf()\n```", Mode.CHAT).no_code == "no block of the answer holds Python (tags: js)"


def test_a_program_carries_its_sample_and_how_it_was_made():
    made = program("x = 1", Mode.SOLUTION)
    assert (made.problem_id, made.sample_index, made.how_extracted, made.language) == (
        "p",
        3,
        "solution + prompt imports",
        "python",
    )


@pytest.mark.parametrize("text", ["x = '\ud800'\nfrom __future__ import x", "import a\0b", "import x\n" + "(" * 9000])
def test_hostile_text_is_assembled_and_never_breaks_the_assembler(text):
    assert source(text, Mode.SOLUTION) == HEAD + text


@pytest.mark.shared
def test_a_real_solution_parses_whenever_prompt_and_code_do(shared):
    with gzip.open(shared / "data/benchmarks/humaneval/problems.jsonl.gz", "rt", encoding="utf-8") as rows:
        problems = {row["task_id"]: row for row in map(json.loads, rows)}
    seen, worse = 0, []
    for path in sorted((shared / "data/simple_evals_ru").glob("samples-humaneval.*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                seen += 1
                if not _assembles_as_well(problems[row["task_id"]], row["code"]):
                    worse.append((path.name, row["task_id"]))
    assert seen == 2986
    assert not worse


def _assembles_as_well(row: dict, code: str) -> bool:
    problem = Problem(
        id=row["task_id"], prompt=row["prompt"], tests=(), entry_point=row["entry_point"], prompt_is_code=True
    )
    made = assemble(problem, Sample(problem_id=problem.id, index=0, text=code, mode=Mode.SOLUTION))
    return made.no_code is not None or _compiles(made.source) or not _compiles(problem.prompt + code)


def _compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "program", "exec")
        except (SyntaxError, ValueError):
            return False
    return True


def test_how_an_answer_was_begun_is_a_field_of_its_sample():
    problem = Problem(id="p", prompt="Write f.", tests=(), entry_point="f")
    begun = Sample(
        problem_id="p",
        index=0,
        text="import f\nf = 1\n```\nDone.",
        mode=Mode.CHAT,
        extra={"prefill": "So:\n```python\n"},
    )
    assert assemble(problem, begun).source == "import f\nf = 1\n"
    assert assemble(problem, begun).how_extracted == "fence + prefill"


def test_only_completions_that_assay_asked_for_end_where_the_answer_does():
    problem = Problem(id="p", prompt="def f(n):\n", tests=(), entry_point="f", prompt_is_code=True)
    text = "    return n\n\nprint(f(1))\n"
    others = Sample(problem_id="p", index=0, text=text, mode=Mode.COMPLETION)
    asked = Sample(problem_id="p", index=0, text=text, mode=Mode.COMPLETION, extra={"prompt_style": "evalplus-base@1"})
    assert (assemble(problem, others).source, assemble(problem, others).how_extracted) == (
        problem.prompt + text,
        "completion",
    )
    assert assemble(problem, asked).source == "def f(n):\n    return n\n"
    assert assemble(problem, asked).how_extracted == "completion + cut"
