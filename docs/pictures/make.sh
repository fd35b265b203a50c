#!/usr/bin/env bash
# Makes the pictures of README and docs again: make.sh [FOLDER WITH server AND PLAYERS [FOLDER WITH THE GAMES]]. Needs
# chromium and python3. The games that are played here for the pages of lists and events differ a little each time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
installed=$(cd "${1:-$here/../../install}" && pwd)
games=$(cd "${2:-$here/../../games/bin}" && pwd)
work=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || :; rm -rf "$work"' EXIT
cd "$work"

# Boards alone: without names nothing is written around them.
for board in c:square d:donut t:clover 8:figure-eight; do
    name=${board#*:}
    "$installed/server" -m 10 -t "${board%%:*}" --seed 3 --max-moves 16 --quiet --record "$name.jsonl" \
        "$installed/territory.so" "$installed/territory.so" >/dev/null
    "$installed/server" convert "$name.jsonl" - --to fen | "$installed/server" convert - "$here/$name.svg" --from fen --size 200 --force
done

shot() { # name, light or dark, width, height, address, when it is there, what to do before
    python3 "$here/shot.py" "$here/$1.png" "${@:2}"
}

serve() { # command...: prints the first address that it tells
    "$@" >served 2>&1 &
    servers+=($!)
    until grep -q http served; do sleep 0.1; done
    address=$(grep -o 'http[^ ]*' served | head -1)
}

# A game with its viewer, as a page of its own.
"$installed/server" -m 10 -t t --seed 3 --quiet --record game.jsonl "$installed/territory.so" "$installed/territory.so" >/dev/null
"$installed/server" convert game.jsonl game.html
for scheme in light dark; do
    shot "viewer-$scheme" "$scheme" 1280 800 "file://$work/game.html#ply=24" 'viewer.ply === 24'
done

# The first page and an event.
"$installed/server" tournament --dir autumn --pairs 3 --boards c8,d9,t10 --move-time 20ms --seed 4 -q \
    "$installed"/{champion,alphabeta,territory,random}.so >/dev/null
mkdir records
for seed in 1 2 3 4 5; do
    "$installed/server" -m 10 -t c --seed "$seed" --quiet --record "records/$seed.jsonl" \
        "$installed/territory.so" "$installed/random.so" >/dev/null
done
for seed in 6 7 8 9 10; do
    "$installed/server" -m 10 -t d --seed "$seed" --quiet --record "played-$seed.jsonl" \
        "$installed/territory.so" "$installed/territory.so" >/dev/null
    head -n $((seed * 4)) "played-$seed.jsonl" >"records/now-$seed.jsonl"
done
serve "$installed/server" watch records autumn
shot home-light light 1280 1000 "$address" "document.querySelectorAll('#cards svg').length === 5 && byId('newest').checkVisibility()"
for scheme in light dark; do
    shot "event-$scheme" "$scheme" 1280 800 "${address}event/1" "document.querySelectorAll('#game-cards svg').length"
done

# The other games.
"$games/connect4" analyze 44443355226 --html connect4.html >/dev/null
shot connect4-light light 1280 800 "file://$work/connect4.html" "document.querySelector('#moves tr')"
"$games/mastermind" auto --seed 3 --record mastermind.jsonl >/dev/null
"$games/mastermind" show mastermind.jsonl --html mastermind.html >/dev/null
shot mastermind-light light 1000 640 "file://$work/mastermind.html" true
serve "$games/cluedo" play --ais 3 --type 2 --web --seed 3
shot cluedo-light light 1280 800 "$address" "document.querySelector('#cards label')"
serve "$games/cluedo" assist --web
# Says what happens at a table, line by line.
lines='["players me anna ben", "i have scarlett rope hall knife study mustard", "anna suggests white pipe lounge", "ben shows"]'
shot cluedo-assist-light light 1280 800 "$address" "document.querySelectorAll('#entries li').length > 2" \
    "(async () => { for (const text of $lines) { byId('line').value = text; byId('form').requestSubmit(); await new Promise((done) => setTimeout(done, 700)); } })()"
python3 "$here/indexed.py" "$here"/*.png
ls -l "$here"
