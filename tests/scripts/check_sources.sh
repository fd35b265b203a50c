#!/usr/bin/env bash
# Rules of this repository that no lint knows: prints each breach as file:line and fails if there is one.
# Argument: the folder to check (default: the current one).
set -euo pipefail
cd "${1:-.}"

failed=0
breach() { # what is wrong; the places on standard input
    local place
    while IFS= read -r place; do
        echo "$place: $1" >&2
        failed=1
    done
}

folders=()
for folder in src crates players games tests; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
files() { # tests of find; prints matching files of ours
    find "${folders[@]}" -name target -prune -o -type f "$@" -print
}
rust_outside_tests() { files -name '*.rs' ! -path 'tests/*'; }

breach 'tests belong in tests/' < <(
    rust_outside_tests | xargs -d '\n' -r grep -nE '^\s*#\[(cfg\(test\)|(\w+::)*test\b)' /dev/null | cut -d: -f1,2
)

breach 'more than 600 lines, split it' < <(
    files \( -name '*.rs' -o -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \) | while IFS= read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 600 ] || echo "$file:$lines"
    done
)

# Unsafe code has four homes, and tests may be unsafe. A comment is no code, and the name of C's `main` no operation.
breach 'unsafe code belongs in crates/player, crates/mpi, crates/engine/src/simd or src/host' < <(
    rust_outside_tests | grep -vE '^(crates/player|crates/mpi|crates/engine/src/simd|src/host)/' | while IFS= read -r file; do
        sed 's|//.*||; s|#\[unsafe(no_mangle)\]||' "$file" | grep -nw unsafe | sed "s|^\([0-9]*\):.*|$file:\1|"
    done
)

breach 'must say #![forbid(unsafe_code)]' < <(
    for crate in formats rules search solve statistics; do
        [ ! -d "crates/$crate" ] || grep -qs 'forbid(unsafe_code)' "crates/$crate/src/lib.rs" || echo "crates/$crate/src/lib.rs:1"
    done
)

breach 'is no valid shell script' < <(
    files -name '*.sh' | while IFS= read -r file; do
        shell=sh
        ! head -1 "$file" | grep -q bash || shell=bash
        "$shell" -n "$file" || echo "$file:1"
    done
)

exit "$failed"
