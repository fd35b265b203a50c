#!/bin/sh
# Does what checked.sh does where coverage is measured, and counts what runs.
# Arguments: rustc and its arguments.
set -eu
checked=$(dirname "$0")/checked.sh
case " $* " in
*" --crate-name build_script_build "*) ;;
*" --out-dir "*) set -- "$@" --cfg coverage -C instrument-coverage -C llvm-args=-runtime-counter-relocation ;;
esac
exec "$checked" "$@"
