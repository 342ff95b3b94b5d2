from __future__ import annotations

import subprocess
import sys

import pytest

from assay.errors import SettingsError
from assay.models import ModelSettings, open_model


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("opnai:gpt-x", "did you mean 'openai'"),
        ("gpt-4o-mini", "for a server write openai:gpt-4o-mini"),
        ("openai", "write openai:NAME"),
        ("openai:", "write openai:NAME"),
        ("reference:x", "write reference"),
    ],
)
def test_a_model_that_is_none_is_told_with_what_to_write(spec: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        open_model(spec, ModelSettings(base_url="http://localhost/v1"))
    assert hint in str(caught.value)


def test_the_package_loads_no_client_of_any_server() -> None:
    code = "import sys, assay.models; print([name for name in ('openai', 'torch', 'any_llm') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_missing_package_is_told_with_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from assay.models import *\n"
        "open_model('openai:m', ModelSettings(base_url='http://localhost/v1'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'assay[openai]'" in done.stderr
