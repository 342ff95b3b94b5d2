r"""The prompt styles that assay knows, each written byte for byte as the project that it is named after sends it.

What holds: whoever changes a byte of a style changes its version as well; a test keeps the digests.

Sources: Austin et al. 2021 and the tasks `mbpp`, `mbpp_instruct`, `mbpp_plus_instruct`, `humaneval` and `humaneval_instruct` of
lm-evaluation-harness; `evalplus/codegen.py` and `evalplus/provider/`; `bigcode_eval/tasks/mbpp.py` and `humaneval.py`; `humaneval` of
inspect_evals.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import SettingsError, did_you_mean
from assay.models.own_style import SUFFIXES, read_style
from assay.models.prompting import PromptStyle
from assay.records import Mode

if TYPE_CHECKING:
    from assay.models.prompting import Endpoint
    from assay.records import Problem

_TASK = """\
You are an expert Python programmer, and here is your task: {{ WHOSE.words }} Your code should pass these tests:

{{ WHOSE.tests | join("\n") }}
[BEGIN]
"""
# lm-evaluation-harness keeps the CRLF that MBPP's code has; readers of assay make LF of it.
_SHOTS = "{% for shot in shots %}" + _TASK.replace("WHOSE", "shot") + "{{ shot.code | crlf }}\n[DONE]\n\n{% endfor %}"

_EVALPLUS = "Please provide a self-contained Python script that solves the following problem in a markdown code block:"
_EVALPLUS_STOP = ("<|endoftext|>", "<|endofmask|>", "</s>", "\nif __name__", "\ndef main(", "\nprint(")

_STYLES = (
    PromptStyle(
        name="mbpp-3-shot",
        version="1",
        description="MBPP's own: 3 solved problems, all tests, [BEGIN] and [DONE]",
        endpoint="completion",
        mode=Mode.CHAT,
        template=_SHOTS + _TASK.replace("WHOSE.", ""),
        stop=("[DONE]",),
        needs="tests",
        shots=3,
        shot_ids=("2", "3", "4"),
    ),
    PromptStyle(
        name="zero-shot-tests",
        version="1",
        description="the task and all its tests (lm-eval's mbpp_instruct, without shots)",
        endpoint="chat",
        mode=Mode.CHAT,
        template="You are an expert Python programmer, and here is your task:\n{{ words }}\n"
        'Your code should pass these tests:\n{{ tests | join("\\n") }}',
        needs="tests",
    ),
    PromptStyle(
        name="zero-shot-one-test",
        version="1",
        description="the task and its first test (lm-eval's mbpp_plus_instruct)",
        endpoint="chat",
        mode=Mode.CHAT,
        template="{{ words }} Your code should satisfy the following assertion:\n{{ test }}",
        prefill="Here is a solution to this programming problem:\n```python\n",
        needs="tests",
    ),
    PromptStyle(
        name="zero-shot-no-test",
        version="1",
        description="the task and the function's name, or that a program reads standard input",
        endpoint="chat",
        mode=Mode.CHAT,
        template="You are an expert Python programmer, and here is your task:\n{{ words }}\n"
        "{% if not entry_point %}Write a whole program that reads standard input and writes standard output."
        "{% elif not is_code %}The name should be `{{ entry_point }}`.{% endif %}",
    ),
    PromptStyle(
        name="evalplus-base",
        version="1",
        description="EvalPlus for base models: a docstring with one test, or the prompt that is code",
        endpoint="completion",
        mode=Mode.COMPLETION,
        template="{{ docstring.strip() }}\n",
        stop=_EVALPLUS_STOP,
        stop_after_code=("\ndef ", "\nclass ", "\nimport ", "\nfrom ", "\nassert "),
        stop_after_words=('\n"""', "\nassert"),
    ),
    PromptStyle(
        name="evalplus-chat",
        version="1",
        description="EvalPlus for chat models that it runs itself: the answer is begun for the model",
        endpoint="chat",
        mode=Mode.CHAT,
        template=_EVALPLUS + "\n```\n{{ docstring.strip() }}\n```\n",
        prefill="Below is a Python script with a self-contained function that solves the problem and passes corresponding tests:\n"
        "```python\n",
        stop=(*_EVALPLUS_STOP, "\n```\n"),
    ),
    PromptStyle(
        name="evalplus-api",
        version="1",
        description="EvalPlus for models behind an API: nothing is begun, no stop sequence",
        endpoint="chat",
        mode=Mode.CHAT,
        template=_EVALPLUS + "\n```python\n{{ docstring.strip() }}\n```",
    ),
    PromptStyle(
        name="bigcode",
        version="1",
        description="bigcode-evaluation-harness (InCoder): a docstring with one test, or the stripped prompt that is code",
        endpoint="completion",
        mode=Mode.COMPLETION,
        template="{{ docstring.strip() if is_code else docstring }}",
        stop_after_code=("\nclass", "\ndef", "\n#", "\n@", "\nprint", "\nif", "\n```", "<file_sep>"),
        stop_after_words=("\nclass", "\nassert", '\n"""', "\nprint", "\nif", "\n<|/", "\n```"),
    ),
    PromptStyle(
        name="humaneval-completion",
        version="1",
        description="HumanEval's own: the prompt and nothing else",
        endpoint="completion",
        mode=Mode.COMPLETION,
        template="{{ prompt }}",
        stop=("\nclass", "\ndef", "\n#", "\nif", "\nprint"),
        needs="code",
    ),
    PromptStyle(
        name="humaneval-instruct",
        version="1",
        description="lm-eval's humaneval_instruct: the answer is begun with the function's head",
        endpoint="chat",
        mode=Mode.CHAT,
        template="Write a solution to the following problem and make sure that it passes the tests:\n```python\n{{ prompt }}\n```\n",
        prefill="Here is the completed function:\n```python\n{{ prompt }}\n",
        stop=("\nclass", "\ndef", "\n#", "\nif", "\nprint"),
        needs="code",
    ),
    PromptStyle(
        name="humaneval-read",
        version="1",
        description="HumanEval in inspect_evals and evalscope: read the signature, write the function",
        endpoint="chat",
        mode=Mode.CHAT,
        template="Read the following function signature and docstring, and fully implement the function described. "
        "Your response should only contain the code for this function.\n{{ prompt }}",
        needs="code",
    ),
)

STYLES = {style.name: style for style in _STYLES}
"""The styles, by name."""


def find_style(name: str) -> PromptStyle:
    """The style of a name, or the user's own out of a Jinja file (see `read_style`).

    Raises:
        SettingsError: There is neither a style nor a file of that name, or the file is no style.
    """
    if name in STYLES:
        return STYLES[name]
    if name.endswith(SUFFIXES) or Path(name).is_file():
        return read_style(name)
    meant = did_you_mean(name, STYLES)
    known = f"known are {', '.join(STYLES)}"
    hint = f"did you mean {meant!r}? {known}" if meant else f"{known}; or give the path of a Jinja file"
    raise SettingsError(f"there is no prompt style {name!r}", hint=hint)


def default_style(problem: Problem, endpoint: Endpoint) -> PromptStyle:
    """The style for a benchmark where the user names none: EvalPlus's form for the kind of model, words only for whole programs."""
    if endpoint == "completion":
        return STYLES["evalplus-base"]
    return STYLES["zero-shot-no-test" if problem.entry_point is None else "evalplus-api"]
