#!/bin/sh
# Prints the line coverage that an lcov file holds: a line per source file, then totals.
# Arguments: lcov file, repository root, least percentage of src/ and crates/ together (fails below it).
set -eu
awk -v root="$2/" '
    /^SF:/ { file = substr($0, 4); if (index(file, root) == 1) file = substr(file, length(root) + 1) }
    /^LF:/ { found = substr($0, 4) }
    /^LH:/ { hit = substr($0, 4) }
    # A header may have no code.
    /^end_of_record/ && found { printf "%s\t%d\t%d\n", file, hit, found }' "$1" |
    sort |
    awk -F '\t' -v least="$3" '
    function row(name, hit, found) {
        printf "%-48s %6d of %6d lines %6.1f %%\n", name, hit, found, found ? 100 * hit / found : 100
    }
    {
        row($1, $2, $3)
        top = $1; sub("/.*", "/", top)
        if (!(top in lines)) order[++groups] = top
        covered[top] += $2; lines[top] += $3; all_covered += $2; all_lines += $3
    }
    END {
        print ""
        for (i = 1; i <= groups; i++) row(order[i], covered[order[i]], lines[order[i]])
        row("total", all_covered, all_lines)
        ours = lines["src/"] + lines["crates/"]
        percent = ours ? 100 * (covered["src/"] + covered["crates/"]) / ours : 0
        if (percent < least) {
            printf "coverage: src/ and crates/ are at %.2f %%, below the %s %% asked for\n", percent, least
            exit 1
        }
    }'
