import hashlib
import json

import pytest
from judged_samples import PROMPT, judged, manifest

from assay.benchmarks import from_rows
from assay.records import Mode, Outcome
from assay.store import lm_eval_lines, lm_eval_name, open_samples


def rows(*each):
    return [json.loads(line) for line in lm_eval_lines(each)]


def test_a_row_holds_all_samples_of_a_problem_and_its_numbers():
    found = rows(judged("a", 0), judged("a", 1, Outcome.WRONG_ANSWER), judged("b", 0))
    assert [row["doc"]["task_id"] for row in found] == ["a", "b"]
    first = found[0]
    assert first["doc_id"] == 0
    assert first["resps"] == [["    return 0\n", "    return 1\n"]]
    assert (first["pass@1"], first["mean_fraction"]) == (0.5, 0.75)
    assert first["outcomes"] == ["passed", "wrong_answer"]
    assert first["arguments"]["gen_args_0"]["arg_0"] == first["doc"]["prompt"] == PROMPT
    assert set(first["metrics"]) <= first.keys()


def test_hashes_are_those_that_lm_eval_would_compute():
    # hash_string(json.dumps(doc, indent=2, ensure_ascii=False)) of lm_eval.utils is sha256 over UTF-8.
    row = rows(judged("ä", 0))[0]
    document = json.dumps(row["doc"], indent=2, ensure_ascii=False)
    assert row["doc_hash"] == hashlib.sha256(document.encode()).hexdigest()
    assert row["prompt_hash"] == hashlib.sha256(PROMPT.encode()).hexdigest()


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_written_reads_back_as_the_samples_that_were_judged(tmp_path, mode):
    text = {Mode.CHAT: "So:\n```python\ndef f():\n    return 0\n```\n", Mode.SOLUTION: f"{PROMPT}    return 0\n"}
    written = judged("a", 0, mode=mode, text=text.get(mode, "    return 0\n"))
    (tmp_path / "log.jsonl").write_text("".join(lm_eval_lines([written])))
    benchmark = from_rows([{"id": "a", "prompt": PROMPT, "entry_point": "f", "tests": ["assert f() == 0"]}])
    with open_samples(str(tmp_path / "log.jsonl"), benchmark) as samples:
        (read,) = samples.read("a")
    assert read.text == written.sample.text
    assert read.mode is (Mode.CHAT if mode is Mode.SOLUTION else mode)


def test_a_lone_surrogate_is_written_and_hashed():
    assert rows(judged("a", 0, text="\ud800"))[0]["resps"] == [["\ud800"]]


@pytest.mark.parametrize(
    ("benchmark", "name"),
    [
        ("mbpp", "samples_mbpp_2026-11-30T08-00-00.000000.jsonl"),
        ("mbpp:sanitized", "samples_mbpp_sanitized_2026-11-30T08-00-00.000000.jsonl"),
        ("/some/where/my problems.jsonl.gz", "samples_my_problems_2026-11-30T08-00-00.000000.jsonl"),
        ("../..", "samples_task_2026-11-30T08-00-00.000000.jsonl"),
    ],
)
def test_the_file_is_named_as_lm_eval_names_it(benchmark, name):
    assert lm_eval_name(manifest(benchmark=benchmark)) == name
