#!/bin/sh
# Writes into a folder what people read who have no sources: documents, examples, licences, and a README of its own.
# Arguments: the folder, the server's and the players' place as its readers type them, the server that was built, its players.
set -eu
folder=$1 server=$2 players=$3
shift 3
url_or_anchor='^[a-z]*:\|^#'

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
    echo '## Play a game'
    echo
    echo '```'
    echo "$server -m 10 -t d $players/random.so $players/territory.so"
    echo '```'
    echo
    echo "runs on Linux with glibc $glibc or newer and libgcc_s; \`$server doctor\` says what your machine offers for the"
    echo "sandbox. The examples below write \`server\` for \`$server\`, and \`champion.so\` for \`$players/champion.so\`."
    echo
    section 'What the server does'
    echo '## Write a player'
    echo
    echo '```'
    echo "$server new-player c my_player"
    echo 'make -C my_player'
    echo "$server my_player/my_player.so $players/territory.so"
    echo '```'
    echo
    section 'Read on'
} | sed 's/^- \[CONTRIBUTING.md\](CONTRIBUTING.md), /- /' >"$folder/README.md"

# A link to a file that is not there becomes its text.
find "$folder" -name '*.md' | while IFS= read -r page; do
    links() { grep -oE '\]\([^)# ]*|(src|href)="[^"#]*' "$page" | sed 's/^\](//; s/.*="//' | grep -v "$url_or_anchor" | sort -u; }
    sed -i "s|(\.\./crates/player/include)|(../include)|g; s|\./install/\([a-z_]*\.so\)|$players/\1|g; s|\./install/server|$server|g" \
        "$page"
    links | while IFS= read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] ||
            sed -zi "s|\[\([^]]*\)\]($link\(#[^)]*\)\?)|\1|g" "$page"
    done
    links | while IFS= read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link is not there" >&2; exit 1; }
    done
done
echo "$glibc"
