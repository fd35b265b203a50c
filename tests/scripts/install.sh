#!/bin/sh
# Copies what was built into an install folder, touching only what changed, and removes players that we once installed
# there and that no longer exist. Players that others put there stay.
#   install.sh put FOLDER LIST FILE...    copies files and adds their names to LIST
#   install.sh prune FOLDER LIST BEFORE   removes what BEFORE names and LIST does not; LIST then takes the place of BEFORE
set -eu
# What is installed is for everybody.
umask 022
what=$1 into=$2 list=$3
shift 3

put() { # file
    base=${1##*/}
    case $base in
    libplayer_*.so) name=${base#libplayer_} mode=644 ;;
    *.so) name=$base mode=644 ;;
    alltests-*) name=alltests mode=755 ;;
    *) name=$base mode=755 ;;
    esac
    # -C leaves a file alone whose content and mode are right already.
    install -C -m "$mode" "$1" "$into/$name"
    printf '%s\n' "$name" >>"$list"
}

case $what in
put)
    mkdir -p "$into"
    for file in "$@"; do
        # A player in C that needs an absent library was not built.
        case $file in
        */c/*.so) [ -e "$file" ] || continue ;;
        esac
        put "$file"
    done
    ;;
prune)
    before=$1
    if [ -e "$before" ]; then
        grep -vxF -f "$list" "$before" | while IFS= read -r name; do
            rm -f "$into/$name"
        done
    fi
    mv "$list" "$before"
    ;;
esac
