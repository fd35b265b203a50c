# Builds everything with cargo and a C compiler; `make help` lists the goals.

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

# A rustup installation works even when its folder is not in PATH.
ifndef CARGO
  CARGO := $(shell command -v cargo || echo "$${CARGO_HOME:-$$HOME/.cargo}/bin/cargo")
endif
CFLAGS ?= -O2 -g
# Where GSL is, for the one player that links it; empty: the system's.
GSL_PATH ?=
# More arguments for `make test` (a filter, --nocapture), `make bench` and `make valgrind`.
ARGS ?=

export CC CARGO
# Player Makefiles run in folders of their own, where a relative path would mean something else.
gsl_path := $(or $(shell cd '$(GSL_PATH)' 2>/dev/null && test -n '$(GSL_PATH)' && pwd),$(GSL_PATH))

target_dir := $(or $(CARGO_TARGET_DIR),target)
coverage_dir := $(target_dir)/coverage
c_dir := $(target_dir)/c
gsl_players := c_gsl
c_players := $(patsubst players/%/Makefile,%,$(wildcard players/*/Makefile))
rust_players := $(patsubst players/%/Cargo.toml,%,$(wildcard players/*/Cargo.toml))
games := $(patsubst games/%/Cargo.toml,%,$(wildcard games/*/Cargo.toml))

# `make install` alone fills ./install. With PREFIX or DESTDIR server and players go to lib/amazons, and bin/amazons-server
# leads there: `server` would be a bold name in everybody's bin. The tests stay here.
ifneq ($(strip $(PREFIX)$(DESTDIR)),)
  PREFIX ?= /usr/local
  install_dir := $(DESTDIR)$(PREFIX)/lib/amazons
  root := $(DESTDIR)$(PREFIX)
  games_dir := $(install_dir)
  alltests = AMAZONS_INSTALL_DIR="$(install_dir)" "$$(cat "$(coverage_dir)/alltests.path")"
else
  install_dir := install
  games_dir := games/bin
  alltests = "$(install_dir)/alltests"
endif
manifest := $(target_dir)/installed
# Links in bin for what is in lib/amazons.
link = $(if $(root),umask 022 && mkdir -p "$(root)/bin" && ln -sfn ../lib/amazons/$(1) "$(root)/bin/amazons-$(1)",:)

# The tests are built in the same folder and profile as the release; a wrapper around rustc adds checks and counters for coverage to
# our own crates only, so that the crates of others are compiled once.
instrumented = RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/tests/scripts/instrument.sh"
instrumented_all = RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/tests/scripts/instrument_all.sh"
cargo_build = "$(CARGO)" build --release
# What it takes to play a game.
first_players := random territory

.PHONY: build
build: rust $(c_players) ## build the server and all players

.PHONY: setup
setup: ## check that cargo and a C compiler are there; as root on Debian install the compiler
	@command -v "$(CARGO)" >/dev/null || { \
	  echo "cargo not found: install Rust 1.89 or newer (rustup.rs), or say where it is: make CARGO=/path/to/cargo" >&2; exit 1; }
	@command -v $(firstword $(CC)) >/dev/null || { \
	  if [ -n '$(filter default,$(origin CC))' ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "no C compiler '$(CC)': installing gcc and libc6-dev by apt-get"; \
    export DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes; \
    apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null; \
	  fi; \
	  command -v $(firstword $(CC)) >/dev/null || { \
	    echo "no C compiler '$(CC)': install one (Debian: apt-get install gcc libc6-dev), or name it: make CC=clang" >&2; exit 1; }; }

.PHONY: first
first: setup
	@$(cargo_build) -p amazons $(first_players:%=-p player-%)

.PHONY: rust
rust: setup
	@$(cargo_build) --workspace --exclude amazons-browser --exclude amazons-hostile --exclude amazons-lab --exclude amazons-launchers --exclude amazons-miri --exclude amazons-program --exclude amazons-python --exclude amazons-testing $(games:%=--exclude %)

# The C players are few and quick: a change of compiler or flags rebuilds them all.
.PHONY: c-flags
c-flags: setup
	@mkdir -p "$(c_dir)"
	@echo '$(CC) $(CFLAGS) $(gsl_path)' | cmp -s - "$(c_dir)/flags" || { \
	  rm -f "$(c_dir)"/*.so; echo '$(CC) $(CFLAGS) $(gsl_path)' > "$(c_dir)/flags"; }

c_make = $(MAKE) -s -C players/$@ CC='$(CC)' CFLAGS='$(CFLAGS)' GSL_PATH='$(gsl_path)' \
  HEADERS=../../crates/player/include OUT="$$(cd "$(c_dir)" && pwd)/$@.so"

.PHONY: $(c_players)
$(filter-out $(gsl_players),$(c_players)): c-flags
	+@$(c_make)

# GSL is optional: without it the players that link it are left out, and one line says so.
$(filter $(gsl_players),$(c_players)): c-flags
	+@if why=$$(tests/scripts/gsl.sh '$(gsl_path)'); then $(c_make); else rm -f "$(c_dir)/$@.so"; echo "$@: skipped: $$why"; fi

# Cargo leaves the server that it built last in $(target_dir)/release, so that the second command puts the release back.
# Counters make the engine several times slower: the tests that `make test` runs have none there, those of `make coverage` do.
.PHONY: alltests counted-tests
alltests: wrapper = $(instrumented)
counted-tests: wrapper = $(instrumented_all)
alltests counted-tests: setup
	@mkdir -p "$(coverage_dir)"
	@$(wrapper) "$(CARGO)" test --release --no-run --test alltests --message-format=json-render-diagnostics \
	  > "$(coverage_dir)/messages.json"
	@$(cargo_build) --quiet -p amazons
	@sed -n 's/.*"name":"alltests".*"executable":"\([^"]*\)".*/\1/p' "$(coverage_dir)/messages.json" > "$(coverage_dir)/$@.path"

# In stages, so that a game can be played long before the tests are built.
installing := $(target_dir)/installing
put = tests/scripts/install.sh put "$(install_dir)" "$(installing)"
.PHONY: install
install: first ## fill install/ with server, players and alltests; with PREFIX=/usr/local [DESTDIR=...] a package
	@rm -f "$(installing)"
	@$(put) "$(target_dir)/release/server" $(first_players:%="$(target_dir)/release/libplayer_%.so")
	@$(call link,server)
	@echo 'a game can be played now: $(install_dir)/server $(first_players:%=$(install_dir)/%.so)'
	+@$(MAKE) build
	@$(put) $(rust_players:%="$(target_dir)/release/libplayer_%.so") $(c_players:%="$(c_dir)/%.so")
ifdef root
	@rm -f "$(installing)"
	@PREFIX='$(PREFIX)' tests/scripts/package.sh install "$(root)" "$(install_dir)"/*.so
	@echo 'installed in $(root): bin/amazons-server, the players in lib/amazons, documents, headers, completions, manual'
else
	@echo 'all players are in $(install_dir); the tests are next'
	+@$(MAKE) alltests
	@$(put) "$$(cat "$(coverage_dir)/alltests.path")"
	@tests/scripts/install.sh prune "$(install_dir)" "$(installing)" "$(manifest)"
	@echo 'installed in $(install_dir): server, players and alltests'
endif

.PHONY: uninstall
uninstall: ## remove what PREFIX=... installed
	@test -n '$(root)' || { echo 'say which: make uninstall PREFIX=/usr/local; for install/ there is make clean' >&2; exit 1; }
	@tests/scripts/package.sh uninstall "$(root)" server $(games) $(rust_players:%=%.so) $(c_players:%=%.so)

.PHONY: games
games: setup ## build the sister games into games/bin, or for PREFIX
	@$(cargo_build) $(games:%=-p %)
	@tests/scripts/install.sh put "$(games_dir)" /dev/null $(games:%="$(target_dir)/release/%")
	@$(foreach game,$(games),$(call link,$(game)) &&) :

.PHONY: dist
dist: build ## a tarball in target/dist with server, players, headers and docs, for people without a compiler
	@tests/scripts/dist.sh "$(target_dir)" "$$("$(target_dir)/release/server" --version | cut -d' ' -f2)" '$(rust_players)' '$(c_players)'

# Tests mostly wait, for clocks and processes: two for each core keep it busy.
test_threads := RUST_TEST_THREADS=$${RUST_TEST_THREADS:-$$(( $$(nproc) * 2 ))}

# What fails does not hide what comes after it, and the status tells of both. What was skipped stands at the end.
skips := tests/scripts/skips.sh
all_tests = $(skips) $(MAKE) -j1 --keep-going test-server test-games
which := --skip long::

.PHONY: test
test: ## run the tests, except those that take minutes (ARGS='rules --nocapture' narrows them)
	+@$(all_tests)

.PHONY: test-long
test-long: ## long: the tests that take minutes, those in modules called `long`
	+@$(all_tests) which=long::

.PHONY: test-server
test-server: install $(if $(root),alltests) ## run the tests of the server alone
	@$(skips) env $(if $(filter --skip,$(which)),$(test_threads)) $(alltests) $(which) $(ARGS)

.PHONY: test-games
test-games: games ## run the tests of the sister games alone
	@$(skips) env $(test_threads) "$(CARGO)" test --release --quiet --no-fail-fast $(games:%=-p %) --test tests -- $(which) $(ARGS)

.PHONY: test-lab
test-lab: setup ## run the test of the laboratory, which builds the engine once more
	@"$(CARGO)" test --release --quiet -p amazons-lab --test tests -- $(ARGS)

.PHONY: lint
lint: setup ## formatting, clippy, rustdoc and its examples, C warnings, our own rules; a warning is an error
	@"$(CARGO)" fmt --all --check
	@"$(CARGO)" clippy --release --workspace --all-targets -- -D warnings
	@RUSTDOCFLAGS="-D warnings" "$(CARGO)" doc --release --workspace --no-deps --quiet
	@"$(CARGO)" test --doc --release --quiet -p amazons $(patsubst crates/%/Cargo.toml,-p amazons-%,$(wildcard crates/*/Cargo.toml)) \
	  $(games:%=-p %)
	@tests/scripts/check_sources.sh
	@tests/scripts/check_imports.py
	@tests/scripts/check_texts.py
	@tests/scripts/check_features.py
	@if command -v tsc >/dev/null; then node tests/scripts/check_pages.js; \
	  else echo 'pages: their types are not checked: tsc is missing (Debian: apt-get install node-typescript)'; fi
	@for player in $(c_players); do \
	  case " $(gsl_players) " in *" $$player "*) tests/scripts/gsl.sh '$(gsl_path)' >/dev/null || continue;; esac; \
	  mkdir -p "$(c_dir)/lint"; \
	  $(MAKE) -s -B -C "players/$$player" CC='$(CC)' GSL_PATH='$(gsl_path)' HEADERS=../../crates/player/include \
	    OUT="$$(cd "$(c_dir)/lint" && pwd)/$$player.so" CFLAGS='$(CFLAGS) -Wall -Wextra -Werror' || exit 1; \
	done

.PHONY: deny
deny: ## licences and known advisories of the dependencies, by deny.toml
	@tests/scripts/deny.sh "$(target_dir)"

python_dir := $(target_dir)/python
pip := "$(python_dir)/bin/pip" --quiet --disable-pip-version-check
wheel = "$$(echo "$(target_dir)"/wheels/amazons-*.whl)
.PHONY: wheels
wheels: setup ## the Python package as one wheel in target/wheels (needs Python 3.10 or newer)
	@rm -f "$(target_dir)"/wheels/amazons-*.whl
	@python3 -m venv "$(python_dir)"
	@$(pip) wheel --no-deps -w "$(target_dir)/wheels" ./python

.PHONY: python
python: wheels ## build the Python package, install it in target/python and test it (ARGS='-k batch' narrows the tests)
	@$(pip) install --force-reinstall --no-deps $(wheel)"
	@$(pip) install $(wheel)[test]"
	@cd "$(python_dir)" && bin/pytest -q -p no:cacheprovider "$(CURDIR)/python/tests" $(ARGS)

.PHONY: book
book: ## all pages of documentation as a book in target/book, by mdbook
	@tests/scripts/book.sh "$(target_dir)/book"

.PHONY: bench
bench: first ## deterministic node counts and speeds of rules and playouts
	@"$(target_dir)/release/server" bench $(ARGS)

# QUICK=yes: without engine, searches and solver, with the tests of `make install`, which need not be built again.
counted := $(if $(QUICK),alltests,counted-tests)
.PHONY: coverage
coverage: $(counted) ## line coverage as a table, HTML and lcov in target/coverage (MIN=90 fails below 90 %; QUICK=yes)
	@$(if $(QUICK),$(instrumented),$(instrumented_all)) env $(test_threads) TESTS="$$(cat "$(coverage_dir)/$(counted).path")" \
	  MIN='$(MIN)' ARGS='$(ARGS)' GSL_PATH='$(gsl_path)' tests/scripts/coverage.sh \
	  "$(target_dir)" "$(coverage_dir)" '$(rust_players)' '$(c_players)' '$(gsl_players)'

.PHONY: miri
miri: setup ## code that handles memory, interpreted by Miri, where a nightly compiler has it
	@if "$(CARGO)" +nightly miri --version >/dev/null 2>&1; then \
	  "$(CARGO)" +nightly miri test --quiet -p amazons-miri --test miri --target-dir "$(target_dir)/miri" -- $(ARGS); \
	else echo 'miri: not run: no nightly compiler has it (rustup toolchain install nightly --component miri)'; fi

.PHONY: fuzz
fuzz: install ## long: property tests of all parsers, SECONDS=60 for each of them
	@env AMAZONS_FUZZ_SECONDS="$(or $(SECONDS),60)" $(alltests) fuzz:: --nocapture $(ARGS)

.PHONY: valgrind
valgrind: install ## long: every player plays whole games under valgrind (ARGS='5 6 30' names the sizes)
	@tests/scripts/valgrind.sh "$(install_dir)" $(ARGS)

.PHONY: clean
clean: ## remove what was built and installed here
	@rm -f install/server install/alltests $(patsubst %,install/%.so,$(rust_players) $(c_players))
	@rm -rf target python/amazons/bin python/amazons/*.so
	@if [ "$(target_dir)" != target ]; then "$(CARGO)" clean; fi

.PHONY: help
help: ## list the goals
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r goal text; do \
	  printf '  make %-11s %s\n' "$$goal" "$$text"; done
