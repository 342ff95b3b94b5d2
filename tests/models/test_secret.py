from __future__ import annotations

import pytest

from assay.errors import SettingsError
from assay.models.secret import Secret, bare_url


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


@pytest.mark.parametrize("url", ["http://me:pass@host:1/v1", "http://host:1/v1/?key=pass", "http://host:1/v1#pass"])
def test_an_address_is_shown_without_what_may_be_secret(url: str) -> None:
    assert bare_url(url) == "http://host:1/v1"
