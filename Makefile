# `make run`: the whole server on this machine, with a game being played.
# `make test`: every test, against real servers (docs/developers.md).
# `make test-variants`: a game of every variant by mail, and random games of each.
# `make chaos`: an hour of random kills while games are played, then what was lost is counted.
# `make load`: receipts and deadlines on a server of many games (docs/operators.md has figures).
# `make simulate`: years of play in one process where everything goes wrong, seed after seed.
# `make plants`: whether simulations still find every fault that is put in on purpose.

# The first Python that is new enough, the distribution's before all others: it is often half as
# fast again as one that was built by pyenv (docs/operators.md). `make run PYTHON=…` chooses another.
PYTHON ?= $(shell for name in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		&& echo $$name && break; \
	done)
VENV := .venv

.PHONY: run
run: $(VENV)/.requirements
	@exec $(VENV)/bin/python -m diplomacy_server.embedded

# The stamp is younger than requirements.txt as long as nothing has to be installed.
$(VENV)/.requirements: requirements.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with its module venv is needed; none was found." \
		"On Debian: sudo apt install python3-venv" >&2; exit 1; }
	@test -x $(VENV)/bin/pip || $(PYTHON) -m venv $(VENV)
	@echo "Installing what the server needs into $(VENV) (once) …"
	@$(VENV)/bin/pip install -qq --disable-pip-version-check -r requirements.txt
	@touch $@

.PHONY: test lint coverage
test:
	@bash .ci/install
	@$(VENV)/bin/python -m tests $(ARGUMENTS)

lint:
	@bash .ci/install
	@$(VENV)/bin/python -m tests --only-checks

# By hand: it takes as long as it says. `make chaos MINUTES=5 SEED=7` for a short one.
MINUTES ?= 60
SEED ?= 1901
.PHONY: chaos
chaos:
	@bash .ci/install
	@$(VENV)/bin/python -m tests.chaos --minutes $(MINUTES) --seed $(SEED)

# By hand or at night: seeds from FIRST on for MINUTES; `make simulate SEED=7` repeats one exactly.
FIRST ?= 1
.PHONY: simulate
simulate:
	@bash .ci/install
	@$(VENV)/bin/python -m tests.simulate --minutes $(MINUTES) \
		$(if $(filter command line environment,$(origin SEED)),--seed $(SEED),--first $(FIRST))

# By hand or at night, some minutes: every fault that is planted in simulations, also those that `make
# test` leaves out; names those that their seeds no longer find. `make plants NAME=muster` for some.
NAME ?=
.PHONY: plants
plants:
	@bash .ci/install
	@$(VENV)/bin/python -m tests.simulate.plants.seeds $(if $(filter command line environment,$(origin NAME)),$(NAME))

# By hand: so many running games on a server with a long past; receipts, deadlines, memory, growth.
LOAD ?= 10
FINISHED ?= 0
MAILS ?= 0
.PHONY: load
load:
	@bash .ci/install
	@$(VENV)/bin/python -m benchmarks.load --games $(LOAD) --finished $(FINISHED) --mails $(MAILS)

# By hand or at night: a game of every variant, begun and played by mail (some minutes), then random
# games of each under every preset. `make test-variants GAMES=1` for a short one.
GAMES ?= 100
.PHONY: test-variants
test-variants:
	@bash .ci/install
	@$(VENV)/bin/python -m pytest tests/mailer/games_by_variant.py
	@$(VENV)/bin/python -m benchmarks.variant_games --games $(GAMES)

# How much of the code the tests run through: a table, and htmlcov/index.html.
coverage:
	@bash .ci/install
	@$(VENV)/bin/python -m tests --coverage
