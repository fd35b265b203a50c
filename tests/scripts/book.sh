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
    cp -R "$game/docs" "$folder/src/$game"
    # A link to README.md is not followed to the page that mdbook makes of it.
    cp "$game/README.md" "$folder/src/$game/index.md"
done
find "$folder/src" -name '*.md' -exec sed -i 's|\(games/[a-z0-9]*\)/README\.md|\1/index.md|g' {} +
tests/scripts/dead_links.sh "$folder/src"
mdbook build "$folder"
echo "the book: $folder/html/index.html"
