# `make run` and `make test` do all the set-up on a machine with Python 3.10+ and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?= algo=grpo hw=8xA100
PYTEST_ARGS ?= -n auto

.DEFAULT_GOAL := help
.PHONY: help run test test-public check format bench schema schema-check conformance clean

help: ## What can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null || true

run: $(VENV)/.run ## Install, then write a launch script (make run ARGS="algo=ppo hw=8xA100")
	@$(BIN)/verlgen $(ARGS)

test: $(VENV)/.test ## Install with the test extras, then run the tests
	$(BIN)/pytest $(PYTEST_ARGS)

ORACLE ?= ../shared/oracle/verl.jsonl.gz
test-public: $(VENV)/.test ## The public launch scripts under ROOT, against what bash passed (ORACLE)
	VERLGEN_PUBLIC_ROOT="$(ROOT)" VERLGEN_PUBLIC_ORACLE="$(abspath $(ORACLE))" \
	    $(BIN)/pytest -s tests/public

check: $(VENV)/.dev ## Types, lint and format
	$(BIN)/mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev ## Mend what lint and format can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.test ## Ratios of whole processes, measured side by side
	$(BIN)/python tests/bench/bench.py

schema: $(VENV)/.test ## Make the key tables anew from the published wheels
	$(BIN)/python -m verlgen.verl.extract

schema-check: $(VENV)/.test ## Tell whether the key tables are what the wheels give
	$(BIN)/python -m verlgen.verl.extract --check

conformance: $(VENV)/.test ## Generated scripts against real Hydra and real verl, every combination
	$(BIN)/pytest $(PYTEST_ARGS) tests/conformance

clean: ## Remove what was installed and cached here
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Compiled here, since PYTHONDONTWRITEBYTECODE would make every start compile anew.
$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@$(BIN)/python -m compileall -q verlgen
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	@touch $@
