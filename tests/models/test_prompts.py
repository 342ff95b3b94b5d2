"""Every style to the byte, written out here as the project that it comes from sends it."""

from __future__ import annotations

import pytest

from assay.benchmarks import load
from assay.models import STYLES, choose_shots, default_style, find_style, render
from assay.records import AssertTests, CallTests, Mode, Problem, StdioCase, StdioTests

TESTS = ("assert f(1) == 2", "assert f(2) == 4", "assert f(3) == 6")
WORDS = Problem(id="11", prompt="Write a function to double n.", tests=(AssertTests(cases=TESTS),), entry_point="f")
CODE = Problem(
    id="HumanEval/1",
    prompt='\n\ndef f(n):\n    """ Double n.\n    >>> f(1)\n    2\n    """\n',
    tests=(CallTests(inputs=("[1]",)),),
    entry_point="f",
    prompt_is_code=True,
)
DOCSTRING = '"""\nWrite a function to double n.\nassert f(1) == 2\n"""\n'
PLUS = Problem(id="Mbpp/11", prompt=DOCSTRING, tests=CODE.tests, entry_point="f")
WHOLE = Problem(id="w", prompt="Print n.", tests=(StdioTests(cases=(StdioCase(stdin="1", stdout="1"),)),))
ASKS = "Please provide a self-contained Python script that solves the following problem in a markdown code block:"

PINNED = {
    "mbpp-3-shot@1": "23cfec4ef3bba92521eb86665af178d5",
    "zero-shot-tests@1": "f4caecf8df014f66bd0efd7e472920d0",
    "zero-shot-one-test@1": "2b7cc50e3c99931d913189e4c826b56b",
    "zero-shot-no-test@1": "2ea7daa629456dfec22f50ca1e693242",
    "evalplus-base@1": "09af169ec4f2fc2131d4676748d7e01c",
    "evalplus-chat@1": "f265664a5206e8b705272d36c3f83032",
    "evalplus-api@1": "4850a6be29d5d4a6e8c3c2f80308b4ac",
    "bigcode@1": "f6fab4447efc55a70f80de22dcdc47cb",
    "humaneval-completion@1": "05f970efc1c2b6b520e150aa6dd996da",
    "humaneval-instruct@1": "5e33eb3d005b968a7c4ead3bd773e3da",
    "humaneval-read@1": "398bdbc4ac33a12d63f5ffe777cde2a2",
}


def user(style: str, problem: Problem) -> str:
    return render(find_style(style), problem).messages[-1].content


def test_mbpp_3_shot_is_the_papers_prompt_as_lm_eval_sends_it():
    shots = [
        Problem(id=str(n), prompt=f"Task {n}.", tests=(AssertTests(cases=TESTS),), reference="def f(n):\n  return n ")
        for n in (2, 3, 4)
    ]
    prompt = render(find_style("mbpp-3-shot"), WORDS, shots)
    sentence = "You are an expert Python programmer, and here is your task: {} Your code should pass these tests:\n\n"
    tests = "assert f(1) == 2\nassert f(2) == 4\nassert f(3) == 6\n"
    solved = "".join(
        sentence.format(f"Task {n}.") + tests + "[BEGIN]\ndef f(n):\r\n  return n \n[DONE]\n\n" for n in (2, 3, 4)
    )
    assert prompt.text == solved + sentence.format("Write a function to double n.") + tests + "[BEGIN]\n"
    assert prompt.stop == ("[DONE]",)


def test_zero_shot_styles_show_all_tests_one_or_none():
    head = "You are an expert Python programmer, and here is your task:\nWrite a function to double n.\n"
    assert user("zero-shot-tests", WORDS) == head + "Your code should pass these tests:\n" + "\n".join(TESTS)
    one = render(find_style("zero-shot-one-test"), WORDS)
    assert one.messages[0].content == (
        "Write a function to double n. Your code should satisfy the following assertion:\nassert f(1) == 2"
    )
    assert one.prefill == "Here is a solution to this programming problem:\n```python\n"
    assert user("zero-shot-no-test", WORDS) == head + "The name should be `f`."
    assert "assert" not in user("zero-shot-no-test", PLUS)
    assert user("zero-shot-no-test", WHOLE).endswith(
        "Print n.\nWrite a whole program that reads standard input and writes standard output."
    )
    assert user("zero-shot-no-test", CODE).endswith(f"task:\n{CODE.prompt}\n")


@pytest.mark.parametrize("problem", [WORDS, PLUS])
def test_evalplus_and_bigcode_show_words_and_one_test_as_a_docstring(problem):
    base = render(find_style("evalplus-base"), problem)
    assert (base.text, base.mode) == (DOCSTRING, Mode.COMPLETION)
    assert base.stop == (
        "<|endoftext|>", "<|endofmask|>", "</s>", "\nif __name__", "\ndef main(", "\nprint(", '\n"""', "\nassert",
    )  # fmt: skip
    bigcode = render(find_style("bigcode"), problem)
    assert bigcode.text == DOCSTRING
    assert bigcode.stop == ("\nclass", "\nassert", '\n"""', "\nprint", "\nif", "\n<|/", "\n```")


def test_evalplus_and_bigcode_on_code():
    stripped = CODE.prompt.strip()
    base = render(find_style("evalplus-base"), CODE)
    assert base.text == stripped + "\n"
    assert base.stop[-5:] == ("\ndef ", "\nclass ", "\nimport ", "\nfrom ", "\nassert ")
    bigcode = render(find_style("bigcode"), CODE)
    assert bigcode.text == stripped
    assert bigcode.stop == ("\nclass", "\ndef", "\n#", "\n@", "\nprint", "\nif", "\n```", "<file_sep>")


@pytest.mark.parametrize(("problem", "inside"), [(WORDS, DOCSTRING.strip()), (CODE, CODE.prompt.strip())])
def test_evalplus_for_chat_models(problem, inside):
    chat = render(find_style("evalplus-chat"), problem)
    assert chat.messages[0].content == f"{ASKS}\n```\n{inside}\n```\n"
    assert chat.prefill == (
        "Below is a Python script with a self-contained function that solves the problem and passes corresponding "
        "tests:\n```python\n"
    )
    assert chat.stop[-1] == "\n```\n"
    api = render(find_style("evalplus-api"), problem)
    assert (api.messages[0].content, api.prefill, api.stop) == (f"{ASKS}\n```python\n{inside}\n```", "", ())


def test_humaneval_styles():
    completion = render(find_style("humaneval-completion"), CODE)
    assert (completion.text, completion.mode) == (CODE.prompt, Mode.COMPLETION)
    assert completion.stop == ("\nclass", "\ndef", "\n#", "\nif", "\nprint")
    instruct = render(find_style("humaneval-instruct"), CODE)
    assert instruct.messages[0].content == (
        "Write a solution to the following problem and make sure that it passes the tests:\n"
        f"```python\n{CODE.prompt}\n```\n"
    )
    assert instruct.prefill == f"Here is the completed function:\n```python\n{CODE.prompt}\n"
    assert user("humaneval-read", CODE) == (
        "Read the following function signature and docstring, and fully implement the function described. Your "
        f"response should only contain the code for this function.\n{CODE.prompt}"
    )


def test_whoever_changes_a_style_changes_its_version_and_this_list():
    found = {f"{style.name}@{style.version}": style.digest for style in STYLES.values()}
    assert found == PINNED


def test_names_are_those_that_styles_are_found_by():
    assert {name: style.name for name, style in STYLES.items()} == {name: name for name in STYLES}
    assert all(style.description for style in STYLES.values())


@pytest.mark.parametrize(
    ("problem", "endpoint", "name"),
    [
        (WORDS, "chat", "evalplus-api"),
        (CODE, "completion", "evalplus-base"),
        (WHOLE, "chat", "zero-shot-no-test"),
    ],
)
def test_the_usual_style_suits_the_problem_and_the_kind_of_model(problem, endpoint, name):
    style = default_style(problem, endpoint)
    assert style.name == name
    render(style, problem)


@pytest.mark.shared
def test_every_published_problem_can_be_asked_in_the_usual_styles_and_mbpp_by_its_own(shared):
    folder = shared / "data" / "benchmarks"
    sets = {"mbpp": "mbpp", "mbpp:sanitized": "mbpp-sanitized", "humaneval": "humaneval", "mbppplus": "mbppplus-v0.2.0"}
    for name, place in sets.items():
        problems = load(name, data=str(folder / place / "problems.jsonl.gz")).problems
        for problem in problems[::7]:
            for endpoint in ("chat", "completion"):
                render(default_style(problem, endpoint), problem)
        if name != "humaneval":
            style = find_style("mbpp-3-shot")
            shots = choose_shots(style, problems)
            texts = [render(style, problem, shots).text for problem in problems[::7]]
            assert {(text.count("[BEGIN]\n"), text.count("\n[DONE]\n\n")) for text in texts} == {(4, 3)}
