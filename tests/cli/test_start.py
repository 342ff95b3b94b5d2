from __future__ import annotations

import importlib.metadata

import pytest

from assay.cli import main
from assay.cli.commands import COMMANDS


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    said = capsys.readouterr()
    return left.value.code, said.out, said.err


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_goes_to_stdout_and_names_every_command(capsys: pytest.CaptureFixture[str], word: str) -> None:
    status, out, err = run(capsys, word)
    assert (status, err) == (0, "")
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert max(map(len, out.splitlines())) <= 80


def test_no_words_at_all_is_a_mistake_that_shows_the_help_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: assay COMMAND")


def test_the_version_is_the_installed_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"assay {importlib.metadata.version('assay')}\n", "")


def test_help_of_a_command_may_be_asked_for_by_the_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "help", "judge") == run(capsys, "judge", "--help")
    status, out, err = run(capsys, "help", "jugde")
    assert (status, out) == (2, "")
    assert 'Did you mean "judge"?' in err


def test_an_interruption_while_a_command_is_loaded_is_told(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("assay.cli.app.run", interrupted)
    assert run(capsys, "list") == (130, "", "interrupted; nothing was begun\n")
