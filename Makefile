# Two commands do everything: `make flip` (the main job) and `make test`.
# Both create .venv on first use; the stamp keeps them from installing again while pyproject.toml is unchanged.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RESULTS ?= results

.PHONY: flip test lint pyright docs docs-check figures checked core-check core-hostile package-check clean

# Installed anew when the project file or any source of the compiled core changes, so that stale machine code never runs;
# objects are kept in build/, so that a change compiles only what it touches.
CORE := CMakeLists.txt modecontrol/tolerances.py $(shell find modecontrol/_core -name '*.?pp' -o -name '*.py')

# What the package and its tests need comes first and builds in isolation; the package itself then builds without it, so that
# its object files stay valid from one build to the next.
EXTRAS := test dev browser import
REQUIREMENTS := import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	import sys; extras = project["optional-dependencies"]; chosen = sys.argv[1:] or "$(EXTRAS)".split(); \
	print(*project["dependencies"], *(name for extra in chosen for name in extras[extra]), sep="\n")

$(STAMP): pyproject.toml $(CORE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip 'scikit-build-core>=0.10' 'nanobind>=2.4' cmake ninja
	$(BIN)/python -c '$(REQUIREMENTS)' > $(VENV)/requirements.txt
	$(BIN)/python -m pip install --quiet --requirement $(VENV)/requirements.txt
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable .
	touch $(STAMP)

flip: $(STAMP)
	$(BIN)/modecontrol flip --out $(RESULTS)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile

# The compiled core with every index checked, under the address and undefined-behaviour sanitizers, in a copy of the package.
# The interpreter outside .venv runs it, without plugins of its own: inside, the editable installation would come first.
CHECKED := build/checked
UNDER_SANITIZERS = ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	PYTHONPATH=$(CURDIR)/$(CHECKED)/package:$(CURDIR)/campaigns:$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])') \
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(PYTHON) -P

checked: $(STAMP)
	$(BIN)/cmake -S . -B $(CHECKED) -G Ninja -DMC_CHECKED=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python > /dev/null
	$(BIN)/cmake --build $(CHECKED)
	rm -rf $(CHECKED)/package && mkdir -p $(CHECKED)/package
	cp -r modecontrol models $(CHECKED)/package/
	find $(CHECKED)/package -name '*.so' -delete
	$(BIN)/cmake --install $(CHECKED) --prefix $(CURDIR)/$(CHECKED)/package > /dev/null

core-check: checked
	$(UNDER_SANITIZERS) -m pytest -q -p xdist.plugin -p no:cacheprovider -n 2 --dist loadfile tests/core \
	    --ignore tests/core/test_memory.py  # the sanitizer keeps freed memory back

# A part of the hostile cases (CASES=0.1: 21,000) on the same build; a word of a sanitizer ends the child that said it.
# What it prints is recorded; KEPT=FILE goes on where the run kept in FILE stopped.
CASES ?= 0.1
KEPT ?=
core-hostile: checked
	$(UNDER_SANITIZERS) benchmarks/record.py --as sanitized --by "make core-hostile CASES=$(CASES)" campaigns/hostile.py \
	    --scale $(CASES) --jobs 1 $(if $(KEPT),--add $(KEPT))

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/mypy --strict --follow-imports=silent tests/typed/user_script.py
	$(BIN)/lint-imports

# A second type checker on a user's script. It fetches its own program at the first run, so it is not part of `lint`.
pyright: $(STAMP)
	$(BIN)/python -m pip install --quiet pyright
	$(BIN)/pyright --pythonpath $(BIN)/python tests/typed/user_script.py

# Pictures of the pages and of the README, and the record of what they show; screens of the page need a Chromium.
figures: $(STAMP)
	$(BIN)/python docs/figures.py

# `make docs-check` builds the same pages without running the examples of the gallery.
GALLERY := 1
docs docs-check: $(STAMP)
	$(BIN)/python -c '$(REQUIREMENTS)' docs > $(VENV)/requirements.txt
	$(BIN)/python -m pip install --quiet --requirement $(VENV)/requirements.txt
	MODECONTROL_GALLERY=$(GALLERY) $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
docs-check: GALLERY :=

# Source distribution, the wheel made from it, and the wheel tried in an empty environment outside the checkout.
package-check: $(STAMP)
	rm -rf build/package && mkdir -p build/package
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --outdir build/package . > build/package/log
	$(PYTHON) -m venv build/package/empty
	build/package/empty/bin/python -m pip install --quiet build/package/*.whl
	cd build/package && empty/bin/modecontrol modes two_link && empty/bin/python -c 'import modecontrol as mc; print(mc.simulate(mc.load("block"), duration=0.1))'

clean:
	rm -rf $(VENV) $(RESULTS) build docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage
