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
} | sed 's/^- \[CONTRIBUTING.md\](CONTRIBUTING.md), /- /' >"$folder/README.md"

# A link to a file that is not there becomes its text; no other link may be dead.
find "$folder" -name '*.md' | while IFS= read -r page; do
    sed -i "s|(\.\./crates/player/include)|(../include)|g; s|\./install/\([a-z_]*\.so\)|$players/\1|g; s|\./install/server|$server|g" \
        "$page"
    grep -oE '\]\([^):# ]+|(src|href)="[^":#]+' "$page" | sed 's/^\](//; s/.*="//' | sort -u | while IFS= read -r link; do
        [ ! -e "$(dirname "$page")/$link" ] || continue
        sed -zi "s|\[\([^]]*\)\]($link\(#[^)]*\)\?)|\1|g" "$page"
        ! grep -qE "(\]\(|=\")$link[)#\"]" "$page" || { echo "$page: $link is not there" >&2; exit 1; }
    done
done
echo "$glibc"
