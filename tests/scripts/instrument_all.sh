#!/bin/sh
# Does what instrument.sh does, and counts in engine, searches and solver as well. Cargo tells builds with different wrappers apart.
AMAZONS_COUNT_ALL=1 exec "$(dirname "$0")/instrument.sh" "$@"
