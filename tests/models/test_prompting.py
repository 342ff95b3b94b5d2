from __future__ import annotations

import msgspec
import pytest

from assay.errors import SettingsError
from assay.models import PromptStyle, altered, render
from assay.records import AssertTests, CheckTests, Mode, Problem

TASK = Problem(
    id="7",
    prompt="Double n.",
    tests=(
        AssertTests(cases=("assert f(1) == 2", "assert f(2) == 4")),
        AssertTests(cases=("assert f(9)",), group="plus"),
    ),
    entry_point="f",
    reference="def f(n):\n    return 2 * n",
)
SHOT = Problem(id="8", prompt="Halve n.", tests=(), entry_point="g", reference="def g(n):\n    return n / 2")
CODE = Problem(id="9", prompt="def h():\n", tests=(CheckTests(source=""),), entry_point="h", prompt_is_code=True)


def style(template: str = "{{ words }}", **fields) -> PromptStyle:
    usual = {"name": "own", "version": "3", "description": "", "endpoint": "chat", "mode": Mode.CHAT}
    return PromptStyle(**(usual | fields), template=template)


def test_a_chat_prompt_is_the_system_message_and_the_users():
    prompt = render(style(system="Be brief."), TASK)
    assert [(message.role, message.content) for message in prompt.messages] == [
        ("system", "Be brief."),
        ("user", "Double n."),
    ]
    assert (prompt.text, prompt.style, prompt.mode) == ("", "own@3", Mode.CHAT)


def test_a_completion_prompt_is_text_and_holds_no_message():
    prompt = render(style("# {{ words }}\n", endpoint="completion", prefill="x"), TASK)
    assert (prompt.text, prompt.messages, prompt.prefill) == ("# Double n.\n", (), "")


def test_shots_are_turns_where_the_style_has_an_answer_for_them_and_else_in_the_template():
    turns = render(style("{{ words }}", shot_answer="{{ code }}"), TASK, (SHOT,))
    assert [message.content for message in turns.messages] == ["Halve n.", SHOT.reference, "Double n."]
    inside = render(style("{% for shot in shots %}{{ shot.words }} {% endfor %}{{ words }}"), TASK, (SHOT,))
    assert [message.content for message in inside.messages] == ["Halve n. Double n."]


def test_a_template_never_sees_the_reference_of_what_it_asks():
    assert render(style("{{ code }}."), TASK).messages[0].content == "."


def test_the_digest_follows_every_byte_that_the_model_is_sent_and_nothing_else():
    first = render(style(), TASK)
    assert render(style(name="other"), TASK).digest == first.digest
    others = [
        style(" {{ words }}"),
        style(system="s"),
        style(prefill="p"),
        style(stop=("x",)),
        style(endpoint="completion"),
    ]
    assert len({first.digest, *(render(other, TASK).digest for other in others)}) == 1 + len(others)


def test_the_digest_of_a_style_leaves_its_name_out_and_nothing_that_decides_a_prompt():
    assert style(name="a", version="1").digest == style(name="b", version="2").digest
    changed = {"system": "s", "prefill": "p", "stop": ("x",), "shots": 1, "mode": Mode.SOLUTION, "needs": "code"}
    digests = {style(**{key: value}).digest for key, value in changed.items()}
    assert len(digests | {style().digest}) == 1 + len(changed)


def test_stop_sequences_depend_on_the_kind_of_prompt():
    stops = style(stop=("a",), stop_after_code=("b",), stop_after_words=("c",))
    assert render(stops, TASK).stop == ("a", "c")
    assert render(stops, CODE).stop == ("a", "b")


def test_an_answer_is_cut_at_the_first_stop_sequence_whatever_the_server_did():
    prompt = render(style(stop=("[DONE]", "\nprint")), TASK)
    assert prompt.cut("x\nprint(1)[DONE]") == "x"
    assert prompt.cut("x") == "x"


def test_a_sample_has_its_answer_its_prefill_and_both_digests():
    prompt = render(style(prefill="So:\n```python\n"), TASK)
    assert prompt.sample_fields("x = 1") == {
        "text": "x = 1",
        "prompt_digest": prompt.digest,
        "prompt_style": "own@3",
        "prompt_style_digest": style(prefill="So:\n```python\n").digest,
        "prefill": "So:\n```python\n",
    }
    completion = render(style(endpoint="completion", mode=Mode.COMPLETION), TASK)
    assert "completion" in completion.sample_fields("x")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ wrods }}", "'wrods' is undefined"),
        ("{% if %}", "Expected an expression"),
        ("{{ words.__class__.__mro__ }}", "access to attribute '__class__'"),
    ],
)
def test_a_template_that_cannot_be_rendered_says_why(template, said):
    with pytest.raises(SettingsError, match="'own' can't be rendered for problem '7'") as caught:
        render(style(template), TASK)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("needs", "problem", "lack"), [("tests", CODE, "shows tests"), ("code", TASK, "begin the program")]
)
def test_a_style_that_does_not_suit_a_problem_says_so(needs, problem, lack):
    with pytest.raises(SettingsError, match=lack):
        render(style(needs=needs), problem)


def test_a_shot_without_a_reference_is_refused():
    with pytest.raises(SettingsError, match="no reference to show"):
        render(style(), TASK, (CODE,))


def test_text_of_a_data_set_is_never_taken_for_a_template():
    hostile = msgspec.structs.replace(TASK, prompt="{{ 7 * 7 }} {% raise %}")
    assert render(style(), hostile).messages[0].content == "{{ 7 * 7 }} {% raise %}"


def test_line_ends_of_templates_and_data_stay():
    assert render(style("a\n{{ words }}\n\n"), TASK).messages[0].content == "a\nDouble n.\n\n"
    assert (
        render(style("{{ prompt | crlf }}"), msgspec.structs.replace(TASK, prompt="a\nb")).messages[0].content
        == "a\r\nb"
    )


def test_an_altered_style_tells_by_its_name_what_was_altered():
    changed = altered(style(stop=("a",)), system="Be brief.", stop=("b",))
    assert (changed.name, changed.system, changed.stop) == ("own+system+stop", "Be brief.", ("a", "b"))
    assert altered(style(prefill="p"), prefill="").prefill == ""
    assert altered(style()) == style()
