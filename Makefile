# Two commands: `make demo` plays real games and writes a report; `make test` checks everything. Both set up by themselves.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow serve-env test-serving check format lock lock-engine bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo       set up, fetch real games, play, judge, report"
	@echo "make test       set up, then lint, types, layers and the tests (CI runs this and test-serving)"
	@echo "make test-slow  the tests that take minutes: kills, many games"
	@echo "make serve-env  make the environment of the model engine (vLLM), for GPUs if there are any, else for CPUs"
	@echo "make test-serving  the tests with the real engine and tiny models"
	@echo "make bench      measure speed and memory; figures worth keeping stand in bench/RESULTS.md"
	@echo "make format     format and fix what can be fixed"
	@echo "make lock       pin the requirements anew (make lock-engine: those of the engine)"

.venv/ready: scripts/setup.sh scripts/debian-packages.txt requirements.lock pyproject.toml
	PYTHON=$(PYTHON) scripts/setup.sh

demo: .venv/ready
	scripts/demo.sh

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/pytest -q -m "not slow and not serving"

test-slow: .venv/ready
	$(BIN)/pytest -q -m slow --timeout 3600

serve-env: .venv/ready
	scripts/serve_env.sh

test-serving: serve-env
	$(BIN)/pytest -q -m serving --timeout 900

bench: .venv/ready
	$(BIN)/python -m bench

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# No index is written into the lock: packages are named, the client on each machine knows where to get them.
lock:
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header \
	  --python-version 3.11 --all-extras pyproject.toml -o requirements.lock

lock-engine: .venv/ready
	scripts/serve_env.sh lock

clean:
	rm -rf .venv build dist runs
