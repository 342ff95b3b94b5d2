"""Every example of README and docs runs, and shows what it really prints.

`python` blocks of a page share one namespace and run in order; with `>>>` they are doctests. `console` blocks run in a
shell whose folder they share; where a page shows output, it must be the output (`...` stands for anything). Words like
`text` mark a block that isn't run.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import PAGES, ROOT, Block, Command, anchors, blocks, commands, links

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
VERBS = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))


def with_blocks(kind: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, kind)]


def run_python(block: Block, namespace: dict[str, object]) -> None:
    if ">>> " not in block.text:
        exec(compile("\n" * (block.line - 1) + block.text, str(block.page), "exec"), namespace)  # our own pages
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, block.name, str(block.page), block.line - 1)
    test.globs = namespace
    report: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)


@pytest.mark.parametrize("page", with_blocks("python"), ids=lambda page: page.name)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(page, "python"):
        run_python(block, namespace)


def run_command(command: Command, folder: Path) -> str:
    """What the command prints to stdout; its exit status must be 0."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["sh", "-c", command.line.replace("make demo", "assay demo")],  # which it is, once all is set up
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "160", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{command.line}\n{run.stderr}"
    return run.stdout


@pytest.mark.parametrize("page", with_blocks("console"), ids=lambda page: page.name)
def test_console_blocks_run_and_print_what_they_show(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "console"):
        for command in commands(block):
            if command.line.startswith("make "):
                assert command.line.split()[1] in VERBS, f"{block.name} {command.line}"
                if not command.output:
                    continue
            got = run_command(command, tmp_path)
            if command.output:
                assert doctest.OutputChecker().check_output(command.output, got, OPTIONS), f"{block.name}\n{got}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {path}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {path}#{anchor}"
