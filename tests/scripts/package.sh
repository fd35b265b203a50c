#!/bin/sh
# Installs beside server and players what a packager expects, or removes all of it again; what others put there stays.
#   package.sh install ROOT PLAYER...             ROOT is $DESTDIR$PREFIX, with server and players in lib/amazons
#   package.sh uninstall ROOT PROGRAM-OR-PLAYER...
set -eu
umask 022
what=$1 root=$2
shift 2
lib=$root/lib/amazons program=$root/bin/amazons-server

put() { # file of the package; its content on standard input
    mkdir -p "$(dirname "$root/$1")"
    cat >"$root/$1.new"
    mv "$root/$1.new" "$root/$1"
}
bash=share/bash-completion/completions/amazons-server
zsh=share/zsh/site-functions/_amazons-server
fish=share/fish/vendor_completions.d/amazons-server.fish
man=share/man/man1/amazons-server.1

case $what in
install)
    for shell in bash zsh fish; do
        eval "file=\$$shell"
        "$program" completions "$shell" | put "$file"
    done
    "$program" man | put "$man"
    rm -rf "$root/share/doc/amazons"
    mkdir -p "$root/share/doc/amazons" "$root/include/amazons"
    install -C -m 644 crates/player/include/*.h "$root/include/amazons"
    # The documents name the headers as if they were beside them.
    ln -s ../../../include/amazons "$root/share/doc/amazons/include"
    tests/scripts/documents.sh "$root/share/doc/amazons" amazons-server "${PREFIX:-/usr/local}/lib/amazons" "$lib/server" "$@" >/dev/null
    ;;
uninstall)
    for name in "$@"; do
        rm -f "$lib/$name" "$root/bin/amazons-$name"
    done
    rm -f "$root/$bash" "$root/$zsh" "$root/$fish" "$root/$man"
    rm -rf "$root/share/doc/amazons" "$root/include/amazons"
    [ ! -d "$lib" ] || rmdir --ignore-fail-on-non-empty "$lib"
    ;;
esac
