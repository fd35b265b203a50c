#!/bin/sh
# Packs what is needed to play, and to write players elsewhere, for people without a compiler: server, players, headers,
# documents, examples. The same commit and toolchain give the same bytes.
# Arguments: cargo's target folder, version, Rust players, C players.
set -eu
target=$1 version=$2 rust_players=$3 c_players=$4
name=amazons-$version-$(uname -m)-linux
folder=$target/dist/$name
archive=$target/dist/$name.tar.gz

rm -rf "$folder"
umask 022
mkdir -p "$folder/include"
install -m 755 "$target/release/server" "$folder/server"
for player in $rust_players; do
    install -m 644 "$target/release/libplayer_$player.so" "$folder/$player.so"
done
for player in $c_players; do
    # A player that needs an absent library was not built.
    [ ! -e "$target/c/$player.so" ] || install -m 644 "$target/c/$player.so" "$folder/$player.so"
done
install -m 644 crates/player/include/*.h "$folder/include"
glibc=$(tests/scripts/documents.sh "$folder" ./server . "$folder/server" "$folder"/*.so)

# Without a git repository there is no date to take but that of today.
date=$(git log -1 --format=%cI 2>/dev/null || date -Iseconds)
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=u-w --mtime="$date" -C "$target/dist" -cf - "$name" |
    gzip -9n >"$archive"
rm -rf "$folder"
echo "$archive: $(du -h "$archive" | cut -f1), for glibc $glibc or newer"
