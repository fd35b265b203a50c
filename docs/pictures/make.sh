#!/usr/bin/env bash
# Makes the pictures of the README again: make.sh [FOLDER WITH server AND territory.so]. Needs chromium and python3.
# Nothing but the version of the fonts makes them differ from one machine to another.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
installed=$(cd "${1:-$here/../../install}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for board in c:square d:donut t:clover 8:figure-eight; do
    name=${board#*:}
    "$installed/server" -m 10 -t "${board%%:*}" --seed 3 --max-moves 16 --quiet --record "$name.jsonl" \
        "$installed/territory.so" "$installed/territory.so" >/dev/null
    "$installed/server" convert --size 200 --force "$name.jsonl" "$here/$name.svg"
done

# The viewer as it is in the page of a game.
"$installed/server" -m 10 -t t --seed 3 --quiet --record game.jsonl "$installed/territory.so" "$installed/territory.so" >/dev/null
"$installed/server" convert game.jsonl game.html
for look in light:1 dark:0; do
    HOME=$work chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,800 \
        --blink-settings=preferredColorScheme="${look#*:}" --screenshot="$here/viewer-${look%%:*}.png" \
        "file://$work/game.html#ply=24" 2>/dev/null
done
python3 "$here/indexed.py" "$here"/viewer-*.png
ls -l "$here"
