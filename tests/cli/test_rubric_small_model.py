"""A real language model as a judge, on a real server: the machinery, never the quality of what it says. Slow: requirements/model.txt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from real_server import NEEDS_MODEL, rows, serve

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = NEEDS_MODEL

JUDGE = "--model openai:smollm2 --base-url {url} --limit 2 --max-tokens 60 --concurrency 2 --json"


def printed(folder: Path, *commands: str) -> list[dict]:
    """What commands print that run one after the other against one server."""
    done = serve(folder, " && ".join(f"{command} > {at}.json" for at, command in enumerate(commands)))
    assert done.returncode == 0, done.stderr
    return [json.loads((folder / f"{at}.json").read_text()) for at in range(len(commands))]


def test_what_a_real_model_says_is_read_or_counted_as_not_readable(tmp_path) -> None:
    for name, heat in (("one", 0), ("two", 1)):
        lines = [{"problem_id": f"basics/{n}", "text": f"I am answer {heat}: return {n}."} for n in range(1, 3)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))
    scored, again, compared = printed(
        tmp_path,
        f"assay rubric basics one.jsonl -o scores {JUDGE}",
        f"assay rubric basics one.jsonl -o scores {JUDGE}",
        f"assay rubric basics one.jsonl two.jsonl -o pairs {JUDGE}",
    )
    assert again == scored
    assert (scored["asked"], scored["replies"]) == (2, 2)
    read = sum(each["samples"] for each in scored["scores"])
    assert read + sum(scored["unread"].values()) == 2
    assert (compared["asked"], compared["replies"]) == (4, 4)
    assert compared["preferences"]["pairs"] + compared["preferences"]["unread"] == 2
    for row in rows(tmp_path / "scores" / "opinions.jsonl") + rows(tmp_path / "pairs" / "opinions.jsonl"):
        assert row["reply"]
        assert (row["unread"] is None) is (row["scores"] is not None or row["better"] is not None)
        assert row["tokens_out"] <= 60
