#!/bin/sh
# Builds a book from README, docs and the games' pages, in the order of docs/book/SUMMARY.md.
# Argument: the folder to build it in, which is emptied.
set -eu
folder=$1
command -v mdbook >/dev/null || { echo 'mdbook is not installed: cargo install mdbook --version 0.5.4' >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/src"
cp docs/book/book.toml "$folder"
cp docs/book/SUMMARY.md README.md CONTRIBUTING.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/src"
cp -R docs examples "$folder/src"
rm -r "$folder/src/docs/book"
for game in games/*/; do
    mkdir -p "$folder/src/$game"
    cp -R "$game/README.md" "$game/docs" "$folder/src/$game"
done
tests/scripts/dead_links.sh "$folder/src"
mdbook build -d "$folder" "$folder"
echo "the book: $folder/index.html"
