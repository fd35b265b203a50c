#!/usr/bin/env bash
# Makes the pictures of README and docs again: make.sh [FOLDER WITH server AND PLAYERS [FOLDER WITH THE GAMES]]. Needs
# chromium and python3. The games that are played here for the pages of lists and events differ a little each time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
installed=$(cd "${1:-$here/../../install}" && pwd)
games=$(cd "${2:-$here/../../games/bin}" && pwd)
work=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null && wait; rm -rf "$work"' EXIT
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
    rm -f served
    "$@" >served 2>&1 &
    servers+=($!)
    until grep -qs http served; do sleep 0.1; done
    address=$(grep -o 'http[^ ]*' served | head -1)
}

# A game with its viewer, as a page of its own.
"$installed/server" -m 10 -t t --seed 3 --quiet --record game.jsonl "$installed/territory.so" "$installed/territory.so" >/dev/null
"$installed/server" convert game.jsonl game.html
for scheme in light dark; do
    shot "viewer-$scheme" "$scheme" 1280 800 "file://$work/game.html#ply=24" 'viewer.ply === 24'
done

# A game that was annotated: analyze --nodes 30000 --annotate.
"$installed/server" convert "$here/annotated.jsonl" "$here/annotated.html" --force
for scheme in light dark; do
    shot "analysis-$scheme" "$scheme" 1280 800 "file://$here/annotated.html#ply=7" 'viewer.ply === 7' 'viewer.analysis.set(true)'
done

# The first page and an event.
"$installed/server" tournament --dir autumn --pairs 3 --boards c8,d9,t10 --move-time 20ms --seed 4 -q \
    "$installed"/{champion,alphabeta,territory,random}.so >/dev/null
mkdir records
players=(champion alphabeta mcts territory random champion)
for seed in 1 2 3 4 5; do
    for board in c d; do
        "$installed/server" -m 10 -t "$board" --seed "$seed" --move-time 20ms --quiet --record "$board-$seed.jsonl" \
            "$installed/${players[seed - 1]}.so" "$installed/${players[seed]}.so" >/dev/null
    done
    mv "c-$seed.jsonl" records
    # Half a game is one that is being played.
    head -n $((seed * 4 + 9)) "d-$seed.jsonl" >"records/d-$seed.jsonl"
done
serve "$installed/server" watch records autumn
shot home-light light 1280 1000 "$address" "document.querySelectorAll('#cards svg').length === 5 && byId('newest').checkVisibility()"
for scheme in light dark; do
    shot "event-$scheme" "$scheme" 1280 800 "${address}event/1" "document.querySelectorAll('#game-cards svg').length"
done

# A course: what is published of it, and the page of a team. Its players are our own.
printf 'name,display name\nada,"Lovelace, Ada"\ngrace,"Hopper, Grace"\nmary,"Keller, Mary"\nnoether,"Noether, Emmy"\nzuse,"Zuse, Konrad"\n' >teams.csv
"$installed/server" course new spring --teams teams.csv >tokens.csv
sed -i 's/^baselines = .*/baselines = ["champion:1", "random", "territory"]/; s/\["c10"\]/["c6", "d9"]/; s/"50ms"/"10ms"/; s/^title.*/title = "Algorithms, spring 2027"/' spring/course.toml
for team in ada:random grace:mcts mary:alphabeta noether:champion zuse:c_mobility; do
    "$installed/server" course submit spring "$installed/${team#*:}.so" --team "${team%:*}" >/dev/null
done
serve "$installed/server" course run spring --listen 127.0.0.1:0 -q
until [ "$(grep -cs '"game"' spring/ladder/journal.jsonl)" -gt 2000 ]; do sleep 1; done
"$installed/server" report spring --html pages >/dev/null
shot course-light light 1280 1000 "file://$work/pages/index.html" "document.querySelectorAll('#players tr').length"
token=$(sed -n 's/^mary,//p' tokens.csv)
shot team-dark dark 1280 1000 "${address}team" "document.querySelectorAll('#results td').length" \
    "(byId('token').value = '$token', document.querySelector('#enter button').click())"

# The other games.
"$games/connect4" analyze 4444452263 --html connect4.html >/dev/null
shot connect4-light light 1280 800 "file://$work/connect4.html" "document.querySelector('#moves tr')"
"$games/mastermind" auto --seed 3 --record mastermind.jsonl >/dev/null
"$games/mastermind" show mastermind.jsonl --html mastermind.html >/dev/null
shot mastermind-light light 1000 640 "file://$work/mastermind.html" true
serve "$games/cluedo" play --ais 3 --type 2 --web --seed 3
shot cluedo-light light 1280 800 "$address" "document.querySelector('#cards label')"
serve "$games/cluedo" assist --web
# Says what happens at a table, line by line.
lines=$(sed -n '/^    players Anna/,/^$/s/^    //p' "$here/../../games/cluedo/docs/assist.md" | python3 -c 'import json, sys; print(json.dumps(sys.stdin.read().split("\n")[:5]))')
shot cluedo-assist-light light 1280 800 "$address" "document.querySelectorAll('#entries li').length > 2" \
    "(async () => { for (const text of $lines) { byId('line').value = text; byId('form').requestSubmit(); await new Promise((done) => setTimeout(done, 700)); } })()"
python3 "$here/indexed.py" "$here"/*.png
ls -l "$here"
