#!/bin/sh
# In the pages of a folder, turns a link to a file that is not there into its text; fails if a dead link is left.
# Argument: the folder.
set -eu
find "$1" -name '*.md' | while IFS= read -r page; do
    grep -oE '\]\([^):# ]+|(src|href)="[^":#]+' "$page" | sed 's/^\](//; s/.*="//' | sort -u | while IFS= read -r link; do
        [ ! -e "$(dirname "$page")/$link" ] || continue
        sed -zi "s|\[\([^]]*\)\]($link\(#[^)]*\)\?)|\1|g" "$page"
        ! grep -qE "(\]\(|=\")$link[)#\"]" "$page" || { echo "$page: $link is not there" >&2; exit 1; }
    done
done
