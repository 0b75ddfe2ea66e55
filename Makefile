# Everything a contributor types. `make demo` and `make test` set themselves up on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CODE := src tests bench tools examples
DEMO := .demo
COMPILED := .compiled

.PHONY: help setup demo test compiled fix bench golden soak clean
.DEFAULT_GOAL := help

help:  ## Show the targets
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## Make .venv with everything for development

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pincite needs Python 3.11 or newer; run make PYTHON=python3.11 (or newer)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

# A title, the command as one would type it, and what it prints.
define step
	@printf '\n\n== %s ==\n\n$$ pincite %s\n\n' '$(1)' '$(2)'
	@$(BIN)/pincite $(2)
endef
TWO_DOCUMENTS := The reader paused for 20 minutes. What are the lifetimes of the cursor and the Orbit 3 token, and is renewing the token enough to continue?

demo: $(READY)  ## Watch real documents cut, indexed, searched, answered from and measured
	@rm -rf $(DEMO)
	@mkdir $(DEMO)
	$(call step,What was understood of a document,show examples/orbit/v3/authentication.md --sections)
	$(call step,How it is cut by default,chunk examples/orbit/v3/authentication.md)
	$(call step,Every strategy side by side,stats examples/orbit/v3/*.md)
	$(call step,Index a folder,add examples/orbit --collection $(DEMO))
	$(call step,Search,search "how often are webhook deliveries retried" -k 2 --collection $(DEMO))
	$(call step,A question whose evidence lies in two documents,ask "$(TWO_DOCUMENTS)" --collection $(DEMO))
	$(call step,A German question over English documents,ask "Darf ich während einer Cursorfolge den Gerätefilter ändern?" --collection $(DEMO))
	$(call step,A question that the documents do not answer,ask "What is the capital of Peru?" --collection $(DEMO))
	$(call step,Which way of cutting finds more: 101 questions and a verdict,compare examples/orbit --strategy tokens:overlap_tokens=30 --strategy structure --cache $(DEMO)/cache)
	@printf '\nThe same step by step, with what to look at: examples/lab/README.md\n'

test: $(READY)  ## All checks, the quick ones first
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports
	@rm -f .coverage .coverage.*
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m 'not soak' --cov --cov-report=
	$(BIN)/coverage report --include='src/pincite/model/*,src/pincite/text/*,src/pincite/chunk/*' --fail-under=100
	$(BIN)/coverage report --omit='src/pincite/model/*,src/pincite/text/*,src/pincite/chunk/*' --fail-under=90

compiled: $(READY)  ## Build a wheel with the chunking compiled, and test it
	@rm -rf $(COMPILED)
	@mkdir $(COMPILED)
	@# From a copy: the build leaves its libraries beside the sources, where they would be imported in place of them.
	@cp -R pyproject.toml README.md LICENSE src $(COMPILED)
	HATCH_BUILD_HOOK_ENABLE_MYPYC=true $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation --wheel-dir $(COMPILED)/dist $(COMPILED)
	@$(BIN)/python -m zipfile --extract $(COMPILED)/dist/*.whl $(COMPILED)/unpacked
	@PYTHONPATH=$(COMPILED)/unpacked $(BIN)/python -c "from pincite.chunk import ruler; assert ruler.__file__.endswith(('.so', '.pyd'))"
	PYTHONPATH=$(COMPILED)/unpacked $(BIN)/pytest --quiet --numprocesses 2 -m 'not soak' tests/unit/chunk tests/unit/text

soak: $(READY)  ## Long campaigns: ten times the examples, kills at random moments
	$(BIN)/pytest --numprocesses 2 --hypothesis-profile=soak

fix: $(READY)  ## Format, and mend what the linter can mend
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

bench: $(READY)  ## Print the performance tables
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/chunking.py
	$(BIN)/python bench/loaders.py
	$(BIN)/python bench/sync.py
	$(BIN)/python bench/retrieval.py ../shared/data --tables omega goals
	$(BIN)/python bench/citations.py ../shared/data
	$(BIN)/python bench/answers.py ../shared/data

golden: $(READY)  ## Write the expected documents of the golden files anew
	$(BIN)/python tools/update_golden.py
	$(BIN)/python tools/update_algorithms.py

clean:  ## Remove what the targets made
	rm -rf $(VENV) $(DEMO) $(COMPILED) .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
