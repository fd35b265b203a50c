#!/bin/sh
# Cargo runs this instead of rustc for the crates of this workspace, and for no others, where the tests and what they count
# are built: those crates get counters for coverage, overflow checks and debug assertions. The crates of others are
# compiled once, for the release and for the tests.
# Arguments: rustc and its arguments.
set -eu
case " $* " in
*" --crate-name build_script_build "*) exec "$@" ;;
*" --out-dir "*) ;;
# A question about the compiler.
*) exec "$@" ;;
esac
case " $* " in
# The server and the tests themselves stay as the profile says.
*" --crate-name amazons "* | *" --crate-name server "* | *" --crate-name alltests "*) ;;
*) set -- "$@" -C opt-level=2 -C codegen-units=16 ;;
esac
exec "$@" --cfg coverage -C instrument-coverage -C llvm-args=-runtime-counter-relocation \
    -C overflow-checks=on -C debug-assertions=on
