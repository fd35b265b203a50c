#!/bin/sh
# Runs tests, and lists what they skipped at the end: each reason, and how many tests had it. The status is the tests'.
#   skips.sh COMMAND...
set -eu
# Another one around this one lists them all.
[ -z "${AMAZONS_SKIPS:-}" ] || exec "$@"
AMAZONS_SKIPS=$(mktemp)
export AMAZONS_SKIPS
trap 'rm -f "$AMAZONS_SKIPS"' EXIT
status=0
"$@" || status=$?
if [ -s "$AMAZONS_SKIPS" ]; then
    echo 'skipped, wholly or in part:'
    sort -u "$AMAZONS_SKIPS" | cut -f 2- | sort | uniq -c | sort -rn | sed 's/^ *\([0-9]*\) /  \1 x /'
fi
exit "$status"
