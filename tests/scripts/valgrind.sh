#!/usr/bin/env bash
# Plays whole games under valgrind, in-process: every installed player, all shapes, both sides.
# Arguments: install folder, then board sizes (default 5 to 20 and 30). JOBS games run at once (default: a core each).
set -euo pipefail
export install=$1
shift
[ $# -gt 0 ] || set -- $(seq 5 20) 30
command -v valgrind >/dev/null || { echo "valgrind not found (Debian: apt-get install valgrind)" >&2; exit 1; }

one_game() { # shape, size, first player, second player
    local log status=0
    log=$(mktemp)
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$install/server" --isolation none --quiet --move-time 50ms -t "$1" -m "$2" "$3" "$4" >"$log" 2>&1 || status=$?
    if [ "$status" = 0 ]; then
        echo "ok    -t $1 -m $2 ${3##*/} ${4##*/}"
    else
        echo "FAIL  -t $1 -m $2 ${3##*/} ${4##*/} (exit status $status)"
        sed 's/^/      /' "$log"
    fi
    rm -f "$log"
    return "$status"
}
export -f one_game

# Each player meets its neighbour in a ring: so it plays every board once on each side.
players=("$install"/*.so)
for size in "$@"; do
    for shape in c d t 8; do
        for i in "${!players[@]}"; do
            next=$(((i + 1) % ${#players[@]}))
            printf '%s\0' "$shape" "$size" "${players[i]}" "${players[next]}"
        done
    done
done | xargs -0 -n 4 -P "${JOBS:-$(nproc)}" bash -c 'one_game "$@" || exit 1' one_game ||
    { echo "valgrind: some game failed" >&2; exit 1; }
echo "valgrind: all games clean"
