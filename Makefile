# `make` alone lists what there is. Set-up is by tools/setup.py, which works without make too (python tools/setup.py).
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all check format wheel bench bench-peers screenshots lock check-deps soak clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

$(STAMP): pyproject.toml requirements/run.txt requirements/scale.txt requirements/dev.txt package.json package-lock.json tools/setup.py tools/frontend.py $(wildcard static/js/editor/*.js)
	@$(PYTHON) tools/setup.py

setup: $(STAMP)  ## the virtual environment, the command `stepgraph`, the editor's bundle

run: setup  ## serve the page on 127.0.0.1:5000 (PORT and HOST change it)
	@exec $(VENV)/bin/stepgraph serve

test: setup  ## the checks and every test that matters, a real browser included (under 10 minutes on two cores)
	@$(PY) tools/browser.py
	@$(MAKE) --no-print-directory check
	@$(PY) -m pytest -m "not slow" -n 2 --dist loadgroup

test-all: setup  ## also the full matrices
	@$(PY) tools/browser.py
	@$(MAKE) --no-print-directory check
	@$(PY) -m pytest -n 2 --dist loadgroup

check: setup  ## ruff, mypy, import rules, eslint, tsc, node's tests
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(PY) tools/frontend.py check

format: setup  ## let ruff format the Python code
	@$(VENV)/bin/ruff check --fix . ; $(VENV)/bin/ruff format .

wheel: setup  ## a wheel into dist/, the front end's bundles inside: installing it needs no Node
	@$(PY) -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir dist && ls dist/*.whl

bench: setup  ## the benchmarks: medians and ratios, measured here and now
	@$(PY) -m benchmarks

bench-peers: setup  ## install the frameworks that the benchmarks compare with, outside the checkout
	@$(PY) -m benchmarks.peers

screenshots: setup  ## the pictures of the README and of every state, into screenshots/
	@$(PY) tools/browser.py
	@$(PY) tools/screenshots.py

check-deps: setup  ## ask the advisory services about every locked package
	@$(PY) tools/audit.py

soak: setup  ## the full matrix of attacks and faults, then a classroom of 200 against a real server
	@$(PY) -m pytest -n 0 -q tests/runner tests/web
	@$(PY) tools/soak.py

lock: setup  ## renew requirements/*.txt from pyproject.toml
	@$(PY) tools/lock.py

clean:  ## remove what set-up made
	rm -rf $(VENV) node_modules static/build
