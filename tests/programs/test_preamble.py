from __future__ import annotations

import pytest

from assay.programs.preamble import after_future_imports, preamble

PROMPT = '''"""Module."""
from typing import List, Optional
import math as m

LIMIT = 3

@m.wraps
def helper(n):
    return n


def f(n: List[int]):
    """Return n."""
'''


def test_a_preamble_is_everything_but_the_entry_point_and_docstrings():
    assert preamble(PROMPT, "f").without("x = 1") == (
        "from typing import List, Optional\nimport math as m\nLIMIT = 3\n@m.wraps\ndef helper(n):\n    return n"
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("from typing import List, Optional\ndef f(n): ...", False),
        ("'''Doc.'''\nfrom typing import (\n    Optional,\n    List,\n)\ndef f(n): ...", False),
        ("from typing import List\ndef f(n): ...", True),
        ("def f(n: List): ...\nfrom typing import List, Optional", True),
        ("x = 1\nfrom typing import List, Optional", True),
        ("# from typing import List, Optional\ndef f(n): ...", True),
        ("s = '''\nfrom typing import List, Optional\n'''\n", True),
        ("from typing import *\ndef f(n): ...", True),
        ("from typing import List, Optional\ndef f(:", True),
    ],
)
def test_an_import_is_left_out_only_where_the_text_surely_has_it_before_any_use(text, kept):
    assert ("from typing import List, Optional" in preamble(PROMPT, "f").without(text)) is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("def helper(n): ...\ndef f(n): ...", False),
        ("import re\ndef f(n): ...\ndef helper(n): ...", False),
        ("y = helper(1)\ndef helper(n): ...", True),
        ("def f(n):\n    def helper(n): ...\n", True),
    ],
)
def test_a_helper_is_left_out_only_where_the_text_defines_it_before_any_statement(text, kept):
    assert ("def helper" in preamble(PROMPT, "f").without(text)) is kept


def test_star_imports_cover_one_another_by_module():
    part = preamble("from typing import *\ndef f(): ...\n", "f")
    assert part.without("from typing import *\ndef f(): ...") == ""
    assert part.without("from math import *\ndef f(): ...") == "from typing import *"


def test_a_prompt_without_a_body_has_a_preamble_and_prose_has_none():
    assert preamble("import re\ndef f(n):", "f").without("") == "import re"
    assert preamble("import re\nif True:\n\tx = 1\ndef f(n):\n", "f").without("").startswith("import re\nif True:")
    assert preamble("Write f.", "f").without("") == ""


def test_future_imports_of_the_prompt_come_first():
    prompt = "import re\nfrom __future__ import annotations\ndef f(n): ...\n"
    assert preamble(prompt, "f").without("") == "from __future__ import annotations\nimport re"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ('"""Doc."""\nfrom __future__ import annotations\nx = 1', '"""Doc."""\nfrom __future__ import annotations\n'),
        ("from __future__ import (\r\n  annotations)\r\nx = 1", "from __future__ import (\r\n  annotations)\r\n"),
        ("from __future__ import annotations", "from __future__ import annotations\n"),
        ("s = '__future__'\n", ""),
        ("from __future__ import annotations\ndef f(:", ""),
        ("\fx = '\u2028'\nx = 1", ""),
    ],
)
def test_a_text_is_cut_after_its_future_imports(text, head):
    cut, rest = after_future_imports(text)
    assert cut == head
    assert (cut + rest).rstrip("\n") == text.rstrip("\n")
