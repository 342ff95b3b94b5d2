"""The pages and the code blocks in them. Beside the tests, since only they read pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *(ROOT / "docs").rglob("*.md")]
)

_BLOCK = re.compile(r"^```(?P<kind>\w+)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: `kind` is the word after the fence, `line` that of its first line of text."""

    page: Path
    line: int
    kind: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A line after `$ ` and the output that the page shows for it."""

    line: str
    output: str


def blocks(page: Path, kind: str) -> list[Block]:
    """The blocks of one kind in a page, in order."""
    text = page.read_text("utf-8")
    found = _BLOCK.finditer(text)
    return [
        Block(page, text.count("\n", 0, match.start()) + 2, match["kind"], match["text"])
        for match in found
        if match["kind"] == kind
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    return [Command(line, output) for line, _, output in (part.partition("\n") for part in parts)]


def links(page: Path) -> list[tuple[str, str]]:
    """Relative links of a page: path (may be empty) and anchor (may be empty)."""
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", page.read_text("utf-8")))
    return [(path, anchor) for path, _, anchor in (target.partition("#") for target in targets) if ":" not in path]


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
