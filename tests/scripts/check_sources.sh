#!/usr/bin/env bash
# Rules of this repository that no lint knows: prints each breach as file:line and fails if there is one.
# Argument: the folder to check (default: the current one).
set -euo pipefail
cd "${1:-.}"

failed=0
breach() { # what is wrong; the places on standard input
    local place
    while IFS= read -r place; do
        echo "$place: $1" >&2
        failed=1
    done
}

folders=()
for folder in src crates players games tests; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
files() { # tests of find; prints matching files of ours
    find "${folders[@]}" -name target -prune -o -type f "$@" -print
}
rust_outside_tests() { files -name '*.rs' ! -path 'tests/*' ! -path 'games/*/tests/*'; }

breach 'tests belong in tests/ or games/*/tests/' < <(
    rust_outside_tests | xargs -d '\n' -r grep -nE '^\s*#\[(cfg\(test\)|(\w+::)*test\b)' /dev/null | cut -d: -f1,2
)

breach 'note it with amazons_testing::skip: what a passing test prints is not shown' < <(
    files -path '*tests/*.rs' | xargs -d '\n' -r grep -nE 'eprintln!\("[Ss]kipped|println!\("SKIPPED' /dev/null | cut -d: -f1,2
)

# What runs beside a test decides how long something takes: only tests of time look at a clock.
tests_without_time() { files -path '*tests/*.rs' ! -path 'tests/shared/*' ! -name timing.rs ! -path '*/timing/*'; }
clocks='\bInstant\b|\.elapsed\(|clock_gettime\(ClockId|(thread|time)::sleep|\bretried\('
# A time on either side of a comparison, which rustfmt puts between blanks.
times='(\.(cpu|wall|idle_cpu)|_[um]s"\]|Duration::from_|as_(secs|millis|micros|nanos)|[^{](secs|seconds|millis)\b)'
compared=' (<|>|<=|>=) '
breach 'a clock decides: count, wait with amazons_testing::wait_until, or move the test to a module called timing' < <(
    tests_without_time | xargs -d '\n' -r grep -nE "$clocks|$times.*$compared|$compared.*$times" /dev/null | cut -d: -f1,2
)

breach 'more than 600 lines, split it' < <(
    files \( -name '*.rs' -o -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \) | while IFS= read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 600 ] || echo "$file:$lines"
    done
)

# Unsafe code has six homes, and tests may be unsafe. A comment is no code, and the name of C's `main` no operation.
breach 'unsafe code belongs in crates/player, crates/mpi, crates/memory, crates/sandbox, crates/engine/src/simd or src/host' < <(
    rust_outside_tests | grep -vE '^(crates/(player|mpi|memory|sandbox|engine/src/simd)|src/host)/' | while IFS= read -r file; do
        sed 's|//.*||; s|#\[unsafe(no_mangle)\]||' "$file" | grep -nw unsafe | sed "s|^\([0-9]*\):.*|$file:\1|"
    done
)

breach 'must say #![forbid(unsafe_code)]' < <(
    for crate in formats pages program protocol rules search solve statistics; do
        [ ! -d "crates/$crate" ] || grep -qs 'forbid(unsafe_code)' "crates/$crate/src/lib.rs" || echo "crates/$crate/src/lib.rs:1"
    done
)

breach 'is no valid shell script' < <(
    files -name '*.sh' | while IFS= read -r file; do
        shell=sh
        ! head -1 "$file" | grep -q bash || shell=bash
        "$shell" -n "$file" || echo "$file:1"
    done
)

# Documents: what a reader gets, in plain English and within 120 columns. Tables and code may be longer.
pages=()
for page in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md games/*/README.md games/*/docs/*.md; do
    [ ! -f "$page" ] || pages+=("$page")
done

# Prints the prose, with `tables` also the rows of tables, as FILE:LINE:TEXT; `plain` blanks inline code.
page_lines() { # tables|prose code|plain
    # A byte that continues a character of UTF-8 is no column of its own.
    LC_ALL=C awk -v tables="$1" -v code="$2" '
        FNR == 1 { fenced = 0; blank = 1 }
        /^```/ { fenced = !fenced; blank = 0; next }
        fenced { next }
        # Indented code follows a blank line or more of the same; the second line of a list item does not.
        /^    / && (blank || indented) { indented = 1; blank = 0; next }
        { indented = 0; blank = /^$/ }
        /^[|]/ && tables != "tables" { next }
        { if (code == "plain") gsub(/`[^`]*`/, "``"); gsub(/[\200-\277]/, ""); print FILENAME ":" FNR ":" $0 }
    ' ${pages[@]+"${pages[@]}"} /dev/null
}

breach 'more than 120 columns outside tables and code, wrap it' < <(
    page_lines prose code | LC_ALL=C grep -E '^[^:]*:[0-9]+:.{121}' | cut -d: -f1,2
)

# Phrases that read as translated, and what to write instead.
plain_english() { # extended regular expression, advice
    breach "not plain English, $2" < <(page_lines tables plain | LC_ALL=C grep -E "$1" | cut -d: -f1,2)
}
plain_english '\b(is|are|was|were) none\b' 'say what it is not: "there is no X", "X is not Y"'
plain_english '\b[Nn]one of (ours|mine|its|theirs)\b' 'say "not in X", "not one of X"'
plain_english '\b(who|that|what|which) (is|are) no\b' 'say "is not a"'
plain_english '\b[Ff]or which reason\b' 'begin a sentence: "So ..", "Therefore .."'
plain_english '\b(is|are) nobody\b|\b[Ss]omebody\b' 'name the process, client, player or caller'
plain_english '\b(is|are|be) (dropped|ignored|left out) and said\b' 'say "with a message"'
plain_english '\bof which\b.*\beach\b' 'begin a sentence: "Each .."'
plain_english '\bas well([.;:|)]|$)' 'say "also", early in the sentence'
plain_english '(:|[.;|] )(- )?(Who|Whoever) [^?]*$' 'begin with a noun: "A player that .."'
plain_english '\b([Ss]ince then|[Bb]efore this change|[Ee]arlier versions?)\b' 'history belongs in the CHANGELOG'

# The same in sources, where a comment begins with the thing itself: "The ..", "Returns ..", "Maximum ..".
translated='\bis none\b|\bnone of (ours|its)\b|//[/!] (Who|Tells|Says|What|More|The most|The least) '
translated+='|\bWho (is|has|would)\b|is nobody|(is|this is) no [a-z]+ (from|of|to)\b|tells no '
breach 'not plain English, name the thing or say what it does' < <(
    { rust_outside_tests; files -name '*.md' ! -path '*tests/*'; ls ${pages[@]+-d "${pages[@]}"} /dev/null; } |
        sort -u | xargs -d '\n' -r grep -nE "$translated" /dev/null | cut -d: -f1,2
)

exit "$failed"
