from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import SettingsError
from assay.models.asking import Answer, Reply
from assay.models.secret import Secret, bare_url

KEY = "sk-proj-Ab3dEf9hIjKl-mnoP_qr5tUvWx"


def test_printing_a_key_shows_nothing() -> None:
    key = Secret("sk-12345678")
    assert "1234" not in f"{key} {key!r}"
    assert key.reveal() == "sk-12345678"


def test_a_key_is_read_without_the_line_end_of_its_file(monkeypatch) -> None:
    monkeypatch.setenv("A_KEY", " sk-12345678\r\n")
    assert Secret.from_environment("A_KEY", needed=True).reveal() == "sk-12345678"


def test_a_key_that_no_header_can_hold_is_refused_without_showing_it(monkeypatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-1234\n5678")
    with pytest.raises(SettingsError) as caught:
        Secret.from_environment("A_KEY", needed=False)
    assert "A_KEY" in str(caught.value)
    assert "1234" not in str(caught.value)


def test_a_missing_key_is_an_error_only_where_one_is_needed(monkeypatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(SettingsError, match="export A_KEY="):
        Secret.from_environment("A_KEY", needed=True)
    assert Secret.from_environment("A_KEY", needed=False).reveal() == "none"


def test_a_placeholder_is_no_secret() -> None:
    assert Secret("EMPTY").hide("EMPTY list") == "EMPTY list"


@pytest.mark.parametrize(
    "reflected", [KEY.upper(), KEY.lower(), KEY.swapcase(), KEY[:8], KEY[:20], KEY[-8:], KEY[9:17]]
)
def test_a_piece_of_a_key_is_hidden_in_any_letter_case(reflected: str) -> None:
    key = Secret(KEY)
    assert key.hide(f"wrong key <{reflected}>!") == "wrong key <***>!"
    reply = Reply(
        answers=(Answer(text=f"é{reflected}", finish_reason=reflected, fields={"reasoning": reflected, "n": 1}),)
    )
    (answer,) = key.hide_in(reply).answers
    assert (answer.text, answer.finish_reason, answer.fields) == ("é***", "***", {"reasoning": "***", "n": 1})


def test_a_piece_that_is_too_short_to_tell_is_left() -> None:
    assert Secret(KEY).hide(f"{KEY[:7]} {KEY[9:16]}") == f"{KEY[:7]} {KEY[9:16]}"


@given(st.text("ab1", min_size=8, max_size=14), st.lists(st.text("abAB1é", max_size=12), max_size=4), st.integers(0, 9))
def test_what_is_hidden_is_just_what_stands_in_the_key(key: str, texts: list[str], at: int) -> None:
    text = key[at:].upper().join(texts)
    hidden = [False] * len(text)
    for start in range(len(text) - 7):
        if text[start : start + 8].lower() in key:
            hidden[start : start + 8] = [True] * 8
    shown = Secret(key + "2").hide(text)  # a digit, so that it is no word
    assert [char for char in shown if char != "*"] == [
        char for char, is_hidden in zip(text, hidden, strict=True) if not is_hidden
    ]


@pytest.mark.parametrize("key", ["sk-local-password", "my-function-key", "SK_Required_1", "sk-abcdefgh-placeholder"])
def test_a_word_of_a_key_is_no_secret_where_it_stands_alone(key: str) -> None:
    text = "def function(password): return 'placeholder' if Required else -password  # non-functional"
    assert Secret(key).hide(text) == text
    assert Secret(key).hide(f"({key})") == "(***)"


@pytest.mark.parametrize(
    "key", ["supersecretkey1234", "anyone-s3cretsecret", "sk-" + "notaword" * 4, "passwordpassword"]
)
def test_a_beginning_of_a_key_that_is_no_whole_word_of_it_is_hidden(key: str) -> None:
    assert Secret(key).hide(f"<{key[:12]}>") == "<***>"


def test_hiding_takes_a_time_that_grows_with_the_text_alone() -> None:
    key = Secret("ab" * 2000 + "1")
    text = "ab" * 500_000 + "x" * 1_000_000
    assert key.hide(text) == "***" + "x" * 1_000_000


@pytest.mark.parametrize("url", ["http://me:pass@host:1/v1", "http://host:1/v1/?key=pass", "http://host:1/v1#pass"])
def test_an_address_is_shown_without_what_may_be_secret(url: str) -> None:
    assert bare_url(url) == "http://host:1/v1"
