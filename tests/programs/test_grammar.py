from __future__ import annotations

import ast

import pytest

from assay.programs.grammar import (
    PARSED_CHARACTERS,
    READ_CHARACTERS,
    Grammar,
    bound_names,
    defines,
    does_something,
    mentions_definition,
    needed_names,
    provided_names,
)


def test_a_purse_that_is_empty_says_that_nothing_is_python():
    grammar = Grammar()
    assert grammar.tree("x = 1") is not None
    assert grammar.tree("y" * PARSED_CHARACTERS) is None
    for number in range(PARSED_CHARACTERS // 50):
        grammar.tree(f"x = {number}")
    assert grammar.tree("z = 1") is None


def test_a_text_is_paid_for_once():
    grammar = Grammar()
    for _ in range(PARSED_CHARACTERS):
        tree = grammar.tree("x = 1")
    assert tree is not None


def test_a_text_too_long_to_read_counts_as_finished():
    assert not Grammar().is_unfinished("(" * READ_CHARACTERS)


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ('"""a', "string"),
        ("'''a\n\"\"\"\n", "string"),
        ('x = """a"""', ""),
        ("f(1,", "brackets"),
        ("f(')')", ""),
        ("# it's (\nx = 1", ""),
        ("'it\\'s ('", ""),
        ("don't (\n", ""),
        ("'a\n(", "brackets"),
        ('"" + (', "brackets"),
        (")))", ""),
        ('r"""\\"""', "string"),
    ],
)
def test_open_strings_and_brackets_are_seen(code, ending):
    assert Grammar().is_unfinished(code) == bool(ending)
    assert Grammar().ends_in_string(code) == (ending == "string")


@pytest.mark.parametrize(
    ("code", "entry_point", "does"),
    [
        ("def f(): ...", "f", True),
        ("async def f(): ...", "f", True),
        ("class f: ...", "f", True),
        ("f = lambda n: n", "f", True),
        ("f: object = len", "f", True),
        ("from m import g as f", "f", True),
        ("if True:\n    def f(): ...", "f", True),
        ("try:\n    import f\nexcept ImportError:\n    f = None", "f", True),
        ("def g():\n    def f(): ...", "f", False),
        ("f(1)", "f", False),
        ("class A:\n    def f(self): ...", "A.f", True),
        ("class A:\n    f = len", "A.f", True),
        ("class A:\n    g = len", "A.f", False),
        ("print(1)", None, True),
        ("Sorry", None, False),
        ("Note: this", None, False),
    ],
)
def test_a_program_provides_its_entry_point_at_the_top_level(code, entry_point, does):
    assert defines(ast.parse(code), entry_point) is does


def test_names_that_are_used_and_nowhere_bound_are_needed():
    code = (
        "import a\nfrom b import c\ndef f(x, *y, z=d, **k):\n    try:\n        q = len(x)\n"
        "    except E as e:\n        g(e, a, c, q, y, z, k)\n"
    )
    assert needed_names(ast.parse(code)) == {"d", "E", "g"}


def test_names_are_bound_by_statements_of_every_kind():
    code = "import a.b\na1, (a2, *a3) = 1, (2, 3)\nfor b1 in []: pass\nc1 += 1\nd1: int = 1\ne1: int\n"
    assert provided_names(ast.parse(code)) == {"a", "a1", "a2", "a3", "b1", "c1", "d1"}
    assert bound_names(ast.parse("x[0] = 1").body[0]) == set()


def test_deep_nesting_breaks_nothing():
    chain = ast.parse("if a:\n    f = 1\n" + "elif a:\n    f = 1\n" * 900)
    assert provided_names(chain) == {"f"}


def test_words_do_nothing():
    assert not does_something(ast.parse("Sorry\n42\n'text'\nNote: this"))
    assert does_something(ast.parse("Sorry\nf()"))


@pytest.mark.parametrize(
    ("code", "mentions"),
    [
        ("def f(:", True),
        ("x\nclass f", True),
        ("f = (", True),
        ("f == 1", False),
        ("  def f():", False),
        ("ff = 1", False),
    ],
)
def test_broken_code_may_begin_to_define_the_entry_point(code, mentions):
    assert mentions_definition(code, "f") is mentions
    assert not mentions_definition(code, None)
