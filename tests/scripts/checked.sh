#!/bin/sh
# Cargo runs this instead of rustc for the crates of this workspace, and for no others, where the tests are built: those crates get
# overflow checks and debug assertions. The crates of others are compiled once, for the release and for the tests.
# Arguments: rustc and its arguments.
set -eu
case " $* " in
*" --crate-name build_script_build "*) exec "$@" ;;
*" --out-dir "*) ;;
# A question about the compiler.
*) exec "$@" ;;
esac
case " $* " in
# Most of what is to be built, and nothing there is hot: what moves, evaluates and searches is in the crates.
*" --crate-name amazons "* | *" --crate-name server "* | *" --crate-name alltests "*) level=1 ;;
*) level=2 ;;
esac
exec "$@" -C overflow-checks=on -C debug-assertions=on -C opt-level=$level -C codegen-units=16
