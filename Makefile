# `make demo` runs the main job, `make test` passes the tests; both make their own .venv first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# The kernel cache stays inside the checkout, so that nothing is written elsewhere.
export GARTEN_CACHE ?= $(CURDIR)/.cache/garten

.PHONY: demo test check bench oracle format clean

demo: $(VENV)/.core
	$(BIN)/garten practice herding

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	for bench in bench/*.py; do $(BIN)/python $$bench --json; done

# Compares the Craftax engine with the original, which the extra `oracle` installs.
oracle: $(VENV)/.oracle
	$(BIN)/python scripts/craftax/compare.py full
	$(BIN)/python scripts/craftax/compare.py classic
	$(BIN)/python scripts/craftax/compare_jax.py full
	$(BIN)/python scripts/craftax/compare_jax.py classic
	$(BIN)/python -m pytest tests/craftax/test_jax.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .cache build dist

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,learn,llm]'
	touch $(VENV)/.core $@

$(VENV)/.oracle: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[oracle]'
	touch $@
