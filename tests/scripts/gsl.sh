#!/bin/sh
# Succeeds when a program that uses GSL compiles and links (argument: GSL's folder, empty: the system's). Otherwise says why.
set -eu
path=$1

if [ -n "$path" ] && [ ! -e "$path/include/gsl/gsl_spmatrix.h" ]; then
    echo "GSL_PATH='$path' has no include/gsl/gsl_spmatrix.h"
    exit 1
fi

set -- "${CC:-cc}" -x c - -o /dev/null
[ -z "$path" ] || set -- "$@" "-I$path/include" "-L$path/lib"
set -- "$@" -lgsl -lgslcblas -lm
# CC may hold arguments ("ccache cc"): the first word list is split on purpose.
compiler=$1
shift
# shellcheck disable=SC2086
if ! printf '#include <stddef.h>\n#include <gsl/gsl_spmatrix.h>\nint main(void) { return gsl_spmatrix_uint_alloc(1, 1) == 0; }\n' |
    $compiler "$@" 2>/dev/null; then
    echo "GSL not found (Debian: apt-get install libgsl-dev, or make GSL_PATH=/path/to/gsl)"
    exit 1
fi
