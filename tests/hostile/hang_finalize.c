// expect: fault in finalize: timeout
// options: --finalize-time 150ms
/* Computes without end in finalize. */
#include "hostile.h"

void on_finalize(void) {
    for (unsigned volatile i = 0;; i++) {
    }
}
