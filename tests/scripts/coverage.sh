#!/usr/bin/env bash
# Runs all tests against an instrumented install folder and reports line coverage of src/, crates/ and players/.
# Arguments: cargo's target folder, output folder, Rust players, C players, C players that need GSL. From the environment: CARGO,
# RUSTC_WORKSPACE_WRAPPER that instruments, TESTS that were built with it, ARGS for them, GSL_PATH, MIN (least percentage of src/ and
# crates/, as far as they have counters).
set -euo pipefail
built=$1/release out=$(mkdir -p "$2" && cd "$2" && pwd) rust_players=$3 c_players=$4 gsl_players=$5
root=$PWD

# The profile format belongs to an LLVM version: rustc's own first, then any that reads it.
wanted=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
find_tools() {
    local version
    for version in "$wanted" 22 21 20 19; do
        if command -v "llvm-profdata-$version" "llvm-cov-$version" >/dev/null; then
            profdata=llvm-profdata-$version cov=llvm-cov-$version clang=clang-$version
            return
        fi
    done
    return 1
}
if ! find_tools || ! command -v "$clang" >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "coverage: installing llvm-$wanted and clang-$wanted"
        apt-get update -qq || true
        # llvm-19 reads the profiles of newer compilers, too.
        apt-get install -y -qq --no-install-recommends "llvm-$wanted" "clang-$wanted" "libclang-rt-$wanted-dev" >/dev/null ||
            apt-get install -y -qq --no-install-recommends llvm-19 clang-19 libclang-rt-19-dev >/dev/null || true
    fi
fi
find_tools || {
    echo "coverage: needs llvm-profdata and llvm-cov, version $wanted or 19 (Debian: apt-get install llvm-$wanted)" >&2
    exit 1
}

# An install folder of its own: the tests find it through AMAZONS_INSTALL_DIR, as they would find ./install.
rm -rf "$out/install" "$out/profiles" "$out/html"
mkdir -p "$out/install" "$out/profiles"
objects=("$out/install/server")

# The tests are there already. Cargo puts server and players where those of the release lie, and of players it does not even keep two
# versions: what was built here must not pass for the release.
restore() {
    for player in $rust_players; do
        rm -f "$built/deps/libplayer_$player.so"
    done
}
trap restore EXIT
restore
packages=(-p amazons)
for player in $rust_players; do
    packages+=(-p "player-$player")
done
"$CARGO" build --release "${packages[@]}"
install -m 755 "$built/server" "$out/install/server"
install -m 755 "$TESTS" "$out/install/alltests"
for player in $rust_players; do
    install -m 644 "$built/libplayer_$player.so" "$out/install/$player.so"
    objects+=("$out/install/$player.so")
done
restore
env -u RUSTC_WORKSPACE_WRAPPER "$CARGO" build --release --quiet -p amazons

# clang counts C players in the same format as rustc, processes that are killed included; gcc's counters would be lost.
for player in $c_players; do
    case " $gsl_players " in
    *" $player "*) why=$(tests/scripts/gsl.sh "$GSL_PATH") || { echo "$player: skipped: $why"; continue; } ;;
    esac
    if command -v "$clang" >/dev/null; then
        flags='-O1 -g -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation'
        compiler=$clang
        objects+=("$out/install/$player.so")
    else
        echo "$player: not counted: $clang is missing (Debian: apt-get install $clang libclang-rt-${clang#clang-}-dev)"
        flags=-O2
        compiler=${CC:-cc}
    fi
    make -s -B -C "players/$player" CC="$compiler" CFLAGS="$flags" GSL_PATH="$GSL_PATH" \
        HEADERS=../../crates/player/include OUT="$out/install/$player.so"
done

# %m: an own file for each executable and player, shared by all their processes; %c: counts are in the file at once, so
# that a process may be killed at any time.
status=0
# Arguments for the tests are words.
# shellcheck disable=SC2086
env -u RUSTC_WORKSPACE_WRAPPER -u CARGO_TARGET_DIR AMAZONS_INSTALL_DIR="$out/install" \
    LLVM_PROFILE_FILE="$out/profiles/%m%c.profraw" "$out/install/alltests" ${ARGS:-} || status=$?

"$profdata" merge -sparse "$out"/profiles/*.profraw -o "$out/profile.profdata"
cov_arguments=(--use-color=0 --instr-profile "$out/profile.profdata" "$out/install/alltests")
for object in "${objects[@]}"; do
    cov_arguments+=(--object "$object")
done
cov_arguments+=("$root/src" "$root/crates")
[ ! -e "$root/players" ] || cov_arguments+=("$root/players")
"$cov" export -format=lcov "${cov_arguments[@]}" >"$out/lcov.info"
"$cov" show -format=html -output-dir "$out/html" "${cov_arguments[@]}" >/dev/null

tests/scripts/coverage_table.sh "$out/lcov.info" "$root" "${MIN:-0}" || status=$?
echo "HTML: $out/html/index.html"
echo "lcov: $out/lcov.info"
exit "$status"
