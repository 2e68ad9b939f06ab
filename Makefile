# Two commands do everything on a fresh machine with python3: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin
# Tests start hundreds of processes: each would compile all sources anew where Python is told to keep nothing.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo web test costly slow gpu bench format docs wheel clean

demo: .venv/ready
	$(BIN)/fogtree demo

web: .venv/ready-web
	$(BIN)/fogtree web

test: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadfile  # tests of one file share what they compile

costly: .venv/ready-test  # what CI runs after `make test`: a few minutes more, mostly of compiling
	$(BIN)/pytest -n 2 --dist loadfile -m 'costly and not slow and not gpu'

slow: .venv/ready-test
	$(BIN)/pytest -n 2 --dist loadfile -m slow

gpu: .venv/ready-test .venv/ready-cuda13  # on a machine with an NVIDIA GPU; elsewhere its tests are skipped
	$(BIN)/pytest -m gpu -rs

bench: .venv/ready-test
	$(BIN)/python benchmarks/run.py

format: .venv/ready-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The site is in site/: open site/index.html. Its search wants a server: python3 -m http.server -d site"

wheel: .venv/ready  # the wheel for all, and one that carries compiled kernels for this platform and this Python
	rm -rf build dist/fogtree-*-none-any.whl
	$(BIN)/pip wheel -q --disable-pip-version-check --no-deps -w dist .
	$(BIN)/python .ci/platform_wheel.py dist/fogtree-*-none-any.whl

clean:
	rm -rf .venv build dist site *.egg-info src/*.egg-info .mypy_cache .ruff_cache .pytest_cache

COMPILED = $(BIN)/python -m compileall -q -j 0 src/fogtree  # so that commands start at once from the first on

.venv/made: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fogtree needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/ready: .venv/made
	$(BIN)/pip install -q --disable-pip-version-check -e .
	$(COMPILED)
	touch $@

.venv/ready-test: .venv/made
	$(BIN)/pip install -q --disable-pip-version-check 'pip>=25.1'  # older ones do not know groups of dependencies
	$(BIN)/pip install -q --disable-pip-version-check -e '.[chess,go,pettingzoo,web]' --group test
	$(COMPILED)
	touch $@

.venv/ready-docs: .venv/made
	$(BIN)/pip install -q --disable-pip-version-check 'pip>=25.1'
	$(BIN)/pip install -q --disable-pip-version-check -e . --group docs
	touch $@

.venv/ready-%: .venv/made
	$(BIN)/pip install -q --disable-pip-version-check -e '.[$*]'
	$(COMPILED)
	touch $@
