# Two commands do everything: `make flip` (the main job) and `make test`.
# Both create .venv on first use; the stamp keeps them from installing again while pyproject.toml is unchanged.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RESULTS ?= results

.PHONY: flip test lint docs bench clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[test,dev]'
	touch $(STAMP)

flip: $(STAMP)
	$(BIN)/modecontrol flip --out $(RESULTS)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	MODECONTROL_GALLERY=1 $(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf $(VENV) $(RESULTS) docs/_build .pytest_cache .mypy_cache .ruff_cache
