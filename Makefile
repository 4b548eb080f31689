# Three commands for a fresh machine: `make league`, `make test` and `make learn`. Everything else builds on them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SYSTEM := chromium fairy-stockfish g++ gnugo python3-dev python3-venv stockfish
# Without what they recommend: boards to look at, half a gigabyte of them.
ENGINES := gnuchess grhino nodejs toga2

SOURCES := setup.cfg setup.py pyproject.toml $(wildcard games/_kernel/*.?pp agents/*/*.?pp)

.PHONY: league serve test learn check bench soak system compiler clean
.DEFAULT_GOAL := league

league: $(BIN)/.core
	$(BIN)/arena league --config microchess-ladder

# A site with a small league running; Ctrl-C ends both.
serve: $(BIN)/.web
	@mkdir -p build
	$(BIN)/arena play random two_step_search --db build/site.db > build/site.log
	$(BIN)/arena league mcts:seconds=0.5 uct:seconds=0.5 alphabeta:depth=4 two_step_search --rounds 10 --reports \
	  --workers 1 --name demonstration --db build/site.db > build/site.log 2>&1 & \
	  trap "kill $$! 2>/dev/null" EXIT INT TERM; $(BIN)/arena serve --open --db build/site.db

test: system check
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations=10

# Five CPU-minutes from zero, a curve in the terminal, then a league against the agents that teach search.
MINUTES ?= 5
learn: $(BIN)/.learn
	$(BIN)/arena train run microchess --minutes $(MINUTES) --name make-learn
	$(BIN)/arena train export make-learn --name learned --out build
	$(BIN)/arena league build/learned:nodes=2000 random one_step_search two_step_search abp_negamax:depth=3 \
	  --rounds 4 --opening-turns 4 --db build/learn.db

check: $(BIN)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check -q .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: system $(BIN)/.test
	$(BIN)/python -m pytest -m soak -n 2 --dist loadgroup

bench: $(BIN)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -P tests/bench/run.py
	$(BIN)/python -P tests/bench/kernels.py

# Debian packages that the tests play against or build with: by apt as root or through sudo, else in words.
system:
	@$(call ensure,$(SYSTEM))
	@$(call ensure,$(ENGINES),--no-install-recommends)

ensure = missing=""; for name in $(1); do \
	  dpkg -s $$name 2>/dev/null | grep -q '^Status: .* installed$$' || missing="$$missing $$name"; done; \
	test -z "$$missing" || sh -c '$(call apt,'"$$missing"',$(2))'

apt = if [ "$$(id -u)" = 0 ]; then sudo=""; elif sudo -n true 2>/dev/null; then sudo="sudo -n"; \
	else echo "please install these packages as root, then run make again:$(1)" >&2; exit 1; fi; \
	export DEBIAN_FRONTEND=noninteractive; $$sudo apt-get update -q && $$sudo apt-get install -q -y $(2) $(1)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "arena needs Python 3.11 or newer; say which: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(call apt,python3-venv) ; }
	$(PYTHON) -m venv $(VENV)

# What builds the kernels: installed if that can be done; without it the games play by their Python rules.
compiler:
	@missing=""; $${CXX:-g++} --version >/dev/null 2>&1 || missing="g++"; \
	$(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null \
	  || missing="$$missing python3-dev"; \
	test -z "$$missing" || sh -c '$(call apt,'"$$missing"')' || true

$(BIN)/.core: $(BIN)/python $(SOURCES) | compiler
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@
	@$(BIN)/arena doctor --brief || true

$(BIN)/.learn: $(BIN)/python $(SOURCES) | compiler
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[learn]'
	@touch $@ $(BIN)/.core

$(BIN)/.web: $(BIN)/python $(SOURCES) | compiler
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[web]'
	@touch $@ $(BIN)/.core

$(BIN)/.test: $(BIN)/python $(SOURCES) | compiler
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test]'
	@touch $@ $(BIN)/.core $(BIN)/.learn
	@$(BIN)/arena doctor --brief || true

clean:
	rm -rf $(VENV) build *.egg-info games/*.so agents/*/*.so .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
