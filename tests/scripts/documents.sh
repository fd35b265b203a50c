#!/bin/sh
# Writes into a folder what people read who have no sources: documents, examples, licences, and a README of its own.
# Arguments: the folder, the server's and the players' place as its readers type them, the server that was built, its players.
set -eu
folder=$1 server=$2 players=$3
shift 3

# Weak references do not keep a program from starting.
glibc=$(readelf -V "$@" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) *Flags: none.*/\1/p' | sort -Vu | tail -n 1)
[ -n "$glibc" ] || { echo "readelf cannot tell which glibc $1 needs (Debian: apt-get install binutils)" >&2; exit 1; }

section() { # title
    sed -n "/^## $1\$/,/^## /{/^## $1\$/p;/^## /!p;}" README.md
}

# Whatever the sources' modes are.
umask 022
cp -R --no-preserve=mode CHANGELOG.md LICENSE LICENSE-APACHE LICENSE-MIT docs examples "$folder"
rm -r "$folder/docs/book"
{
    sed '/^## /,$d' README.md
    cat <<EOF
## Play a game

    $server -m 10 -t d $players/random.so $players/territory.so

runs on Linux with glibc $glibc or newer and libgcc_s; \`$server doctor\` says what your machine offers for the sandbox.
The examples below write \`server\` for \`$server\`, and \`champion.so\` for \`$players/champion.so\`.

EOF
    section 'What the server does'
    cat <<EOF
## Write a player

    $server new-player c my_player
    make -C my_player
    $server my_player/my_player.so $players/territory.so

EOF
    section 'Read on'
} | sed '/^`make book`/,+1d' >"$folder/README.md"

find "$folder" -name '*.md' -exec sed -i \
    "s|(\.\./crates/player/include)|(../include)|g; s|\./install/\([a-z_]*\.so\)|$players/\1|g; s|\./install/server|$server|g" {} +
"$(dirname "$0")/dead_links.sh" "$folder"
echo "$glibc"
