#!/bin/sh
# Copies what was built into the install folder, touching only what changed, and removes players that we once installed
# there and that no longer exist. Players that others put there stay.
# Arguments: install folder, cargo's target folder, the test executable, manifest (where the names of what we installed
# are kept; empty: nothing is removed), Rust players, C players.
set -eu
into=$1 target=$2 alltests=$3 manifest=$4 rust_players=$5 c_players=$6

put() { # mode, file, name
    # -C leaves a file alone whose content and mode are right already.
    install -C -m "$1" "$2" "$into/$3"
    installed="$installed$3
"
}

mkdir -p "$into"
installed=
put 755 "$target/release/server" server
put 755 "$alltests" alltests
for player in $rust_players; do
    put 644 "$target/release/libplayer_$player.so" "$player.so"
done
for player in $c_players; do
    # A player that needs an absent library was not built.
    [ ! -e "target/c/$player.so" ] || put 644 "target/c/$player.so" "$player.so"
done

echo "installed in $into: server, alltests and $(printf '%s' "$installed" | grep -c '\.so$') players"

[ -n "$manifest" ] || exit 0
if [ -e "$manifest" ]; then
    while IFS= read -r name; do
        case "
$installed" in
        *"
$name
"*) ;;
        *) rm -f "$into/$name" ;;
        esac
    done <"$manifest"
fi
printf '%s' "$installed" >"$manifest"
