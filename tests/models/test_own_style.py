from __future__ import annotations

import pytest

from assay.errors import SettingsError
from assay.models import find_style, read_style, render, require_place
from assay.records import Mode, Problem

TASK = Problem(id="1", prompt="Double n.", tests=(), entry_point="f")


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.jinja") -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return str(path)

    return write


def test_a_file_without_settings_asks_a_chat_model(file):
    style = find_style(file("Write {{ entry_point }}: {{ words }}\n"))
    assert (style.name, style.endpoint, style.mode) == ("mine.jinja", "chat", Mode.CHAT)
    assert render(style, TASK).messages[0].content == "Write f: Double n.\n"


def test_settings_are_constants_at_the_beginning_and_leave_no_line_behind(file):
    style = find_style(
        file('{% set endpoint = "completion" %}\n{% set stop = ["\\n\\n"] %}\n{% set shots = 2 %}\n# {{ words }}\n')
    )
    assert (style.endpoint, style.mode, style.stop, style.shots) == ("completion", Mode.COMPLETION, ("\n\n",), 2)
    assert render(style, TASK).text == "# Double n.\n"


def test_system_and_prefill_are_templates_too(file):
    style = find_style(
        file('{% set system = "You write {{ entry_point }}." %}\n{% set prefill = "```python\\n" %}\nGo')
    )
    prompt = render(style, TASK)
    assert [message.content for message in prompt.messages] == ["You write f.", "Go"]
    assert prompt.prefill == "```python\n"


def test_variables_of_the_files_own_may_be_set_within_a_block(file):
    style = find_style(file("{% if words %}{% set n = 3 %}{{ n }}{% endif %}"))
    assert render(style, TASK).messages[0].content == "3"


def test_every_byte_counts_for_the_digest(file):
    assert read_style(file("a", "1.jinja")).digest != read_style(file("a ", "2.jinja")).digest
    assert read_style(file("a", "3.txt")).digest == read_style(file("a", "4.j2")).digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{% for %}", ":1: Expected an expression"),
        ("\n{% set stpo = 1 %}", ":2: there is no setting 'stpo'\nhint: did you mean 'stop'?"),
        ("{% set stop = [words] %}", "'stop' is no constant"),
        ("{% set endpoint = 'phone' %}", "Invalid enum value 'phone'"),
        ("{% set shots = 'many' %}", "Expected `int`, got `str`"),
    ],
)
def test_a_file_that_is_no_style_says_why_and_where(file, text, said):
    path = file(text)
    with pytest.raises(SettingsError) as caught:
        find_style(path)
    assert path in str(caught.value)
    assert said in str(caught.value)


def test_a_file_that_is_missing_or_no_text_is_an_error(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        find_style(str(tmp_path / "none.jinja"))
    (tmp_path / "bytes.jinja").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="utf-8"):
        find_style(str(tmp_path / "bytes.jinja"))


def test_a_name_that_is_neither_style_nor_file_proposes_one():
    with pytest.raises(SettingsError, match="did you mean 'bigcode'"):
        find_style("bigcodes")


def test_how_many_shots_a_file_shows_hides_none_of_them(file):
    style = find_style(file("{% set shots = 1 %}\n{% for shot in shots %}{{ shot.code }}\n{% endfor %}{{ words }}"))
    solved = Problem(id="2", prompt="Add.", tests=(), entry_point="g", reference="def g(): ...")
    assert render(style, TASK, [solved]).messages[0].content == "def g(): ...\nDouble n."
    assert style.shots == 1
    require_place(style, ("--shots 1",))


def test_a_file_that_wants_shots_and_shows_none_is_told(file):
    with pytest.raises(SettingsError, match="no place for solved problems \\(shots = 2\\)"):
        require_place(find_style(file("{% set shots = 2 %}\n{{ words }}")))
