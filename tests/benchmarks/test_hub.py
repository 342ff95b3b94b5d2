"""The hub's copies, on a local mirror in the layout of the hub's cache, and over a loopback server that answers as the hub does.

The files have the column types of the published ones, written down here: types that are guessed from rows differ (an empty list
has no type), and then other readers break.
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from assay.benchmarks import hub, load
from assay.benchmarks.hub import HUB
from assay.errors import DataError, SettingsError

pa = pytest.importorskip("pyarrow", reason="the extra `hub` is not installed")
pq = pytest.importorskip("pyarrow.parquet")
constants = pytest.importorskip("huggingface_hub.constants")

TEXTS = pa.list_(pa.string())
COLUMNS = {
    "mbpp": "task_id:int32 text code test_list:texts test_setup_code challenge_test_list:texts",
    "mbpp:sanitized": "source_file task_id:int32 prompt code test_imports:texts test_list:texts",
    "humaneval": "task_id prompt canonical_solution test entry_point",
    "mbppplus": "task_id:int64 code prompt source_file test_imports:texts test_list:texts test",
    "humanevalplus": "task_id prompt canonical_solution entry_point test",
}
TYPES = {"": pa.string(), "int32": pa.int32(), "int64": pa.int64(), "texts": TEXTS}
FIRST_IDS = {"prompt": 1, "test": 11, "validation": 511, "train": 601}


def schema_of(name):
    columns = (column.partition(":") for column in COLUMNS[name].split())
    return pa.schema([(column, TYPES[kind]) for column, _, kind in columns])


def make_rows(name):
    """As many rows as the published set has in each split, of our own making."""
    first = FIRST_IDS if name.startswith("mbpp") else {"test": 0}
    return {
        split: [MAKERS[name](first[split] + number) for number in range(count)] for split, count in HUB[name].splits
    }


def mbpp_row(number):
    return {
        "task_id": number,
        "text": f"Write a function to add {number} to a number — “n”.",
        "code": f"def add(n):\r\n\treturn n + {number}\r\n",
        "test_list": [f"assert add(0) == {number}", f"assert add(1) == {number + 1}"],
        "test_setup_code": "import math" if number % 2 else "",
        "challenge_test_list": [f"assert add(-1) == {number - 1}"] if number % 3 == 0 else [],
    }


def sanitized_row(number):
    row = mbpp_row(number)
    kept = {key: row[key] for key in ("task_id", "code", "test_list")}
    return {"source_file": "notebook", "prompt": row["text"], "test_imports": ["import math"][number % 2 :], **kept}


def humaneval_row(number):
    return {
        "task_id": f"HumanEval/{number}",
        "prompt": f'def add(n):\n    """Add {number} to n."""\n',
        "canonical_solution": f"    return n + {number}\n",
        "test": f"def check(candidate):\n    assert candidate(0) == {number}\n",
        "entry_point": "add",
    }


LOOP = """inputs = [[0], [1]]
results = [{0}, {0} + 1]
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion({1}(*inp), exp, 0)
"""


def mbppplus_row(number):
    kept = {key: value for key, value in sanitized_row(number).items() if key != "code"}
    return {**kept, "code": f"\ndef add(n):\n    return n + {number}\n", "test": LOOP.format(number, "add")}


def humanevalplus_row(number):
    indented = LOOP.format(number, "candidate").replace("\n", "\n    ")
    return {**humaneval_row(number), "test": f"def check(candidate):\n    {indented}"}


MAKERS = {
    "mbpp": mbpp_row,
    "mbpp:sanitized": sanitized_row,
    "humaneval": humaneval_row,
    "mbppplus": mbppplus_row,
    "humanevalplus": humanevalplus_row,
}


def parquet_of(rows, schema):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    return sink.getvalue().to_pybytes()


def files_of(name, rows, schema=None):
    """Path in the repository -> bytes, one file a split; the evalplus files bear a hash in their names."""
    copy, more = HUB[name], "-5973903632b82d40" if HUB[name].folder == "data" else ""
    return {
        f"{copy.folder}/{split}-00000-of-00001{more}.parquet": parquet_of(rows[split], schema or schema_of(name))
        for split, _ in copy.splits
    }


def put(cache, name, files):
    """Lay files down as huggingface_hub does: blobs by digest, a snapshot of links, a branch that names the snapshot."""
    copy = HUB[name]
    home = Path(cache, "datasets--" + copy.repository.replace("/", "--"))
    for folder in ("blobs", "refs", f"snapshots/{copy.revision}"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / "refs/main").write_text(copy.revision)
    for path, data in files.items():
        blob = home / "blobs" / hashlib.sha256(data).hexdigest()
        blob.write_bytes(data)
        link = home / "snapshots" / copy.revision / path
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
    return home


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, offline. huggingface_hub reads the environment when it is imported, so its constants are set."""
    folder = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return folder


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for split in rows.values() for row in split))
    return str(path)


def test_the_page_prints_the_table():
    page = (Path(__file__).parents[2] / "docs/hub.md").read_text("utf-8")
    for name, copy in HUB.items():
        rows = ", ".join(f"{split} {count}" for split, count in copy.splits)
        line = f"| `{name}` | `{copy.repository}` | `{copy.revision}` | `{copy.folder}/` | {rows} |"
        assert line in page
        assert not copy.verified, "say in docs/hub.md that it is verified, and since when"


@pytest.mark.parametrize("name", HUB)
def test_a_mirror_and_the_file_with_the_same_rows_are_the_same_benchmark(name, cache, tmp_path):
    rows = make_rows(name)
    put(cache, name, files_of(name, rows))
    found = load(name)
    assert found == load(name, data=jsonl(tmp_path / "rows.jsonl", rows))
    assert len(found.problems) == sum(count for _, count in HUB[name].splits)
    assert not found.invalid


@pytest.mark.parametrize("name", ["mbpp", "mbpp:sanitized", "humaneval"])
def test_the_splits_of_the_files_are_those_of_the_ids(name, cache):
    put(cache, name, files_of(name, make_rows(name)))
    assert Counter(problem.split for problem in load(name).problems) == dict(HUB[name].splits)


def test_types_that_were_guessed_from_the_rows_change_nothing(cache, tmp_path):
    rows = {split: [{**row, "challenge_test_list": []} for row in part] for split, part in make_rows("mbpp").items()}
    guessed = pa.Table.from_pylist(rows["train"]).schema
    assert guessed.field("challenge_test_list").type == pa.list_(pa.null())
    put(cache, "mbpp", files_of("mbpp", rows, guessed))
    assert load("mbpp").digest == load("mbpp", data=jsonl(tmp_path / "rows.jsonl", rows)).digest


def test_null_is_no_empty_list_and_so_has_another_digest(cache, tmp_path):
    rows = make_rows("mbpp")
    nulls = {
        split: [{**row, "challenge_test_list": row["challenge_test_list"] or None} for row in rows[split]]
        for split in rows
    }
    put(cache, "mbpp", files_of("mbpp", nulls))
    published = load("mbpp", data=jsonl(tmp_path / "rows.jsonl", rows))
    assert load("mbpp").problems == published.problems
    assert load("mbpp").digest != published.digest


def test_shards_are_read_in_order_and_a_missing_one_is_noticed(cache, tmp_path):
    rows = make_rows("humaneval")
    shards = [rows["test"][:100], rows["test"][100:]]
    files = {
        f"openai_humaneval/test-0000{number}-of-00002.parquet": parquet_of(shard, schema_of("humaneval"))
        for number, shard in enumerate(shards)
    }
    home = put(cache, "humaneval", files)
    assert load("humaneval") == load("humaneval", data=jsonl(tmp_path / "rows.jsonl", rows))
    next(home.glob("snapshots/*/*/*00001-of*")).unlink()
    with pytest.raises(SettingsError, match="no whole copy of openai/openai_humaneval@7dce6050a7d6"):
        load("humaneval")


def test_a_given_file_wins_and_the_hub_is_not_asked(cache, tmp_path, monkeypatch):
    rows = make_rows("humaneval")
    put(cache, "humaneval", files_of("humaneval", rows))
    monkeypatch.setattr(hub, "_cached_snapshot", None)  # calling it would be an error
    short = {"test": rows["test"][:3]}
    assert len(load("humaneval", data=jsonl(tmp_path / "three.jsonl", short)).problems) == 3


def test_offline_without_a_copy_says_what_to_do(cache):
    with pytest.raises(SettingsError) as caught:
        load("mbpp:sanitized")
    message = str(caught.value)
    assert "not shipped with assay, and HF_HUB_OFFLINE is set while" in message
    assert "no whole copy of google-research-datasets/mbpp@4bb6404fdc6c" in message
    assert str(cache) in message
    assert "or give the published file: --data PATH (sanitized-mbpp.json)" in message


def test_a_copy_that_lacks_a_split_counts_as_none(cache):
    files = files_of("mbpp", make_rows("mbpp"))
    del files["full/validation-00000-of-00001.parquet"]
    put(cache, "mbpp", files)
    with pytest.raises(SettingsError, match="no whole copy"):
        load("mbpp")


def test_another_revision_in_the_cache_is_not_taken(cache):
    home = put(cache, "humaneval", files_of("humaneval", make_rows("humaneval")))
    (home / "snapshots" / HUB["humaneval"].revision).rename(home / "snapshots" / ("0" * 40))
    (home / "refs/main").write_text("0" * 40)
    with pytest.raises(SettingsError, match="no whole copy"):
        load("humaneval")


@pytest.mark.parametrize("missing", ["huggingface_hub", "pyarrow"])
def test_without_the_extra_the_error_names_what_to_install(missing, cache, monkeypatch):
    put(cache, "humaneval", files_of("humaneval", make_rows("humaneval")))
    monkeypatch.setattr(hub, "find_spec", lambda name: None if name == missing else name)
    with pytest.raises(SettingsError) as caught:
        load("humaneval")
    assert f"and {missing}, which would fetch them, can't be imported" in str(caught.value)
    assert "pip install huggingface-hub pyarrow (assay's extra 'hub'), or give the published file" in str(caught.value)


def test_a_copy_with_too_few_rows_is_refused(cache):
    rows = make_rows("mbpp")
    del rows["validation"][7]
    put(cache, "mbpp", files_of("mbpp", rows))
    with pytest.raises(DataError) as caught:
        load("mbpp")
    assert "google-research-datasets/mbpp@4bb6404fdc6c: split validation has 89 rows, 90 are expected" in str(
        caught.value
    )
    assert "unverified, please report this" in str(caught.value)


def test_a_broken_file_is_named_with_what_to_delete(cache):
    files = files_of("humaneval", make_rows("humaneval"))
    (path,) = files
    home = put(cache, "humaneval", {path: files[path][:-100]})
    with pytest.raises(DataError) as caught:
        load("humaneval")
    assert f"{home}/snapshots/{HUB['humaneval'].revision}/{path}: no readable parquet file" in str(caught.value)
    assert f"delete {home}," in str(caught.value)


def test_rows_of_another_form_are_refused(cache):
    rows = {"test": [{**row, "entry_point": None} for row in make_rows("humaneval")["test"]]}
    put(cache, "humaneval", files_of("humaneval", rows))
    with pytest.raises(DataError, match="'entry_point' is missing"):
        load("humaneval")


# --- over the network: a loopback server with the routes of the hub's API that huggingface_hub asks for -------------------


class Hub(http.server.BaseHTTPRequestHandler):
    """One data set at one commit. `asked` lists the requests."""

    protocol_version = "HTTP/1.1"
    repository, revision, files, asked = "", "", {}, []

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.asked.append(f"{self.command} {path}")
        api, resolve = f"/api/datasets/{self.repository}", f"/datasets/{self.repository}/resolve/{self.revision}/"
        if path == f"{api}/revision/{self.revision}":
            siblings = [{"rfilename": name} for name in self.files]
            self.answer(json.dumps({"id": self.repository, "sha": self.revision, "siblings": siblings}).encode())
        elif path == f"{api}/tree/{self.revision}":
            self.answer(json.dumps([entry(name, data) for name, data in self.files.items()]).encode())
        elif path.startswith(resolve) and path.removeprefix(resolve) in self.files:
            self.answer(self.files[path.removeprefix(resolve)])
        else:
            self.answer(b"{}", status=404)

    def answer(self, data, status=200):
        self.send_response(status)
        headers = {
            "ETag": f'"{hashlib.sha256(data).hexdigest()}"',
            "X-Repo-Commit": self.revision,
            "Content-Length": str(len(data)),
        }
        if status == 404:
            headers["X-Error-Code"] = "RevisionNotFound"
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format, *arguments):  # noqa: A002 (the base class names it so)
        pass


def entry(name, data):
    digest = hashlib.sha256(data).hexdigest()
    lfs = {"oid": digest, "size": len(data), "pointerSize": 130}
    return {"type": "file", "path": name, "size": len(data), "oid": digest[:40], "lfs": lfs}


@pytest.fixture
def serve():
    servers = []

    def start(name, files, revision=None):
        serving = {"repository": HUB[name].repository, "revision": revision or HUB[name].revision, "files": files}
        handler = type("Serving", (Hub,), {**serving, "asked": []})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}", handler.asked

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


PRINT_DIGEST = """
import sys
import assay
try:
    print(assay.load(sys.argv[1]).digest)
except assay.AssayError as error:
    sys.exit(str(error))
"""


def in_a_fresh_process(name, cache, endpoint="http://127.0.0.1:9", **more):
    """`load(name)` where the environment says where the hub is, as it does for users."""
    environment = {
        "HF_HUB_OFFLINE": "0",
        "HF_HUB_CACHE": str(cache),
        "HF_HOME": str(cache.parent),
        "HF_ENDPOINT": endpoint,
    }
    command = [sys.executable, "-c", PRINT_DIGEST, name]
    return subprocess.run(
        command, env={**os.environ, **environment, **more}, capture_output=True, text=True, check=False
    )


def test_a_data_set_is_downloaded_once_at_the_pinned_revision(serve, tmp_path):
    name, rows = "mbpp:sanitized", make_rows("mbpp:sanitized")
    files = files_of(name, rows)
    endpoint, asked = serve(name, {**files, "full/test-00000-of-00001.parquet": b"another", "README.md": b"# MBPP"})
    first = in_a_fresh_process(name, tmp_path / "hub", endpoint)
    assert first.stdout.strip() == load(name, data=jsonl(tmp_path / "rows.jsonl", rows)).digest, first.stderr
    fetched = [line.partition(HUB[name].revision + "/")[2] for line in asked if line.startswith("GET /datasets/")]
    assert sorted(fetched) == sorted(files)
    asked.clear()
    again = in_a_fresh_process(name, tmp_path / "hub", endpoint)
    offline = in_a_fresh_process(name, tmp_path / "hub", HF_HUB_OFFLINE="1")
    assert (again.stdout, offline.stdout) == (first.stdout, first.stdout)
    assert asked == []


def test_a_half_copy_is_completed_from_the_network(serve, tmp_path):
    name, rows = "mbpp:sanitized", make_rows("mbpp:sanitized")
    files = files_of(name, rows)
    put(tmp_path / "hub", name, dict([*files.items()][:1]))
    endpoint, _ = serve(name, files)
    run = in_a_fresh_process(name, tmp_path / "hub", endpoint)
    assert run.stdout.strip() == load(name, data=jsonl(tmp_path / "rows.jsonl", rows)).digest, run.stderr


def test_without_a_network_the_error_comes_at_once_and_says_what_to_do(tmp_path):
    run = in_a_fresh_process("humaneval", tmp_path / "hub")
    assert run.returncode == 1
    assert (
        "fetching openai/openai_humaneval@7dce6050a7d6 failed: Connect" in run.stderr
    )  # older clients: ConnectionError
    assert f"the copy stays in {tmp_path / 'hub'} and may be carried over" in run.stderr
    assert "Retrying" not in run.stderr
    assert "Traceback" not in run.stderr


def test_a_revision_that_the_hub_does_not_have_is_said_so(serve, tmp_path):
    endpoint, _ = serve("humaneval", {}, revision="1" * 40)
    run = in_a_fresh_process("humaneval", tmp_path / "hub", endpoint)
    assert "failed: RevisionNotFoundError" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_revision_without_the_files_is_said_so(serve, tmp_path):
    endpoint, _ = serve("humaneval", {"README.md": b"moved"})
    run = in_a_fresh_process("humaneval", tmp_path / "hub", endpoint)
    assert "openai_humaneval/ does not have parquet files of all the splits test" in run.stderr
    assert "unverified, please report this" in run.stderr
    assert "Traceback" not in run.stderr


# --- with the published rows ----------------------------------------------------------------------------------------------

PUBLISHED = {
    "mbpp": "mbpp",
    "mbpp:sanitized": "mbpp-sanitized",
    "humaneval": "humaneval",
    "mbppplus": "mbppplus-v0.2.0-originfmt",
    "humanevalplus": "humanevalplus-v0.1.10-originfmt",
}


def published_rows(shared, folder, name):
    with gzip.open(shared / "data/benchmarks" / folder / "problems.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    if len(HUB[name].splits) == 1:
        return {"test": rows}
    bounds = {"prompt": range(1, 11), "test": range(11, 511), "validation": range(511, 601), "train": range(601, 975)}
    return {split: [row for row in rows if row["task_id"] in bounds[split]] for split, _ in HUB[name].splits}


@pytest.mark.shared
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_rows_in_parquet_have_the_digest_of_the_published_file(name, shared, cache):
    put(cache, name, files_of(name, published_rows(shared, PUBLISHED[name], name)))
    assert load(name) == load(name, data=str(shared / "data/benchmarks" / PUBLISHED[name] / "problems.jsonl.gz"))


@pytest.mark.shared
def test_judge_needs_no_file_where_the_cache_has_the_data_set(shared, tmp_path):
    put(tmp_path / "hub", "humaneval", files_of("humaneval", published_rows(shared, "humaneval", "humaneval")))
    samples = tmp_path / "samples.jsonl"
    samples.write_text(json.dumps({"task_id": "HumanEval/53", "completion": "    return x + y\n"}) + "\n")
    command = ["judge", "humaneval", str(samples), "-o", str(tmp_path / "run"), "--workers", "1", "--missing", "skip"]
    run = subprocess.run(
        [sys.executable, "-m", "assay", *command],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path / "hub")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (verdict,) = (tmp_path / "run/verdicts.jsonl").read_text().splitlines()
    assert json.loads(verdict)["outcome"] == "passed"
