# Each target does all of its own set-up: only Python 3.11+ and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the tests use beside the base install; CI asks for all, Spark too.
EXTRAS ?= --extra web --extra tune --extra studies --extra databases --extra files --extra graphs --extra keys
READY := $(VENV)/.ready
TESTED := $(VENV)/.ready-$(subst $(eval ) ,,$(EXTRAS))

# What `make mutate` tries: some of named, verifier, gate, privacy, ledger; by default all.
MUTATE ?=

.PHONY: demo test lint docs look format bench bench-spark soak mutate clean help

help:
	@echo "make demo    the whole story on a built-in table of people"
	@echo "make test    all tests"
	@echo "make lint    ruff and mypy"
	@echo "make docs    the documentation as a site, in docs/_build"
	@echo "make look    every page of it in a browser, light and dark, wide and narrow (minutes)"
	@echo "make format  let ruff format the code"
	@echo "make bench   measure most of what the README claims (long)"
	@echo "make bench-spark   the same on Spark (long)"
	@echo "make soak    ten thousand random tables, checked twice, as many releases attacked, tests tenfold (long)"
	@echo "make mutate  faults put into the code, which the tests must notice (long)"

demo: $(READY)
	$(BIN)/shoal demo --force

test: $(TESTED)
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(TESTED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(TESTED)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build

look: docs
	$(BIN)/python benchmarks/look_at_site.py docs/_build docs/_build/pictures

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/uv sync --frozen --quiet --inexact --group bench --all-extras
	$(BIN)/python benchmarks/run.py

bench-spark soak: $(READY)
	$(BIN)/uv sync --frozen --quiet --inexact --group bench --all-extras
	$(BIN)/python benchmarks/run.py $(if $(filter soak,$@),checking soak_attacker soak_doors soak_kills,spark_quality spark_growth)
	$(if $(filter soak,$@),SHOAL_EXAMPLES=10 $(BIN)/python -m pytest -n 2 --dist loadfile)

mutate: $(TESTED)
	$(BIN)/python benchmarks/mutate.py $(MUTATE)

clean:
	rm -rf $(VENV) demo-release .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit("Shoal needs Python 3.11 or newer; set PYTHON=...") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv sync --frozen --quiet --inexact
	@touch $(READY)

$(TESTED): $(READY)
	$(BIN)/uv sync --frozen --quiet --inexact $(EXTRAS)
	@touch $(TESTED)
