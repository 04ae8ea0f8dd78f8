# Everything happens in .venv, made on first use; only python3 (3.11 or newer), git and make are needed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Without byte code every start of the program is two to three times slower.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test test-slow check format docs web build bench vscode clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed  ## show what yg says about a file of examples/shop, and about a mistake in its graph
	@$(BIN)/python examples/demo.py

test: $(VENV)/.installed-dev  ## run the tests, without the slow ones
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-slow: $(VENV)/.installed-dev  ## run the slow tests: many runs on random or large input
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow

check: $(VENV)/.installed-dev  ## format, lint, types, import contracts, sizes of rooms, our own graph
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/rooms.py
	$(BIN)/yg validate

format: $(VENV)/.installed-dev  ## rewrite the sources in house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

build: $(VENV)/.installed-dev  ## make the wheel and the source archive in dist/
	$(BIN)/python -m hatchling build

docs: $(VENV)/.installed-dev  ## write the pages that come from the program
	$(BIN)/yg explain --format markdown > docs/rules.md

web: web/node_modules/.installed  ## build the page of the explorer; needs Node
	cd web && npm run --silent build

web/node_modules/.installed: web/package.json web/package-lock.json
	cd web && npm ci --silent --ignore-scripts
	@touch $@

bench:  ## measure the program as users install it, all in one run
	$(PYTHON) -m venv --clear build/bench
	build/bench/bin/pip install --quiet .
	build/bench/bin/python benchmarks/run.py

vscode: $(VENV)/.installed-dev  ## build, test and pack the extension for VS Code, in dist/
	cd editors/vscode && npm ci --no-audit --no-fund && npm run check && npm run compile
	cd editors/vscode && YG_LSP_COMMAND='["$(abspath $(BIN))/yg", "lsp"]' npm test
	mkdir -p dist && cd editors/vscode && npm run package

clean:  ## remove all that these commands made
	rm -rf editors/vscode/node_modules editors/vscode/out
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit("yg needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@echo "Setting up $(VENV) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.python pyproject.toml src/yg/version.py
	@$(BIN)/python -m pip install --quiet --editable . >&2
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.python pyproject.toml src/yg/version.py
	@$(BIN)/python -m pip install --quiet --editable '.[dev]' >&2
	@touch $@ $(VENV)/.installed
