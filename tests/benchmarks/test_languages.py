from __future__ import annotations

import pytest

from assay.benchmarks import from_rows, load
from assay.benchmarks.languages import require_python
from assay.benchmarks.rowfiles import NumberedRow, read_rows
from assay.errors import DataError

PYTHON = {
    "task_id": "A/0",
    "prompt": "def f(n):\n",
    "entry_point": "f",
    "canonical_solution": "    return n\n",
    "test": "def check(candidate):\n    assert candidate(1) == 1\n",
}
PHP = PYTHON | {
    "task_id": "B/0",
    "prompt": "<?php\nfunction f($n){\n",
    "test": "if (f(1) != 1) { throw new Exception(); }",
}


def numbered(*rows):
    return [NumberedRow(line, row) for line, row in enumerate(rows, 1)]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (PHP, r"are not Python \(the first is 'B/0'\)"),
        (PHP | {"language": "php"}, "are php"),
        (PHP | {"lang": "php"}, "are php"),
        (PHP | {"language": "python"}, "are not Python"),
        ({"task_id": "C/0", "prompt": "p", "tests": "}\nfn main() {}", "language": "rs"}, "are rs"),
        ({"task_id": "D/0", "prompt": "p", "code": "x", "test_list": ["assert(f(1) === 1);"]}, "are not Python"),
    ],
)
def test_problems_whose_tests_are_in_another_language_are_refused_with_its_name_where_a_column_says_it(row, told):
    with pytest.raises(DataError, match=f"the tests of its 1 problem {told}") as caught:
        from_rows([row])
    assert caught.value.hint == "give the Python problems of this data set"


@pytest.mark.parametrize(
    "rows",
    [
        [PYTHON],
        [PYTHON | {"language": "Numpy"}],
        [PYTHON, PHP],
        [PHP | {"test": "def check(candidate): ("}, PYTHON],
        [{"id": "a", "prompt": "p", "entry_point": "f", "tests": ["assert ("]}],
        [{"task_id": "a", "prompt": "p", "test": "  "}],
        [{"task_id": "a", "prompt": "p", "test": 5}],
        [],
    ],
)
def test_rows_pass_where_any_test_is_python_or_none_is_a_text_of_a_published_form(rows):
    require_python(numbered(*rows), None)


def test_the_error_names_the_file_and_the_line(tmp_path):
    path = tmp_path / "problems.jsonl"
    path.write_text('\n{"task_id": "X/7", "prompt": "p", "entry_point": "f", "test": "use strict;"}\n')
    with pytest.raises(DataError, match=r"problems.jsonl:2: the tests of its 1 problem are not Python"):
        load("humaneval", data=str(path))


@pytest.mark.shared
def test_of_all_published_sets_those_in_other_languages_are_refused_and_no_other(shared):
    refused = set()
    for path in sorted((shared / "data" / "benchmarks").glob("*/problems.jsonl.gz")):
        try:
            require_python(read_rows(str(path))[0], str(path))
        except DataError:
            refused.add(path.parent.name)
    families = ("humaneval-x-", "multipl-e-", "mbxp-", "mxeval-")
    others = {path.name for path in (shared / "data" / "benchmarks").iterdir() if path.name.startswith(families)}
    assert refused == others - {"humaneval-x-python", "multipl-e-humaneval-python", "mbxp-mbpp"}
