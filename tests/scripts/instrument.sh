#!/bin/sh
# Cargo runs this instead of rustc for the crates of this workspace, and for no others, where the tests are built: those crates get
# counters for coverage, overflow checks and debug assertions. The crates of others are compiled once, for the release and for the
# tests. Counters are atomic, and cost the loops of engine, searches and solver a multiple of their time, so that these crates have
# none unless AMAZONS_COUNT_ALL is set, as it is by instrument_all.sh.
# Arguments: rustc and its arguments.
set -eu
case " $* " in
*" --crate-name build_script_build "*) exec "$@" ;;
*" --out-dir "*) ;;
# A question about the compiler.
*) exec "$@" ;;
esac
level=2 counters='--cfg coverage -C instrument-coverage -C llvm-args=-runtime-counter-relocation'
case " $* " in
# Most of what is to be built, and nothing there is hot: what moves, evaluates and searches is in the crates. Built like this, they
# are there in a third of the time; the tests of searches take a third longer.
*" --crate-name amazons "* | *" --crate-name server "* | *" --crate-name alltests "*) level=0 ;;
*" --crate-name amazons_engine "* | *" --crate-name amazons_search "* | *" --crate-name amazons_solve "*)
    [ -n "${AMAZONS_COUNT_ALL-}" ] || counters= ;;
esac
# Words, or none.
# shellcheck disable=SC2086
exec "$@" $counters -C overflow-checks=on -C debug-assertions=on -C opt-level=$level -C codegen-units=16
