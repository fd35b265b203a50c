// expect: timeout in initialize
// options: --init-time 150ms
/* Computes without end in initialize. */
#include "hostile.h"

void on_initialize(void) {
    for (unsigned volatile i = 0;; i++) {
    }
}
