# Everything works from a bare Python 3.11: the targets make .venv and install what they need.
# `make` alone lists them. PORT, PYTHON and ARGS may be given: make run PORT=8600,
# make test ARGS="tests/grouping/naming -x".

PORT ?= 8501
PYTHON ?=
ARGS ?=

VENV := .venv
VENV_PYTHON := $(VENV)/bin/python
# Each is touched last, when an install has succeeded, and removed first, before the next one starts:
# an install that was killed leaves none behind.
APP_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# Tools that look at what is installed, apart from it.
AUDIT := $(VENV)/audit
AUDIT_STAMP := $(AUDIT)/.installed
AUDIT_TOOLS := 'cyclonedx-bom>=7.5,<8' 'pip-audit>=2.10,<3'
REQUIREMENTS := pyproject.toml benchmarks/pyproject.toml

# A slow or faltering package index is waited for.
export PIP_DEFAULT_TIMEOUT ?= 60
export PIP_RETRIES ?= 8
export PIP_RESUME_RETRIES ?= 8
export PIP_NO_INPUT := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

# Every core runs tests, a file at a time.
PARALLEL := -n logical --maxprocesses 8 --dist loadfile

# The tiers of the tests, by their marks; a path in ARGS runs whatever is there but what takes minutes.
LABORATORY := benchmarks tests/benchmarks $(foreach tree,subclust tests,$(addprefix $(tree)/,methods training))
OTHERS := slow or network or gpu
# Second, folders whose tests are of other tiers all of them: they are not even collected.
elsewhere = -m "$(1)" $(addprefix --ignore=tests/,$(2))
tier = $(PARALLEL) $(if $(findstring tests/,$(ARGS)),,$(call elsewhere,$(1),$(2))) $(ARGS)

# Nothing may follow pytest's closing line.
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-app test-research test-slow check lint docs messages sbom audit clean

help:
	@echo "make run            start Subclust on http://localhost:$(PORT)"
	@echo "make test           run all tests but those of the tiers below"
	@echo "make test-app       run those of the pages, the main ways in a browser, and processes"
	@echo "make test-research  run those of benchmarks and of trainings of methods"
	@echo "make test-slow      run those that take minutes: the rest in a browser, many examples"
	@echo "make check          format, lint, types, import contracts, test, test-app"
	@echo "make docs           build the documentation into site/"
	@echo "make messages       put new sentences of the interface into the catalogues, to be translated"
	@echo "make sbom           list all that is installed in sbom.json, as CycloneDX"
	@echo "make audit          look for known weaknesses of what is installed; takes the internet"
	@echo "make clean          remove .venv and caches; documents, models and results stay"

run: $(APP_STAMP)
	@echo "Looking for the demo library, and building it if it is not there (seconds)"
	@$(VENV_PYTHON) -m subclust demo
	@exec $(VENV_PYTHON) -m subclust serve --port $(PORT)

# Compiled files are kept: otherwise each process that a test starts compiles all of Subclust anew.
test test-app test-research test-slow: export PYTHONDONTWRITEBYTECODE :=
test test-app test-research: export OMP_NUM_THREADS := 1

test: $(DEV_STAMP)
	@$(VENV_PYTHON) -m pytest $(call tier,not (app or browser or research or $(OTHERS)),benchmarks browser pages)

test-app: PARALLEL += --no-loadscope-reorder
test-app: $(DEV_STAMP)
	@$(VENV_PYTHON) -m pytest $(call tier,(app or main_way) and not ($(OTHERS)),benchmarks)

test-research: $(DEV_STAMP)
	@$(VENV_PYTHON) -m pytest $(call tier,research and not ($(OTHERS)),browser pages)

test-slow: $(DEV_STAMP)
	@$(VENV_PYTHON) -m pytest --hypothesis-profile many \
	  -m "(slow or hypothesis or (browser and not main_way)) and not (network or gpu)" $(ARGS)

# The laboratory is looked at where the last commit or the work since then changed it, and where git
# cannot tell.
check: lint
	@git diff --quiet HEAD~1 -- $(LABORATORY) 2>/dev/null || $(MAKE) test-research
	@$(MAKE) test
	@$(MAKE) test-app

lint: $(DEV_STAMP)
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m mypy
	$(VENV_PYTHON) -c "from importlinter.cli import lint_imports_command as run; run()"

docs: export NO_MKDOCS_2_WARNING := 1
docs: $(DEV_STAMP)
	@$(VENV_PYTHON) -m mkdocs build --quiet
	@echo "Read it with: $(VENV_PYTHON) -m http.server --bind localhost --directory site"

messages: $(DEV_STAMP)
	$(VENV_PYTHON) -m subclust.ui.i18n.messages

sbom: $(APP_STAMP) $(AUDIT_STAMP)
	@$(AUDIT)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	  --output-file sbom.json $(VENV_PYTHON)

# Strictly: a package that could not be looked up counts as a failure, not as a sound one.
audit: $(APP_STAMP) $(AUDIT_STAMP)
	@$(AUDIT)/bin/pip-audit --strict --skip-editable --progress-spinner off --path \
	  "$$($(VENV_PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	  || { echo "A package above has a known weakness, or PyPI could not be asked about it, which" \
	    "takes the internet." >&2; exit 1; }

clean:
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache .grimp_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(APP_STAMP): $(REQUIREMENTS)
	@$(call install,--editable .)
	@touch $@

# What the tests need includes what the app needs.
$(DEV_STAMP): $(REQUIREMENTS)
	@$(call install,--editable '.[dev]' --editable benchmarks)
	@touch $(APP_STAMP) $@

$(AUDIT_STAMP): $(APP_STAMP)
	@$(VENV_PYTHON) -m venv --clear $(AUDIT)
	@$(AUDIT)/bin/python -m pip install --quiet $(AUDIT_TOOLS)
	@touch $@

# Make .venv if it is not there (or was left half-made), then install.
define install
rm -f $(APP_STAMP) $(DEV_STAMP); \
if ! $(VENV_PYTHON) -m pip --version >/dev/null 2>&1; then \
  found=; \
  for python in $(PYTHON) python3.11 python3.12 python3.13 python3 python; do \
    if "$$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
      >/dev/null 2>&1; then found="$$python"; break; fi; \
  done; \
  if [ -z "$$found" ]; then \
    echo "Subclust needs Python 3.11, 3.12 or 3.13 with its venv module, and none was found:" \
      "install Python 3.11 (on Debian: python3 and python3-venv), or name one" \
      "with 'make PYTHON=/path/to/python3.11 ...'." >&2; exit 1; \
  fi; \
  echo "Making $(VENV) with $$("$$found" --version)"; \
  "$$found" -m venv --clear $(VENV) || exit 1; \
fi; \
$(VENV_PYTHON) install.py $(1)
endef
